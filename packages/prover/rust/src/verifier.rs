//! Verifies proofs. It shares the fields and the curves with the prover, but neither its sums nor its key.
use crate::curve::{Affine, Jacobian};
use crate::field::modulus::{subtract, Modulus};
use crate::field::{Coordinate, Field, Fp, Fp2};
use crate::pairing::{is_product_one, twist};
use crate::scalar::{read_scalar, read_words, SCALAR_BYTES};

/// Numbers of the input: 2 of each of 5 points of G1, 4 of each of 4 points of G2, and the public signal.
const NUMBERS: usize = 5 * 2 + 4 * 4 + 1;

/// Returns whether a proof verifies: e(-A, B) e(alpha, beta) e(signal, gamma) e(C, delta) = 1.
///
/// The input has the form that the chain verifies: a verifying key (alpha, beta, gamma, delta, and two points for the
/// signal), the public signal, and a proof (-A, B, C). A number is 32 bytes, big-endian. A point is x, then y; in G2 the
/// imaginary part of a coordinate is first. Returns `None` if the input has another length, a number is not reduced, or a
/// point is infinite, not on its curve, or not in its group.
pub fn verify(input: &[u8]) -> Option<bool> {
    if input.len() != NUMBERS * SCALAR_BYTES {
        return None;
    }
    let mut input = Input(input);
    let alpha = input.point_of_g1()?;
    let beta = input.point_of_g2()?;
    let gamma = input.point_of_g2()?;
    let delta = input.point_of_g2()?;
    let [constant, factor] = [input.point_of_g1()?, input.point_of_g1()?];
    let signal = read_scalar(&input.little_endian()?)?;
    let (minus_a, b, c) = (input.point_of_g1()?, input.point_of_g2()?, input.point_of_g1()?);
    let signal = Jacobian::multiple_of(&factor, &signal).add_affine(&constant).to_affine();
    // A pairing with infinity is 1, but the formulas are for finite points, so a signal that leads to infinity is rejected.
    Some(!signal.is_infinity() && is_product_one(&[(minus_a, b), (alpha, beta), (signal, gamma), (c, delta)]))
}

/// The rest of the input.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    /// Reads the 32 bytes of a number in reverse.
    fn little_endian(&mut self) -> Option<[u8; SCALAR_BYTES]> {
        let (number, rest) = self.0.split_first_chunk::<SCALAR_BYTES>()?;
        self.0 = rest;
        let mut bytes = *number;
        bytes.reverse();
        Some(bytes)
    }

    fn coordinate(&mut self) -> Option<Fp> {
        let words = read_words(&self.little_endian()?)?;
        let (_, below) = subtract(words, Coordinate::WORDS);
        below.then(|| Fp::of_number(words))
    }

    fn coordinate_of_g2(&mut self) -> Option<Fp2> {
        let imaginary = self.coordinate()?;
        Some(Fp2 { imaginary, real: self.coordinate()? })
    }

    /// Reads a point of G1. Its curve, y^2 = x^3 + 3, has no other subgroup, and (0, 0) is not on it.
    fn point_of_g1(&mut self) -> Option<Affine<Fp>> {
        let [x, y] = [self.coordinate()?, self.coordinate()?];
        let three = Fp::constant([3, 0, 0, 0]);
        let is_on_curve = y.square().sub(&x.square().mul(&x)).sub(&three).is_zero();
        is_on_curve.then_some(Affine { x, y })
    }

    fn point_of_g2(&mut self) -> Option<Affine<Fp2>> {
        let [x, y] = [self.coordinate_of_g2()?, self.coordinate_of_g2()?];
        let point = Affine { x, y };
        twist::is_in_group(&point).then_some(point)
    }
}
