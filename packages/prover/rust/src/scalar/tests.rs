use super::digits::Digits;
use super::split::{split, Half};
use super::{read_scalar, Scalar};
use crate::field::modulus::{subtract, Modulus};
use crate::field::{Field, Fr, Order};
use crate::testing::Random;

/// The cube root of 1 by which the endomorphism multiplies.
pub const LAMBDA: Scalar = [0x8b17_ea66_b99c_90dd, 0x5bfc_4108_8d8d_aaa7, 0xb3c4_d79d_41a9_1758, 0];

/// Scalars at the edges of the order, of all lengths, and random ones.
pub fn scalars() -> Vec<Scalar> {
    let below = |distance| subtract(Order::WORDS, [distance, 0, 0, 0]).0;
    let mut scalars = vec![[0; 4], [1, 0, 0, 0], [2, 0, 0, 0], below(1), below(2), LAMBDA];
    // The nearest vectors of the lattice are farthest from half the order.
    let half = [0xa1f0_fac9_f800_0000, 0x9419_f424_3cdc_b848, 0xdc28_22db_40c0_ac2e, 0x1832_2739_7098_d014];
    scalars.extend([half, [half[0] + 1, half[1], half[2], half[3]]]);
    for bits in 1..254 {
        let mut mask = [0; 4];
        for bit in 0..bits {
            mask[bit / 64] |= 1 << (bit % 64);
        }
        scalars.push(mask);
    }
    let mut random = Random::new(4);
    scalars.extend((0..300).map(|_| random.number::<Order>()));
    scalars
}

fn signed(negative: bool, magnitude: Scalar) -> Fr {
    let number = Fr::of_number(magnitude);
    if negative {
        number.negate()
    } else {
        number
    }
}

fn value_of(half: &Half) -> Fr {
    let words = half.words.map(u64::from);
    signed(half.negative, [words[0] | words[1] << 32, words[2] | words[3] << 32, 0, 0])
}

#[test]
fn lambda_is_a_cube_root_of_one() {
    let lambda = Fr::of_number(LAMBDA);
    assert!(lambda.square().add(&lambda).add(&Fr::ONE).is_zero());
}

#[test]
fn halves_are_short_and_make_the_scalar() {
    let lambda = Fr::of_number(LAMBDA);
    for scalar in scalars() {
        let [first, second] = split(&scalar);
        assert!(first.words[3] >> 30 == 0 && second.words[3] >> 30 == 0, "{scalar:x?}");
        let sum = value_of(&first).add(&value_of(&second).mul(&lambda));
        assert_eq!(sum.to_number(), scalar);
    }
}

#[test]
fn small_scalars_stay_in_the_first_half() {
    for scalar in [[0; 4], [1, 0, 0, 0], [u64::MAX, 0, 0, 0]] {
        let [first, second] = split(&scalar);
        assert!(!first.negative && second.words == [0; 4]);
        assert_eq!(value_of(&first).to_number(), scalar);
    }
}

#[test]
fn digits_make_the_halves() {
    let scalars = scalars();
    for windows in 9..=63 {
        let digits = Digits::of_scalars(&scalars, windows);
        assert_eq!((0..windows).map(|window| digits.bits(window)).sum::<usize>(), 127);
        for (index, scalar) in scalars.iter().enumerate() {
            for (place, half) in split(scalar).iter().enumerate() {
                let value = (0..windows).rev().fold(Fr::ZERO, |value, window| {
                    let digit = digits.window(window)[2 * index + place];
                    let bits = digits.bits(window);
                    assert!(bits <= digits.most_bits() && digit.unsigned_abs() <= 1 << (bits - 1));
                    let base = Fr::of_number([1 << bits, 0, 0, 0]);
                    value.mul(&base).add(&signed(digit < 0, [digit.unsigned_abs() as u64, 0, 0, 0]))
                });
                assert_eq!(value.to_number(), value_of(half).to_number());
            }
        }
    }
}

#[test]
fn only_scalars_below_the_order_are_read() {
    let bytes = |words: Scalar| words.map(u64::to_le_bytes).concat();
    let last = subtract(Order::WORDS, [1, 0, 0, 0]).0;
    assert_eq!(read_scalar(&bytes(last)), Some(last));
    assert_eq!(read_scalar(&bytes(Order::WORDS)), None);
    assert_eq!(read_scalar(&[0xff; 32]), None);
    assert_eq!(read_scalar(&[0; 31]), None);
}
