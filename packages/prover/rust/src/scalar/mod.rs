//! Scalars as numbers, and the digits of them that multi-exponentiations use.
pub mod digits;
pub mod split;
#[cfg(test)]
pub mod tests;

use crate::field::modulus::{subtract, Modulus};
use crate::field::Order;

/// A number below the order of the groups, in 64-bit words, the lowest first.
pub type Scalar = [u64; 4];

/// Size of a scalar in bytes.
pub const SCALAR_BYTES: usize = 32;

/// Reads a scalar, little-endian. Returns `None` if it is not below the order.
pub fn read_scalar(bytes: &[u8]) -> Option<Scalar> {
    let words = read_words(bytes)?;
    let (_, below) = subtract(words, Order::WORDS);
    below.then_some(words)
}

/// Reads 256 bits, little-endian.
pub fn read_words(bytes: &[u8]) -> Option<[u64; 4]> {
    let mut words = [0; 4];
    if bytes.len() != SCALAR_BYTES {
        return None;
    }
    for (word, part) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(part.try_into().ok()?);
    }
    Some(words)
}

/// Writes 256 bits, little-endian.
pub fn write_words(words: [u64; 4], bytes: &mut [u8]) {
    for (part, word) in bytes.chunks_exact_mut(8).zip(words) {
        part.copy_from_slice(&word.to_le_bytes());
    }
}
