//! Elements of a prime field in nine limbs of 29 bits, in Montgomery's form with R = 2^261.
//!
//! WebAssembly multiplies 64 bits and returns the lower 64. Limbs of 29 bits let a column of a product collect all of its
//! terms before any carry. R is more than 2^7 primes, so values need not be below the prime, nor positive:
//!
//! - A *carried* element has eight limbs in [0, 2^29), and a ninth limb with the sign. Its value is in (-2, 2) primes.
//! - A *loose* element is the sum or difference of two carried ones, limb by limb.
//!
//! The factors of a product may be differences, whose limbs are below 2^29 too. Then two columns together are below 2^62.2,
//! and the reduction adds less than 2^61.3 to them. So all fits into a signed 64-bit number.
use core::marker::PhantomData;

use super::modulus::{limbs_of, shifted, subtract, Modulus};
use super::Field;

pub const LIMBS: usize = 9;
pub const BITS: u32 = 29;
pub const MASK: i64 = (1 << BITS) - 1;
/// Columns of a product, and one for the last carry.
const COLUMNS: usize = 2 * LIMBS;

/// The columns of a product, before its reduction.
pub type Columns = [i64; COLUMNS];
/// What `reduced` adds to its result, limb by limb.
pub type Addend = [i64; LIMBS];
pub const NOTHING: Addend = [0; LIMBS];

/// An element of the field of a modulus.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Element<M>(pub [i32; LIMBS], pub PhantomData<M>);

impl<M: Modulus> Element<M> {
    pub const ZERO: Self = Self([0; LIMBS], PhantomData);
    pub const ONE: Self = Self(M::ONE, PhantomData);

    /// Returns an element of limbs, which must be those of a carried one.
    pub const fn of_limbs(limbs: [i32; LIMBS]) -> Self {
        Self(limbs, PhantomData)
    }

    /// Returns a constant below the prime in Montgomery's form.
    pub const fn constant(words: [u64; 4]) -> Self {
        Self::of_words(shifted(M::WORDS, words, LIMBS * BITS as usize))
    }

    /// Returns the element whose limbs hold these 256 bits. No conversion to Montgomery's form.
    pub const fn of_words(words: [u64; 4]) -> Self {
        Self(limbs_of(words), PhantomData)
    }

    /// Returns a number below the prime in Montgomery's form.
    pub fn of_number(words: [u64; 4]) -> Self {
        Self::of_words(words).mul(&Self::of_limbs(M::R_SQUARED))
    }

    /// Returns the number from 0 to prime - 1 that this element stands for.
    pub fn to_number(&self) -> [u64; 4] {
        let mut columns = [0; COLUMNS];
        for (column, limb) in columns.iter_mut().zip(self.0) {
            *column = limb as i64;
        }
        reduced::<M>(columns, &NOTHING).canonical()
    }

    /// Returns the limbs as 256 bits, between 0 and prime - 1. No conversion from Montgomery's form.
    pub fn canonical(&self) -> [u64; 4] {
        // After this reduction the value is above -1 and below 1 prime.
        let Self(limbs, _) = self.reduce();
        let mut words = [0u64; 4];
        let mut carry = 0i64;
        for (index, (limb, prime)) in limbs.into_iter().zip(M::LIMBS).enumerate() {
            carry += limb as i64 + prime as i64;
            let part = if index + 1 < LIMBS { carry & MASK } else { carry } as u64;
            carry >>= BITS;
            let bit = index * BITS as usize;
            words[bit / 64] |= part << (bit % 64);
            if bit % 64 + BITS as usize > 64 && bit / 64 < 3 {
                words[bit / 64 + 1] |= part >> (64 - bit % 64);
            }
        }
        let (difference, borrow) = subtract(words, M::WORDS);
        if borrow {
            words
        } else {
            difference
        }
    }

    /// Returns the columns of the product. Columns of sums may wrap around: only differences of them must fit.
    #[inline(always)]
    pub fn columns(&self, other: &Self) -> Columns {
        let mut columns = [0i64; COLUMNS];
        for (row, &left) in self.0.iter().enumerate() {
            for (place, &right) in other.0.iter().enumerate() {
                columns[row + place] = columns[row + place].wrapping_add((left as i64).wrapping_mul(right as i64));
            }
        }
        columns
    }

    /// Returns the columns of the square.
    #[inline(always)]
    pub fn square_columns(&self) -> Columns {
        let mut columns = [0i64; COLUMNS];
        for row in 0..LIMBS {
            let limb = self.0[row] as i64;
            columns[2 * row] = columns[2 * row].wrapping_add(limb.wrapping_mul(limb));
            let twice = 2 * limb;
            for place in row + 1..LIMBS {
                columns[row + place] = columns[row + place].wrapping_add(twice.wrapping_mul(self.0[place] as i64));
            }
        }
        columns
    }

