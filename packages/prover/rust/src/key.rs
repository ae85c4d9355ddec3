//! Reads a compact key. The README of the package describes its format, and `packages/circuit/src/key/compact-key.ts` writes it.
use alloc::vec::Vec;

use crate::curve::{Affine, Coordinates};
use crate::field::{Fp, Fp2};
use crate::multiexp::Base;
use crate::polynomial::{Domain, MOST_BITS};

/// The first eight bytes of a compact key: its format and version.
const MAGIC: &[u8; 8] = b"bn254k02";

/// The bits of a wire's byte: whether the wire has a point of A, and points of B.
const IN_A: u8 = 1;
const IN_B: u8 = 2;

/// A proving key.
pub struct Key {
    /// Number of wires of a witness, with the constant 1.
    pub wires: usize,
    /// The first wire with a point in `c`: those before are the constant and the public ones.
    pub first_private: usize,
    /// Number of rows of the matrices A and B. The other rows of the domain are zero.
    pub rows: usize,
    pub domain: Domain,
    pub a_wires: Vec<usize>,
    pub b_wires: Vec<usize>,
    /// In G1.
    pub beta: Affine<Fp>,
    /// Points of the wires in `a_wires` or `b_wires`, then two more: alpha or beta, and delta.
    pub a: Vec<Base<Fp>>,
    pub b: Vec<Base<Fp2>>,
    /// Points of the private wires, then one for each root of the domain, then those of `b_wires` in G1.
    pub c: Vec<Base<Fp>>,
}

impl Key {
    /// Returns the points of `b_wires` in G1.
    pub fn b_in_g1(&self) -> &[Base<Fp>] {
        &self.c[self.c.len() - self.b_wires.len()..]
    }

    /// Reads a key. Returns `None` if the bytes are not a key: too short or long, a number out of range, another format.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader { bytes };
        if reader.take(MAGIC.len())? != MAGIC {
            return None;
        }
        let [wires, public, rows, bits] = [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
        if !(1..MOST_BITS as usize).contains(&bits) || rows > 1 << bits || public >= wires {
            return None;
        }
        let domain_size = 1 << bits;
        let [alpha, beta, delta] = [reader.point()?, reader.point()?, reader.point()?];
        let [beta2, delta2] = [reader.point()?, reader.point()?];
        // With such a delta, proofs would verify and not hide the witness.
        if [alpha, beta, delta].iter().any(Affine::is_infinity) || [beta2, delta2].iter().any(Affine::is_infinity) {
            return None;
        }
        let uses = reader.take(wires)?;
        if uses.iter().any(|used| used & !(IN_A | IN_B) != 0) {
            return None;
        }
        let [a_wires, b_wires] = [IN_A, IN_B].map(|matrix| {
            let mut used = Vec::with_capacity(wires);
            used.extend((0..wires).filter(|wire| uses[*wire] & matrix != 0));
            used
        });
        let first_private = public + 1;
        let a = bases(&[reader.take_points::<Fp>(a_wires.len())?], &[alpha, delta])?;
        let b_in_g1 = reader.take_points::<Fp>(b_wires.len())?;
        let b = bases(&[reader.take_points::<Fp2>(b_wires.len())?], &[beta2, delta2])?;
        let c_and_h = reader.take_points::<Fp>(wires - first_private + domain_size)?;
        let key = Self {
            wires,
            first_private,
            rows,
            domain: Domain::new(bits as u32),
            beta,
            a,
            b,
            c: bases(&[c_and_h, b_in_g1], &[])?,
            a_wires,
            b_wires,
        };
        reader.bytes.is_empty().then_some(key)
    }
}

/// The bytes that were not read yet.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(size)?;
        self.bytes = rest;
        Some(taken)
    }

    fn take_points<F: Coordinates>(&mut self, count: usize) -> Option<&'a [u8]> {
        self.take(count.checked_mul(2 * F::BYTES)?)
    }

    fn number(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?) as usize)
    }

    fn point<F: Coordinates>(&mut self) -> Option<Affine<F>> {
        Affine::read(self.take(2 * F::BYTES)?)
    }
}

/// Reads points, and adds some more.
fn bases<F: Coordinates>(parts: &[&[u8]], more: &[Affine<F>]) -> Option<Vec<Base<F>>> {
    let items = || parts.iter().flat_map(|part| part.chunks_exact(2 * F::BYTES));
    let mut bases = Vec::with_capacity(items().count() + more.len());
    for item in items() {
        bases.push(Base::new(Affine::read(item)?));
    }
    bases.extend(more.iter().copied().map(Base::new));
    Some(bases)
}
