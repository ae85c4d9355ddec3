//! Splits a scalar k into halves with `k = first + second * lambda`, so that multi-exponentiations need half the doublings
//! (the method of Gallant, Lambert and Vanstone).
//!
//! Lambda is a cube root of 1 modulo the order. `(A, -B1)` and `(B2, A)` are short vectors of the lattice of all (x, y)
//! with x + y lambda = 0. Here `A` = 0x89d3256894d213e3, `B1` = 0x6f4d8248eeb859fc8211bbeb7d4f1128 and `B2` = B1 + A.
use super::Scalar;

/// Half a scalar: its sign, and its absolute value below 2^126, in 32-bit words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Half {
    pub negative: bool,
    pub words: [u32; 4],
}

/// Words that hold a half with its sign.
const SIGNED_WORDS: usize = 5;

const A: [u32; 2] = [0x94d2_13e3, 0x89d3_2568];
const B1: [u32; 4] = [0x7d4f_1128, 0x8211_bbeb, 0xeeb8_59fc, 0x6f4d_8248];
const B2: [u32; 4] = [0x1221_250b, 0x0be4_e154, 0xeeb8_59fd, 0x6f4d_8248];
/// 2^288 A / order and 2^288 B1 / order, rounded. A share of the largest scalar is then wrong by less than 1/2 + 2^-34.
const A_RATIO: [u32; 4] = [0x6eb9_c714, 0xc7e0_b3d7, 0xd91d_232e, 0x0000_0002];
const B1_RATIO: [u32; 6] = [0xa5e3_8cfb, 0x391e_b18d, 0x7a7b_d9d4, 0xa773_d2cf, 0x4cce_f014, 0x0000_0002];

/// Returns both halves of a scalar, so that `first + second * lambda = scalar` modulo the order. Each is at most half of
/// `A + B2`, up to the rounding of the ratios. That is 0.87 2^126.
pub fn split(scalar: &Scalar) -> [Half; 2] {
    let mut words = [0; 8];
    for (index, word) in scalar.iter().enumerate() {
        words[2 * index] = *word as u32;
        words[2 * index + 1] = (*word >> 32) as u32;
    }
    // The nearest vector of the lattice, in units of its basis.
    let first: [u32; SIGNED_WORDS] = rounded_share(&words, &A_RATIO);
    let second: [u32; SIGNED_WORDS] = rounded_share(&words, &B1_RATIO);
    let mut left = [words[0], words[1], words[2], words[3], words[4]];
    accumulate(&mut left, &first, &A, true);
    accumulate(&mut left, &second, &B2, true);
    let mut right = [0; SIGNED_WORDS];
    accumulate(&mut right, &first, &B1, false);
    accumulate(&mut right, &second, &A, true);
    [absolute(left), absolute(right)]
}

/// Returns scalar * ratio / 2^288, rounded.
fn rounded_share(scalar: &[u32; 8], ratio: &[u32]) -> [u32; SIGNED_WORDS] {
    let mut product = [0u32; 14];
    for (row, &left) in scalar.iter().enumerate() {
        let mut carry = 0u64;
        for (place, &right) in ratio.iter().enumerate() {
            carry += left as u64 * right as u64 + product[row + place] as u64;
            product[row + place] = carry as u32;
            carry >>= 32;
        }
        product[row + ratio.len()] = carry as u32;
    }
    let mut share = [0; SIGNED_WORDS];
    let mut carry = (product[8] >> 31) as u64;
    for (word, part) in share.iter_mut().zip(&product[9..]) {
        carry += *part as u64;
        *word = carry as u32;
        carry >>= 32;
    }
    share
}

/// Adds left * right to a number modulo 2^160, or subtracts it.
fn accumulate(number: &mut [u32; SIGNED_WORDS], left: &[u32; SIGNED_WORDS], right: &[u32], subtracts: bool) {
    let mut product = [0u32; SIGNED_WORDS];
    for (row, &factor) in right.iter().enumerate() {
        let mut carry = 0u64;
        for place in 0..SIGNED_WORDS - row {
            carry += factor as u64 * left[place] as u64 + product[row + place] as u64;
            product[row + place] = carry as u32;
            carry >>= 32;
        }
    }
    let inverted = if subtracts { u32::MAX } else { 0 };
    let mut carry = subtracts as u64;
    for (word, part) in number.iter_mut().zip(product) {
        carry += *word as u64 + (part ^ inverted) as u64;
        *word = carry as u32;
        carry >>= 32;
    }
}

/// Returns sign and absolute value of a number in two's complement.
fn absolute(number: [u32; SIGNED_WORDS]) -> Half {
    let negative = number[SIGNED_WORDS - 1] >> 31 == 1;
    let mut words = [number[0], number[1], number[2], number[3]];
    if negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(carry as u32);
        }
    }
    Half { negative, words }
}