    /// Returns the multiple of the prime that is nearest to a loose element, minus the element, in limbs that are not
    /// carried. It makes the result of `reduced` small, and costs less than to reduce the result.
    #[inline(always)]
    pub fn nearest_multiple_minus(&self) -> Addend {
        let quotient = self.quotient();
        let mut difference = NOTHING;
        for (index, part) in difference.iter_mut().enumerate() {
            *part = quotient * M::LIMBS[index] as i64 - self.0[index] as i64;
        }
        difference
    }

    /// Returns the number of primes in a loose element, rounded by its highest limb.
    #[inline(always)]
    fn quotient(&self) -> i64 {
        let reciprocal = (1i64 << 40) / M::LIMBS[LIMBS - 1] as i64;
        (self.0[LIMBS - 1] as i64 * reciprocal + (1 << 39)) >> 40
    }
}

/// Returns columns / R + addend, carried: Montgomery's reduction.
#[inline(always)]
pub fn reduced<M: Modulus>(mut columns: Columns, addend: &Addend) -> Element<M> {
    for row in 0..LIMBS {
        let factor = ((columns[row] as u32).wrapping_mul(M::NEGATED_INVERSE) as i64) & MASK;
        let carry = columns[row].wrapping_add(factor * M::LIMBS[0] as i64) >> BITS;
        columns[row + 1] = columns[row + 1].wrapping_add(carry);
        for place in 1..LIMBS {
            columns[row + place] = columns[row + place].wrapping_add(factor * M::LIMBS[place] as i64);
        }
    }
    let mut limbs = [0; LIMBS];
    let mut carry = 0i64;
    for (index, limb) in limbs.iter_mut().enumerate() {
        carry = carry.wrapping_add(columns[LIMBS + index]).wrapping_add(addend[index]);
        *limb = if index + 1 < LIMBS { carry & MASK } else { carry } as i32;
        carry >>= BITS;
    }
    Element(limbs, PhantomData)
}

impl<M: Modulus> Field for Element<M> {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    #[inline(never)]
    fn mul(&self, other: &Self) -> Self {
        reduced::<M>(self.columns(other), &NOTHING)
    }

    #[inline(never)]
    fn square(&self) -> Self {
        reduced::<M>(self.square_columns(), &NOTHING)
    }

    #[inline(never)]
    fn mul_sub(&self, other: &Self, subtrahend: &Self) -> Self {
        reduced::<M>(self.columns(other), &subtrahend.nearest_multiple_minus())
    }

    #[inline(never)]
    fn square_sub(&self, subtrahend: &Self) -> Self {
        reduced::<M>(self.square_columns(), &subtrahend.nearest_multiple_minus())
    }

    #[inline(always)]
    fn loose_add(&self, other: &Self) -> Self {
        let mut limbs = self.0;
        for (limb, right) in limbs.iter_mut().zip(other.0) {
            *limb = limb.wrapping_add(right);
        }
        Self(limbs, PhantomData)
    }

    #[inline(always)]
    fn loose_sub(&self, other: &Self) -> Self {
        let mut limbs = self.0;
        for (limb, right) in limbs.iter_mut().zip(other.0) {
            *limb = limb.wrapping_sub(right);
        }
        Self(limbs, PhantomData)
    }

    #[inline(never)]
    fn reduce(&self) -> Self {
        let quotient = self.quotient();
        let mut limbs = [0; LIMBS];
        let mut carry = 0i64;
        for (index, limb) in limbs.iter_mut().enumerate() {
            carry += self.0[index] as i64 - quotient * M::LIMBS[index] as i64;
            *limb = if index + 1 < LIMBS { carry & MASK } else { carry } as i32;
            carry >>= BITS;
        }
        Self(limbs, PhantomData)
    }

    fn is_zero(&self) -> bool {
        self.canonical() == [0; 4]
    }

    #[inline(always)]
    fn has_no_bits(&self) -> bool {
        self.0.iter().fold(0, |bits, limb| bits | limb) == 0
    }

    fn invert(&self) -> Self {
        let (exponent, _) = subtract(M::WORDS, [2, 0, 0, 0]);
        self.power(exponent)
    }
}

impl<M: Modulus> Element<M> {
    /// Returns this element to a power, by windows of four bits.
    pub fn power(&self, exponent: [u64; 4]) -> Self {
        let mut powers = [Self::ONE; 16];
        for index in 1..16 {
            powers[index] = powers[index - 1].mul(self);
        }
        let mut result = Self::ONE;
        for window in (0..64).rev() {
            for _ in 0..4 {
                result = result.square();
            }
            let digit = exponent[window / 16] >> (4 * (window % 16)) & 15;
            if digit != 0 {
                result = result.mul(&powers[digit as usize]);
            }
        }
        result
    }
}
