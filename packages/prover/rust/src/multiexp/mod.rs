//! Sums of points times scalars, by Pippenger's method with buckets.
//!
//! Each scalar has two halves, and each half a signed digit in every window. A bucket collects the points of one digit of
//! one window. Buckets are added in pairs, with one inversion for many pairs (`group_sums.rs`).
//!
//! A running sum over the buckets would add one point after the other. Instead, the number of a bucket is divided into a
//! row and a column. The sums of rows and of columns, and then of those with a certain bit set, are sums of groups again.
//! They give one point for each bit, which a chain of doublings joins.
mod group_sums;
#[cfg(test)]
mod tests;
mod windows;

use alloc::vec;
use alloc::vec::Vec;

use crate::curve::{Affine, Coordinates, Jacobian};
use crate::scalar::digits::Digits;
use crate::scalar::Scalar;
use group_sums::GroupSums;
use windows::sums_of_bits;

/// A point whose multiples are summed, and the x-coordinate of lambda times that point.
#[derive(Clone, Copy)]
pub struct Base<F> {
    point: Affine<F>,
    turned_x: F,
}

impl<F: Coordinates> Base<F> {
    pub fn new(point: Affine<F>) -> Self {
        Self { point, turned_x: point.x.endomorphism() }
    }

    /// Returns what a half of a scalar multiplies.
    #[inline(always)]
    fn half(&self, second: bool) -> Affine<F> {
        Affine { x: if second { self.turned_x } else { self.point.x }, y: self.point.y }
    }
}

/// Points that are in work at once. More of them share an inversion, and need more memory.
const MOST_POINTS: usize = 8192;

/// Returns the sum of each base times its scalar. `bits` is the size of a window, from 3 to 13.
pub fn multiexp<F: Coordinates>(bases: &[Base<F>], scalars: &[Scalar], bits: usize) -> Jacobian<F> {
    assert!(bases.len() == scalars.len(), "each base needs a scalar");
    let digits = Digits::of_scalars(scalars, bits);
    let windows = digits.windows();
    let mut sums = vec![Affine::INFINITY; windows * bits];
    let mut work = GroupSums::new();
    // The points of windows that are summed together.
    let together = (MOST_POINTS / (2 * bases.len()).max(1)).clamp(1, windows);
    for first in (0..windows).step_by(together) {
        let last = (first + together).min(windows);
        sums_of_bits(bases, &digits, first..last, bits, &mut work, &mut sums[first * bits..last * bits]);
    }
    joined(&sums)
}

/// Returns the sum of 2^place times each point.
fn joined<F: Coordinates>(sums: &[Affine<F>]) -> Jacobian<F> {
    sums.iter().rev().fold(Jacobian::INFINITY, |sum, point| sum.double().add_affine(point))
}

/// Returns for each count the place where its group begins.
fn starts_of(counts: &[u32]) -> Vec<u32> {
    let mut next = 0;
    let mut starts = Vec::with_capacity(counts.len());
    for count in counts {
        starts.push(next);
        next += count;
    }
    starts
}
