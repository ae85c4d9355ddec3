//! The quadratic extension of the coordinate field: a + b u with u^2 = -1. Points of G2 have coordinates in it.
use super::element::{reduced, Addend, Columns, LIMBS, NOTHING};
use super::modulus::Coordinate;
use super::{Field, Fp};

/// The element `real + imaginary u`.
#[derive(Clone, Copy, Debug)]
pub struct Fp2 {
    pub real: Fp,
    pub imaginary: Fp,
}

/// Each part of a product needs one reduction only: the columns of its two products are joined before.
#[inline(always)]
fn product(left: &Fp2, right: &Fp2, addends: &[Addend; 2]) -> Fp2 {
    let real = left.real.columns(&right.real);
    let imaginary = left.imaginary.columns(&right.imaginary);
    let sums = left.real.loose_add(&left.imaginary).columns(&right.real.loose_add(&right.imaginary));
    let mut cross = sums;
    let mut difference = real;
    for index in 0..2 * LIMBS {
        cross[index] = sums[index].wrapping_sub(real[index]).wrapping_sub(imaginary[index]);
        difference[index] = real[index].wrapping_sub(imaginary[index]);
    }
    joined(difference, cross, addends)
}

#[inline(always)]
fn square(element: &Fp2, addends: &[Addend; 2]) -> Fp2 {
    let Fp2 { real, imaginary } = element;
    let difference = real.loose_add(imaginary).columns(&real.loose_sub(imaginary));
    joined(difference, real.loose_add(real).columns(imaginary), addends)
}

#[inline(always)]
fn joined(real: Columns, imaginary: Columns, addends: &[Addend; 2]) -> Fp2 {
    Fp2 { real: reduced::<Coordinate>(real, &addends[0]), imaginary: reduced::<Coordinate>(imaginary, &addends[1]) }
}

impl Field for Fp2 {
    const ZERO: Self = Self { real: Fp::ZERO, imaginary: Fp::ZERO };
    const ONE: Self = Self { real: Fp::ONE, imaginary: Fp::ZERO };

    #[inline(never)]
    fn mul(&self, other: &Self) -> Self {
        product(self, other, &[NOTHING; 2])
    }

    #[inline(never)]
    fn square(&self) -> Self {
        square(self, &[NOTHING; 2])
    }

    #[inline(never)]
    fn mul_sub(&self, other: &Self, subtrahend: &Self) -> Self {
        let addends = [subtrahend.real.nearest_multiple_minus(), subtrahend.imaginary.nearest_multiple_minus()];
        product(self, other, &addends)
    }

    #[inline(never)]
    fn square_sub(&self, subtrahend: &Self) -> Self {
        let addends = [subtrahend.real.nearest_multiple_minus(), subtrahend.imaginary.nearest_multiple_minus()];
        square(self, &addends)
    }

    #[inline(always)]
    fn loose_add(&self, other: &Self) -> Self {
        Self { real: self.real.loose_add(&other.real), imaginary: self.imaginary.loose_add(&other.imaginary) }
    }

    #[inline(always)]
    fn loose_sub(&self, other: &Self) -> Self {
        Self { real: self.real.loose_sub(&other.real), imaginary: self.imaginary.loose_sub(&other.imaginary) }
    }

    fn reduce(&self) -> Self {
        Self { real: self.real.reduce(), imaginary: self.imaginary.reduce() }
    }

    fn is_zero(&self) -> bool {
        self.real.is_zero() && self.imaginary.is_zero()
    }

    #[inline(always)]
    fn has_no_bits(&self) -> bool {
        self.real.has_no_bits() && self.imaginary.has_no_bits()
    }

    /// Divides the conjugate by the norm.
    fn invert(&self) -> Self {
        let norm = self.real.square().loose_add(&self.imaginary.square()).reduce().invert();
        let minus_imaginary = Fp::ZERO.loose_sub(&self.imaginary).reduce();
        Self { real: self.real.mul(&norm), imaginary: minus_imaginary.mul(&norm) }
    }
}
