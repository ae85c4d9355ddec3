//! The quadratic extension of the coordinate field: a + b u with u^2 = -1. Points of G2 have coordinates in it.
use super::element::{sum_of_products, Addend, NOTHING};
use super::{Field, Fp};

/// The element `real + imaginary u`.
#[derive(Clone, Copy, Debug)]
pub struct Fp2 {
    pub real: Fp,
    pub imaginary: Fp,
}

/// Returns the product. Each of its parts is a sum of two products with one reduction.
#[inline(always)]
fn product(left: &Fp2, right: &Fp2, addends: &[Addend; 2]) -> Fp2 {
    let minus_imaginary = Fp::ZERO.loose_sub(&left.imaginary);
    let (left, right) = ([&left.real.0, &left.imaginary.0], [&right.real.0, &right.imaginary.0]);
    Fp2 {
        real: sum_of_products([(left[0], right[0]), (&minus_imaginary.0, right[1])], &addends[0]),
        imaginary: sum_of_products([(left[0], right[1]), (left[1], right[0])], &addends[1]),
    }
}

/// Returns the square: (real + imaginary)(real - imaginary) and 2 real * imaginary. The columns of the first part are those
/// of the difference of two squares. So they fit, although its first factor is a sum.
#[inline(always)]
fn square(element: &Fp2, addends: &[Addend; 2]) -> Fp2 {
    let Fp2 { real, imaginary } = element;
    let [sum, difference, twice] = [real.loose_add(imaginary), real.loose_sub(imaginary), real.loose_add(real)];
    Fp2 {
        real: sum_of_products([(&sum.0, &difference.0)], &addends[0]),
        imaginary: sum_of_products([(&twice.0, &imaginary.0)], &addends[1]),
    }
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

    #[inline(never)]
    fn add(&self, other: &Self) -> Self {
        self.loose_add(other).reduce()
    }

    #[inline(never)]
    fn sub(&self, other: &Self) -> Self {
        self.loose_sub(other).reduce()
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
