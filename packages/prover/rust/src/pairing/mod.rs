//! Products of optimal ate pairings on BN254.
mod line;
#[cfg(test)]
mod tests;
pub mod twist;

use crate::curve::Affine;
use crate::field::tower::Fp12;
use crate::field::{Fp, Fp2};
use line::Multiple;

/// The number x from which the prime, the order and the pairing's loop follow.
const X: u64 = 0x44e9_92b4_4a69_09f1;
/// The length of the loop.
const LOOP: u128 = 6 * X as u128 + 2;

/// A point of G1 and one of G2, both finite and in their group.
pub type Pair = (Affine<Fp>, Affine<Fp2>);

/// Returns whether the product of the pairings is 1.
pub fn is_product_one<const N: usize>(pairs: &[Pair; N]) -> bool {
    final_power(&miller_loops(pairs)).is_one()
}

/// Returns the product of the Miller loops. They share their squarings.
fn miller_loops<const N: usize>(pairs: &[Pair; N]) -> Fp12 {
    let mut multiples = pairs.map(|(_, q)| Multiple::of(&q));
    let mut product = Fp12::ONE;
    let add = |product: &mut Fp12, multiples: &mut [Multiple; N], addend: fn(&Affine<Fp2>) -> Affine<Fp2>| {
        for ((p, q), multiple) in pairs.iter().zip(multiples) {
            *product = product.mul_by_line(&multiple.add(&addend(q)).at(p));
        }
    };
    // The highest digit of 6x + 2 in signed digits is 1 at place 65.
    for place in (0..65).rev() {
        product = product.square();
        for ((p, _), multiple) in pairs.iter().zip(&mut multiples) {
            product = product.mul_by_line(&multiple.double().at(p));
        }
        match signed_digit(LOOP, place) {
            1 => add(&mut product, &mut multiples, |q| *q),
            -1 => add(&mut product, &mut multiples, Affine::negate),
            _ => {}
        }
    }
    add(&mut product, &mut multiples, twist::frobenius);
    add(&mut product, &mut multiples, |q| twist::frobenius(&twist::frobenius(q)).negate());
    product
}

/// Returns a digit of a number in signed digits (-1, 0 and 1). Of two neighbours, at least one is 0.
fn signed_digit(number: u128, place: usize) -> i32 {
    let bit = |value: u128| (value >> (place + 1) & 1) as i32;
    bit(3 * number) - bit(number)
}

/// Returns the value to the power of (p^12 - 1) / order.
fn final_power(value: &Fp12) -> Fp12 {
    // To the power of (p^6 - 1) (p^2 + 1). Then the conjugate is the inverse.
    let value = value.conjugate().mul(&value.invert());
    let value = value.frobenius().frobenius().mul(&value);
    // To the power of (p^4 - p^2 + 1) / order, by the addition chain of Scott and others ("On the final exponentiation
    // for calculating pairings on ordinary elliptic curves").
    let x1 = power_of_x(&value);
    let x2 = power_of_x(&x1);
    let x3 = power_of_x(&x2);
    let p1 = value.frobenius();
    let p2 = p1.frobenius();
    let x2_p1 = x2.frobenius();
    let y0 = p1.mul(&p2).mul(&p2.frobenius());
    let y1 = value.conjugate();
    let y2 = x2_p1.frobenius();
    let y3 = x1.frobenius().conjugate();
    let y4 = x1.mul(&x2_p1).conjugate();
    let y5 = x2.conjugate();
    let y6 = x3.mul(&x3.frobenius()).conjugate();
    let t0 = y6.square().mul(&y4).mul(&y5);
    let t1 = y3.mul(&y5).mul(&t0);
    let t0 = t0.mul(&y2);
    let t1 = t1.square().mul(&t0).square();
    let t0 = t1.mul(&y1).square();
    t0.mul(&t1.mul(&y0))
}

/// Returns the value to the power of x. The conjugate of the value must be its inverse.
fn power_of_x(value: &Fp12) -> Fp12 {
    let inverse = value.conjugate();
    (0..=64).rev().fold(Fp12::ONE, |power, place| {
        let power = power.square();
        match signed_digit(X as u128, place) {
            1 => power.mul(value),
            -1 => power.mul(&inverse),
            _ => power,
        }
    })
}
