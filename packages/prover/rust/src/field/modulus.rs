//! The two prime fields of BN254, with the constants that Montgomery's multiplication needs.

/// The number of limbs of an element, the bits of each, and a mask of these bits.
pub const LIMBS: usize = 9;
pub const BITS: u32 = 29;
pub const MASK: i64 = (1 << BITS) - 1;

/// A prime below 2^254, and the constants that follow from it. `R` is 2^261.
pub trait Modulus: Copy + Eq + 'static {
    /// The prime, in 64-bit words, the lowest first.
    const WORDS: [u64; 4];
    const LIMBS: [i32; LIMBS] = limbs_of(Self::WORDS);
    /// -1 / prime modulo 2^29.
    const NEGATED_INVERSE: u32 = negated_inverse(Self::WORDS[0]);
    /// (prime * NEGATED_INVERSE + 1) / 2^29, in limbs: `sum_of_products` explains it.
    const MULTIPLE: [i64; LIMBS] = multiple(Self::LIMBS, Self::NEGATED_INVERSE);
    /// R modulo the prime, which is the number 1 in Montgomery's form.
    const ONE: [i32; LIMBS] = limbs_of(shifted(Self::WORDS, [1, 0, 0, 0], 261));
    /// R^2 modulo the prime.
    const R_SQUARED: [i32; LIMBS] = limbs_of(shifted(Self::WORDS, [1, 0, 0, 0], 522));
}

/// The field of the curve's coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coordinate;
impl Modulus for Coordinate {
    const WORDS: [u64; 4] =
        [0x3c20_8c16_d87c_fd47, 0x9781_6a91_6871_ca8d, 0xb850_45b6_8181_585d, 0x3064_4e72_e131_a029];
}

/// The field of the scalars: the integers modulo the order of the groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order;
impl Modulus for Order {
    const WORDS: [u64; 4] =
        [0x43e1_f593_f000_0001, 0x2833_e848_79b9_7091, 0xb850_45b6_8181_585d, 0x3064_4e72_e131_a029];
}

/// Splits 256 bits into limbs of 29 bits.
pub const fn limbs_of(words: [u64; 4]) -> [i32; LIMBS] {
    let mut limbs = [0; LIMBS];
    let mut index = 0;
    while index < LIMBS {
        let bit = index * BITS as usize;
        let mut limb = words[bit / 64] >> (bit % 64);
        if !bit.is_multiple_of(64) && bit / 64 < 3 {
            limb |= words[bit / 64 + 1] << (64 - bit % 64);
        }
        limbs[index] = (limb & MASK as u64) as i32;
        index += 1;
    }
    limbs
}

/// Returns -1 / low modulo 2^29, for an odd number, by Newton's iteration.
const fn negated_inverse(low: u64) -> u32 {
    let low = low as u32;
    let mut inverse = 1u32;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(low.wrapping_mul(inverse)));
        step += 1;
    }
    inverse.wrapping_neg() & MASK as u32
}

/// Returns (prime * factor + 1) / 2^29, which must be a whole number.
const fn multiple(prime: [i32; LIMBS], factor: u32) -> [i64; LIMBS] {
    let mut limbs = [0; LIMBS];
    let mut carry = 1;
    let mut index = 0;
    while index < LIMBS {
        carry += prime[index] as i64 * factor as i64;
        if index > 0 {
            limbs[index - 1] = carry & MASK;
        }
        carry >>= BITS;
        index += 1;
    }
    limbs[LIMBS - 1] = carry;
    limbs
}

/// Returns value * 2^exponent modulo a prime below 2^254.
pub const fn shifted(prime: [u64; 4], mut value: [u64; 4], exponent: usize) -> [u64; 4] {
    let mut step = 0;
    while step < exponent {
        let mut doubled = [0; 4];
        let mut index = 0;
        let mut carry = 0;
        while index < 4 {
            doubled[index] = value[index] << 1 | carry;
            carry = value[index] >> 63;
            index += 1;
        }
        let (difference, borrow) = subtract(doubled, prime);
        value = if borrow { doubled } else { difference };
        step += 1;
    }
    value
}

/// Returns the difference modulo 2^256, and whether it is negative.
pub const fn subtract(left: [u64; 4], right: [u64; 4]) -> ([u64; 4], bool) {
    let mut difference = [0; 4];
    let mut borrow = false;
    let mut index = 0;
    while index < 4 {
        let (part, below) = left[index].overflowing_sub(right[index]);
        let (part, below_again) = part.overflowing_sub(borrow as u64);
        difference[index] = part;
        borrow = below || below_again;
        index += 1;
    }
    (difference, borrow)
}
