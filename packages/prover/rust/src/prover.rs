//! Makes a proof in steps, so that a caller can report progress and stop between them.
//!
//! With the points of the key, witness w and random numbers r and s, a proof is
//!   A = alpha + sum of w a + r delta
//!   B = beta + sum of w b + s delta, in G2
//!   C = sum of w c + sum of h points + s A + r (beta + sum of w b), in G1
//! where h are values of the quotient: (A(x) B(x) - C(x)) at the other roots of the doubled domain. The caller computes
//! the rows of A and B, which are the values of A(x) and B(x) at the roots of the domain. Those of C are their products.
use alloc::vec::Vec;
use core::mem::take;

use crate::curve::{Affine, Coordinates, Jacobian};
use crate::field::{Field, Fp, Fp2, Fr};
use crate::key::Key;
use crate::multiexp::{multiexp, Base};
use crate::scalar::{read_scalar, Scalar, SCALAR_BYTES};

/// Size of a proof: A, B and C, each x then y, B's coordinates with the real part first, little-endian.
pub const PROOF_BYTES: usize = 256;

/// Windows of each sum, by measurement with about 1,000 and 4,000 scalars that are not small.
const WINDOWS_OF_WIRES: usize = 14;
const WINDOWS_OF_C: usize = 13;
/// The same for the two points of the last sum.
const WINDOWS_OF_TWO: usize = 43;

const ONE: Scalar = [1, 0, 0, 0];

/// A step of a proof. They follow each other in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Quotient,
    A,
    B,
    C,
    Finish,
    Done,
}

/// A proof that is being made.
pub struct Proving {
    step: Step,
    witness: Vec<Scalar>,
    /// The values of the rows of A and B, one for each root of the domain. The first step takes them.
    a_rows: Vec<Fr>,
    b_rows: Vec<Fr>,
    r: Scalar,
    s: Scalar,
    /// Values of the quotient, which the first step computes.
    quotient: Vec<Scalar>,
    a: Affine<Fp>,
    b: Affine<Fp2>,
    c: Jacobian<Fp>,
    proof: [u8; PROOF_BYTES],
}

impl Proving {
    /// Begins a proof. The input is the witness, the rows of A, those of B, r and s, each number in 32 bytes,
    /// little-endian. Returns `None` if the input has another length, or a number is not below the order.
    pub fn begin(key: &Key, input: &[u8]) -> Option<Self> {
        if input.len() != (key.wires + 2 * key.rows + 2) * SCALAR_BYTES {
            return None;
        }
        let mut scalars = input.chunks_exact(SCALAR_BYTES).map(read_scalar);
        let mut witness = Vec::with_capacity(key.wires);
        for scalar in scalars.by_ref().take(key.wires) {
            witness.push(scalar?);
        }
        let a_rows = read_rows(scalars.by_ref().take(key.rows), key)?;
        let b_rows = read_rows(scalars.by_ref().take(key.rows), key)?;
        let [r, s] = [scalars.next()??, scalars.next()??];
        Some(Self {
            step: Step::Quotient,
            witness,
            a_rows,
            b_rows,
            r,
            s,
            quotient: Vec::with_capacity(key.domain.size()),
            a: Affine::INFINITY,
            b: Affine::INFINITY,
            c: Jacobian::INFINITY,
            proof: [0; PROOF_BYTES],
        })
    }

    /// Runs the next step. Returns the step that follows; `None` if a point of the proof is infinity, which random r and
    /// s make impossible in practice.
    pub fn advance(&mut self, key: &Key) -> Option<Step> {
        self.step = match self.step {
            Step::Quotient => {
                self.quotient(key);
                Step::A
            }
            Step::A => {
                self.a = self.sum_of_wires(&key.a, &key.a_wires, self.r);
                Step::B
            }
            Step::B => {
                self.b = self.sum_of_wires(&key.b, &key.b_wires, self.s);
                Step::C
            }
            Step::C => {
                self.c = self.sum_of_c(key);
                Step::Finish
            }
            Step::Finish | Step::Done => {
                self.finish(key)?;
                Step::Done
            }
        };
        Some(self.step)
    }

    /// Returns the proof after the last step.
    pub fn proof(&self) -> &[u8; PROOF_BYTES] {
        &self.proof
    }

    fn quotient(&mut self, key: &Key) {
        let [mut a, mut b] = [take(&mut self.a_rows), take(&mut self.b_rows)];
        let mut c = Vec::with_capacity(a.len());
        c.extend(a.iter().zip(&b).map(|(a, b)| a.mul(b)));
        for values in [&mut a, &mut b, &mut c] {
            key.domain.shift(values);
        }
        self.quotient.extend(a.iter().zip(&b).zip(&c).map(|((a, b), c)| a.mul_sub(b, c).to_number()));
    }

    /// Returns the sum of the points of wires, of one more point, and of delta times a random number.
    fn sum_of_wires<F: Coordinates>(&self, bases: &[Base<F>], wires: &[usize], random: Scalar) -> Affine<F> {
        let mut scalars = Vec::with_capacity(bases.len());
        scalars.extend(wires.iter().map(|wire| self.witness[*wire]));
        scalars.extend([ONE, random]);
        multiexp(bases, &scalars, WINDOWS_OF_WIRES).to_affine()
    }

    /// Returns C without the points of `finish`: s A, and r times the points of B of the wires that are 1.
    fn sum_of_c(&self, key: &Key) -> Jacobian<Fp> {
        let r = Fr::of_number(self.r);
        let times_r = |wire: Scalar| if wire == ONE { [0; 4] } else { r.mul(&Fr::of_number(wire)).to_number() };
        let mut scalars = Vec::with_capacity(key.c.len());
        scalars.extend_from_slice(&self.witness[key.first_private..]);
        scalars.extend_from_slice(&self.quotient);
        scalars.extend(key.b_wires.iter().map(|wire| times_r(self.witness[*wire])));
        multiexp(&key.c, &scalars, WINDOWS_OF_C)
    }

    fn finish(&mut self, key: &Key) -> Option<()> {
        let ones = key.b_wires.iter().zip(key.b_in_g1()).filter(|(wire, _)| self.witness[**wire] == ONE);
        let ones = ones.fold(Jacobian::of_affine(&key.beta), |sum, (_, base)| sum.add_affine(&base.point()));
        let bases = [Base::new(self.a), Base::new(ones.to_affine())];
        let both = multiexp(&bases, &[self.s, self.r], WINDOWS_OF_TWO).to_affine();
        let c = self.c.add_affine(&both).to_affine();
        if self.a.is_infinity() || self.b.is_infinity() || c.is_infinity() {
            return None;
        }
        let (a_bytes, rest) = self.proof.split_at_mut(64);
        let (b_bytes, c_bytes) = rest.split_at_mut(128);
        self.a.write(a_bytes);
        self.b.write(b_bytes);
        c.write(c_bytes);
        Some(())
    }
}

/// Returns the values of rows, one for each root of the domain. `None` if a number is not below the order.
fn read_rows(numbers: impl Iterator<Item = Option<Scalar>>, key: &Key) -> Option<Vec<Fr>> {
    let mut rows = Vec::with_capacity(key.domain.size());
    for number in numbers {
        rows.push(Fr::of_number(number?));
    }
    rows.resize(key.domain.size(), Fr::ZERO);
    Some(rows)
}
