//! Reads a compact key. The README of the package describes its format, and `src/key/compact-key.ts` writes it.
use alloc::vec::Vec;

use crate::curve::{Affine, Coordinates};
use crate::field::{Fp, Fp2, Fr};
use crate::multiexp::Base;
use crate::polynomial::{Domain, MOST_BITS};
use crate::scalar::read_scalar;

/// The first eight bytes of a compact key: its format and version.
const MAGIC: &[u8; 8] = b"bn254k01";

/// A proving key.
pub struct Key {
    /// Number of wires of a witness, with the constant 1.
    pub wires: usize,
    /// The first wire with a point in `c`: those before are the constant and the public ones.
    pub first_private: usize,
    pub domain: Domain,
    pub a_wires: Vec<u16>,
    pub b_wires: Vec<u16>,
    /// Points of the wires in `a_wires` or `b_wires`, then two more: alpha or beta, and delta.
    pub a: Vec<Base<Fp>>,
    pub b1: Vec<Base<Fp>>,
    pub b2: Vec<Base<Fp2>>,
    /// Points of the private wires, then one for each root of the domain, then delta.
    pub c: Vec<Base<Fp>>,
    pub a_rows: Rows,
    pub b_rows: Rows,
    /// The values of the coefficients, times R^2.
    pub coefficients: Vec<Fr>,
}

/// The rows of a matrix: each has some terms.
pub struct Rows {
    /// Number of terms of each row, one row for each root of the domain.
    pub lengths: Vec<u16>,
    /// Wires and coefficients of the terms, one row after another. A coefficient is a place in the list of values.
    pub wires: Vec<u16>,
    pub coefficients: Vec<u16>,
}

impl Key {
    /// Reads a key. Returns `None` if the bytes are not a key: too short or long, a number out of range, another format.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader { bytes };
        if reader.take(MAGIC.len())? != MAGIC {
            return None;
        }
        let mut numbers = [0; 8];
        for number in &mut numbers {
            *number = reader.number()?;
        }
        let [wires, public, bits, a_count, b_count, value_count, a_terms, b_terms] = numbers;
        if !(1..MOST_BITS as usize).contains(&bits) || public >= wires {
            return None;
        }
        let domain_size = 1 << bits;
        let [alpha, beta, delta] = [reader.point()?, reader.point()?, reader.point()?];
        let [beta2, delta2] = [reader.point()?, reader.point()?];
        // With such a delta, proofs would verify and not hide the witness.
        if [alpha, beta, delta].iter().any(Affine::is_infinity) || [beta2, delta2].iter().any(Affine::is_infinity) {
            return None;
        }
        let first_private = public + 1;
        let key = Self {
            wires,
            first_private,
            a: reader.points(a_count, &[alpha, delta])?,
            b1: reader.points(b_count, &[beta, delta])?,
            b2: reader.points(b_count, &[beta2, delta2])?,
            c: reader.points(wires - first_private + domain_size, &[delta])?,
            a_wires: reader.places(a_count, wires)?,
            b_wires: reader.places(b_count, wires)?,
            coefficients: reader.values(value_count)?,
            a_rows: reader.rows(domain_size, a_terms, wires, value_count)?,
            b_rows: reader.rows(domain_size, b_terms, wires, value_count)?,
            domain: Domain::new(bits as u32),
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

    fn take_items(&mut self, count: usize, size: usize) -> Option<core::slice::ChunksExact<'a, u8>> {
        Some(self.take(count.checked_mul(size)?)?.chunks_exact(size))
    }

    fn number(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?) as usize)
    }

    fn point<F: Coordinates>(&mut self) -> Option<Affine<F>> {
        Affine::read(self.take(2 * F::BYTES)?)
    }

    /// Reads points, and adds some more.
    fn points<F: Coordinates>(&mut self, count: usize, more: &[Affine<F>]) -> Option<Vec<Base<F>>> {
        let items = self.take_items(count, 2 * F::BYTES)?;
        let mut bases = Vec::with_capacity(count + more.len());
        for item in items {
            bases.push(Base::new(Affine::read(item)?));
        }
        bases.extend(more.iter().copied().map(Base::new));
        Some(bases)
    }

    fn values(&mut self, count: usize) -> Option<Vec<Fr>> {
        let items = self.take_items(count, 32)?;
        let mut values = Vec::with_capacity(count);
        for item in items {
            values.push(Fr::of_words(read_scalar(item)?));
        }
        Some(values)
    }

    /// Reads 16-bit numbers below a limit.
    fn places(&mut self, count: usize, limit: usize) -> Option<Vec<u16>> {
        let items = self.take_items(count, 2)?;
        let mut places = Vec::with_capacity(count);
        for item in items {
            let place = u16::from_le_bytes([item[0], item[1]]);
            places.push(place);
            if place as usize >= limit {
                return None;
            }
        }
        Some(places)
    }

    fn rows(&mut self, rows: usize, terms: usize, wires: usize, values: usize) -> Option<Rows> {
        let rows = Rows {
            lengths: self.places(rows, usize::MAX)?,
            wires: self.places(terms, wires)?,
            coefficients: self.places(terms, values)?,
        };
        let total: usize = rows.lengths.iter().map(|length| *length as usize).sum();
        (total == terms).then_some(rows)
    }
}
