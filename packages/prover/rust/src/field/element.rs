//! Elements of a prime field in nine limbs of 29 bits, in Montgomery's form with R = 2^261.
//!
//! WebAssembly multiplies 64 bits and returns the lower 64. Limbs of 29 bits let a column of a product collect all of its
//! terms before any carry. R is more than 2^7 primes, so values need not be below the prime, nor positive:
//!
//! - A *carried* element has eight limbs in [0, 2^29), and a ninth limb with the sign. Its value is in (-1, 3) primes.
//! - A *loose* element is the sum or difference of two carried ones, limb by limb.
//!
//! The factors of a product may be differences, whose limbs are below 2^29 too. Then two products add less than 2^62.2 to a
//! column, and the reduction adds less than 2^61.3. So all fits into a signed 64-bit number.
use core::marker::PhantomData;

use super::modulus::{limbs_of, shifted, subtract, Modulus, BITS, LIMBS, MASK};
use super::Field;

/// The limbs of an element.
pub type Limbs = [i32; LIMBS];
/// What `sum_of_products` adds to its result, limb by limb.
pub type Addend = [i64; LIMBS];
pub const NOTHING: Addend = [0; LIMBS];

/// An element of the field of a modulus.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Element<M>(pub Limbs, pub PhantomData<M>);

impl<M: Modulus> Element<M> {
    pub const ZERO: Self = Self([0; LIMBS], PhantomData);
    pub const ONE: Self = Self(M::ONE, PhantomData);

    /// Returns an element of limbs, which must be those of a carried one.
    pub const fn of_limbs(limbs: Limbs) -> Self {
        Self(limbs, PhantomData)
    }

    /// Returns a constant below the prime in Montgomery's form.
    pub const fn constant(words: [u64; 4]) -> Self {
        Self::of_words(shifted(M::WORDS, words, LIMBS * BITS as usize))
    }

    /// Returns the element whose limbs contain these 256 bits, without a conversion to Montgomery's form.
    pub const fn of_words(words: [u64; 4]) -> Self {
        Self(limbs_of(words), PhantomData)
    }

    /// Returns a number below the prime in Montgomery's form.
    pub fn of_number(words: [u64; 4]) -> Self {
        Self::of_words(words).mul(&Self::of_limbs(M::R_SQUARED))
    }

    /// Returns the number from 0 to prime - 1 that this element represents.
    pub fn to_number(&self) -> [u64; 4] {
        let mut one = [0; LIMBS];
        one[0] = 1;
        self.mul(&Self::of_limbs(one)).canonical()
    }

