//! Polynomials over the scalar field, by their values at roots of unity.
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use crate::field::modulus::{subtract, Modulus};
use crate::field::{Field, Fr, Order};

/// The largest power of two that divides order - 1.
pub const MOST_BITS: u32 = 28;
/// The smallest number that is not a square modulo the order. snarkjs derives its roots of unity from it.
const NON_RESIDUE: [u64; 4] = [5, 0, 0, 0];

/// The 2^bits roots of unity at which a constraint system is defined.
pub struct Domain {
    /// Powers of the root, and of its inverse, up to half of the order.
    roots: Vec<Fr>,
    inverses: Vec<Fr>,
    /// For each coefficient, in reversed order of bits, the factor that moves it to the other half of the doubled domain.
    shifts: Vec<Fr>,
}

impl Domain {
    /// Makes a domain of 2^bits roots. `bits` is from 1 to 27.
    pub fn new(bits: u32) -> Self {
        let size = 1usize << bits;
        let shift = root_of_unity(bits + 1);
        let root = shift.square();
        let size_inverse = Fr::of_number([size as u64, 0, 0, 0]).invert();
        let powers = powers(size_inverse, &shift, size);
        let shifts = (0..size).map(|index| powers[index.reverse_bits() >> (usize::BITS - bits)]).collect();
        Self {
            roots: self::powers(Fr::ONE, &root, size / 2),
            inverses: self::powers(Fr::ONE, &root.invert(), size / 2),
            shifts,
        }
    }

    /// Returns the number of roots.
    pub fn size(&self) -> usize {
        self.shifts.len()
    }

    /// Replaces a polynomial's values at the roots by its values at the roots times the root of the doubled domain.
    pub fn shift(&self, values: &mut [Fr]) {
        self.to_coefficients(values);
        for (value, shift) in values.iter_mut().zip(&self.shifts) {
            *value = value.mul(shift);
        }
        self.to_values(values);
    }

    /// Interpolates the values. The coefficients are in the reversed order of bits, and not divided by the size.
    fn to_coefficients(&self, values: &mut [Fr]) {
        let mut half = values.len() / 2;
        while half > 0 {
            let stride = values.len() / 2 / half;
            for block in values.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for ((left, right), root) in low.iter_mut().zip(high).zip(self.inverses.iter().step_by(stride)) {
                    let difference = left.loose_sub(right);
                    *left = left.add(right);
                    *right = difference.mul(root);
                }
            }
            half /= 2;
        }
    }

    /// Evaluates at the roots. The coefficients are in the reversed order of bits.
    fn to_values(&self, values: &mut [Fr]) {
        let mut half = 1;
        while half < values.len() {
            let stride = values.len() / 2 / half;
            for block in values.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for ((left, right), root) in low.iter_mut().zip(high).zip(self.roots.iter().step_by(stride)) {
                    let product = right.mul(root);
                    *right = left.sub(&product);
                    *left = left.add(&product);
                }
            }
            half *= 2;
        }
    }
}

/// Returns a root of unity of order 2^bits.
fn root_of_unity(bits: u32) -> Fr {
    let (mut exponent, _) = subtract(Order::WORDS, [1, 0, 0, 0]);
    for _ in 0..bits {
        for index in 0..4 {
            let above = if index < 3 { exponent[index + 1] << 63 } else { 0 };
            exponent[index] = exponent[index] >> 1 | above;
        }
    }
    Fr::of_number(NON_RESIDUE).power(exponent)
}

/// Returns `first`, `first * base`, `first * base^2` and so on.
fn powers(first: Fr, base: &Fr, count: usize) -> Vec<Fr> {
    let mut powers = Vec::with_capacity(count);
    powers.extend(core::iter::successors(Some(first), |power| Some(power.mul(base))).take(count));
    powers
}
