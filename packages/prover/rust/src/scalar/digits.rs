//! Signed digits of scalars, for windows of a multi-exponentiation.
use alloc::vec;
use alloc::vec::Vec;

use super::split::{split, Half};
use super::Scalar;

/// Bits of a half with its sign.
const HALF_BITS: usize = 127;

/// Digits of the halves of many scalars, one window after another. The bits of a half are shared equally among the windows,
/// so some have one bit more than others. A digit of a window of `bits` bits is from -2^(bits - 1) to 2^(bits - 1).
pub struct Digits {
    windows: usize,
    halves: usize,
    digits: Vec<i16>,
}

impl Digits {
    /// Splits scalars into halves, and the halves into digits of so many windows, from 9 to 63.
    pub fn of_scalars(scalars: &[Scalar], windows: usize) -> Self {
        let halves = 2 * scalars.len();
        let mut digits = Self { windows, halves, digits: vec![0; halves * windows] };
        for (index, scalar) in scalars.iter().enumerate() {
            for (half, value) in split(scalar).iter().enumerate() {
                digits.write(2 * index + half, value);
            }
        }
        digits
    }

    /// Returns the bits of the largest windows.
    pub fn most_bits(&self) -> usize {
        HALF_BITS.div_ceil(self.windows)
    }

    /// Returns the bits of a window.
    pub fn bits(&self, window: usize) -> usize {
        self.place(window + 1) - self.place(window)
    }

    /// Returns the digits of a window: of the first half of the first scalar, of its second half, and so on.
    pub fn window(&self, index: usize) -> &[i16] {
        &self.digits[index * self.halves..][..self.halves]
    }

    /// Returns the place of the lowest bit of a window.
    fn place(&self, window: usize) -> usize {
        window * HALF_BITS / self.windows
    }

    fn write(&mut self, place: usize, half: &Half) {
        let mut carry = 0;
        for window in 0..self.windows {
            let bits = self.bits(window);
            let digit = bits_of(&half.words, self.place(window), bits) as i32 + carry;
            carry = (digit > 1 << (bits - 1)) as i32;
            let digit = digit - (carry << bits);
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
