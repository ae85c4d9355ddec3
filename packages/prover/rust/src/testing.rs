//! Random numbers and slow references for the tests.
use crate::field::modulus::{subtract, Modulus};

/// A generator of numbers that are the same in each run: xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below the prime.
    pub fn number<M: Modulus>(&mut self) -> [u64; 4] {
        loop {
            let words = [self.word(), self.word(), self.word(), self.word() >> 2];
            if subtract(words, M::WORDS).1 {
                return words;
            }
        }
    }
}

/// Returns the product of two numbers below the prime, bit by bit.
pub fn multiply_modulo<M: Modulus>(left: [u64; 4], right: [u64; 4]) -> [u64; 4] {
    (0..256).rev().fold([0; 4], |product, bit| {
        let doubled = add_modulo::<M>(product, product);
        if right[bit / 64] >> (bit % 64) & 1 == 1 {
            add_modulo::<M>(doubled, left)
        } else {
            doubled
        }
    })
}

/// Returns the sum of two numbers below the prime.
pub fn add_modulo<M: Modulus>(left: [u64; 4], right: [u64; 4]) -> [u64; 4] {
    let mut sum = [0; 4];
    let mut carry = 0u128;
    for (index, word) in sum.iter_mut().enumerate() {
        carry += left[index] as u128 + right[index] as u128;
        *word = carry as u64;
        carry >>= 64;
    }
    let (difference, below) = subtract(sum, M::WORDS);
    if below {
        sum
    } else {
        difference
    }
}