    /// Returns the limbs as 256 bits, from 0 to prime - 1, without a conversion from Montgomery's form.
    pub fn canonical(&self) -> [u64; 4] {
        // After `reduce`, the value is above -1 and below 1 prime.
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

    /// Returns the multiple of the prime that is nearest to a loose element, minus the element, in limbs that are not
    /// carried. As an addend it keeps the result small, and costs less than to reduce the result.
    #[inline(always)]
    pub fn nearest_multiple_minus(&self) -> Addend {
        let quotient = Self::quotient(self.0[LIMBS - 1] as i64);
        let mut difference = NOTHING;
        for (index, part) in difference.iter_mut().enumerate() {
            *part = quotient * M::LIMBS[index] as i64 - self.0[index] as i64;
        }
        difference
    }

    /// Returns nine times the element plus a loose one, carried.
    #[inline(never)]
    pub fn nine_times_plus(&self, other: &Self) -> Self {
        let mut limbs = [0i64; LIMBS];
        for (limb, (left, right)) in limbs.iter_mut().zip(self.0.into_iter().zip(other.0)) {
            *limb = 9 * left as i64 + right as i64;
        }
        Self::carried(limbs)
    }

    /// Returns the element of limbs that are not carried, minus the nearest multiple of the prime.
    #[inline(always)]
    fn carried(limbs: [i64; LIMBS]) -> Self {
        let quotient = Self::quotient(limbs[LIMBS - 1]);
        let mut result = [0; LIMBS];
        let mut carry = 0;
        for (index, limb) in limbs.into_iter().enumerate() {
            carry += limb - quotient * M::LIMBS[index] as i64;
            result[index] = if index + 1 < LIMBS { carry & MASK } else { carry } as i32;
            carry >>= BITS;
        }
        Self(result, PhantomData)
    }

    /// Returns an element divided by the prime and rounded, from its highest limb.
    #[inline(always)]
    fn quotient(highest: i64) -> i64 {
        let reciprocal = (1i64 << 40) / M::LIMBS[LIMBS - 1] as i64;
        (highest * reciprocal + (1 << 39)) >> 40
    }
}

/// Returns (sum of products) / R + addend, carried.
#[inline(always)]
pub fn sum_of_products<M: Modulus, const N: usize>(pairs: [(&Limbs, &Limbs); N], addend: &Addend) -> Element<M> {
    let terms = |row: usize| {
        let mut terms = [0i64; LIMBS];
        for (place, term) in terms.iter_mut().enumerate() {
            for (left, right) in pairs {
                *term = term.wrapping_add(left[row] as i64 * right[place] as i64);
            }
        }
        terms
    };
    reduced(terms, addend)
}

/// Returns square / R + addend, carried. Each product of two different limbs is computed once and counted twice.
#[inline(always)]
fn square_of<M: Modulus>(limbs: &Limbs, addend: &Addend) -> Element<M> {
    let mut twice = [0i64; LIMBS];
    for (double, limb) in twice.iter_mut().zip(limbs) {
        *double = 2 * *limb as i64;
    }
    let terms = |row: usize| {
        let mut terms = [0i64; LIMBS];
        let limb = limbs[row] as i64;
        terms[row] = limb * limb;
        for place in row + 1..LIMBS {
            terms[place] = limb * twice[place];
        }
        terms
    };
    reduced(terms, addend)
}

/// Returns (sum of all terms) / R + addend, carried. The term at a place of a row belongs to 2^(29 (row + place)).
///
/// It reduces by Montgomery's method, one row after another. But for the first eight rows it adds a multiple of `M::MULTIPLE`
/// 2^29 - 1, which is -1 modulo 2^29, so that the factor is the lowest limb itself. That number is below 2^29 primes, and
/// the last row divides by 2^29. So the result is below 2 primes more than the sum divided by R.
#[inline(always)]
fn reduced<M: Modulus>(terms: impl Fn(usize) -> [i64; LIMBS], addend: &Addend) -> Element<M> {
    let mut columns = [0i64; LIMBS];
    for row in 0..LIMBS - 1 {
        let terms = terms(row);
        let lowest = columns[0].wrapping_add(terms[0]);
        let factor = lowest & MASK;
        for place in 1..LIMBS {
            let column = columns[place].wrapping_add(terms[place]);
            columns[place - 1] = column.wrapping_add(factor * M::MULTIPLE[place - 1]);
        }
        columns[0] = columns[0].wrapping_add(lowest >> BITS);
        columns[LIMBS - 1] = factor * M::MULTIPLE[LIMBS - 1];
    }
    let last = LIMBS - 1;
    let terms = terms(last);
    let lowest = columns[0].wrapping_add(terms[0]);
    let factor = ((lowest as u32).wrapping_mul(M::NEGATED_INVERSE) as i64) & MASK;
    let mut carry = lowest.wrapping_add(factor * M::LIMBS[0] as i64) >> BITS;
    let mut limbs = [0; LIMBS];
    for place in 1..LIMBS {
        let column = columns[place].wrapping_add(terms[place]);
        let column = column.wrapping_add(factor * M::LIMBS[place] as i64);
        carry = carry.wrapping_add(column).wrapping_add(addend[place - 1]);
        limbs[place - 1] = (carry & MASK) as i32;
        carry >>= BITS;
    }
    limbs[last] = (carry + addend[last]) as i32;
    Element(limbs, PhantomData)
}

impl<M: Modulus> Field for Element<M> {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    #[inline(never)]
    fn mul(&self, other: &Self) -> Self {
        sum_of_products([(&self.0, &other.0)], &NOTHING)
    }

    #[inline(never)]
    fn square(&self) -> Self {
        square_of(&self.0, &NOTHING)
    }

    #[inline(never)]
    fn mul_sub(&self, other: &Self, subtrahend: &Self) -> Self {
        sum_of_products([(&self.0, &other.0)], &subtrahend.nearest_multiple_minus())
    }

    #[inline(never)]
    fn square_sub(&self, subtrahend: &Self) -> Self {
        square_of(&self.0, &subtrahend.nearest_multiple_minus())
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
        Self::carried(self.0.map(i64::from))
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
