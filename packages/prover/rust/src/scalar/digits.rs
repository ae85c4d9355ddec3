//! Signed digits of scalars, for windows of a multi-exponentiation.
use alloc::vec;
use alloc::vec::Vec;

use super::split::{split, Half};
use super::Scalar;

/// Bits of a half with its sign.
const HALF_BITS: usize = 128;

/// Digits of the halves of many scalars, from -2^(bits - 1) to 2^(bits - 1), one window after another.
pub struct Digits {
    bits: usize,
    halves: usize,
    digits: Vec<i16>,
}

impl Digits {
    /// Splits scalars into halves, and the halves into digits of `bits` bits, from 2 to 15.
    pub fn of_scalars(scalars: &[Scalar], bits: usize) -> Self {
        let halves = 2 * scalars.len();
        let mut digits = Self { bits, halves, digits: vec![0; halves * HALF_BITS.div_ceil(bits)] };
        for (index, scalar) in scalars.iter().enumerate() {
            for (half, value) in split(scalar).iter().enumerate() {
                digits.write(2 * index + half, value);
            }
        }
        digits
    }

    pub fn windows(&self) -> usize {
        HALF_BITS.div_ceil(self.bits)
    }

    /// Returns the digits of a window: of the first half of the first scalar, of its second half, and so on.
    pub fn window(&self, index: usize) -> &[i16] {
        &self.digits[index * self.halves..][..self.halves]
    }

    fn write(&mut self, place: usize, half: &Half) {
        let half_range = 1 << (self.bits - 1);
        let mut carry = 0;
        for window in 0..self.windows() {
            let digit = bits_of(&half.words, window * self.bits, self.bits) as i32 + carry;
            carry = (digit > half_range) as i32;
            let digit = digit - (carry << self.bits);
            self.digits[window * self.halves + place] = if half.negative { -digit } else { digit } as i16;
        }
    }
}

/// Returns so many bits of a number from a place on; there are none after its last word.
fn bits_of(words: &[u32; 4], place: usize, count: usize) -> u32 {
    let at = |index: usize| words.get(index).copied().unwrap_or(0) as u64;
    let pair = at(place / 32) | at(place / 32 + 1) << 32;
    (pair >> (place % 32)) as u32 & ((1 << count) - 1)
}
