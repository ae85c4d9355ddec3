//! Sums of points times scalars, by Pippenger's method with buckets.
//!
//! Each scalar has two halves, and each half a signed digit in every window. A bucket collects the points of one digit of
//! one window. Buckets are added in pairs, with one inversion for many pairs (`group_sums.rs`).
//!
//! A running sum over the buckets would add one point after the other. Instead, the number of a bucket is divided into a
//! row and a column. The sums of rows and of columns, and then of those with a certain bit set, are sums of groups again.
//! They give one point for each bit, which a chain of doublings joins.
mod group_sums;
mod groups;
mod lines;
#[cfg(test)]
mod tests;

use crate::curve::{Affine, Coordinates, Jacobian};
use crate::scalar::digits::Digits;
use crate::scalar::Scalar;
use group_sums::GroupSums;
use groups::Groups;
use lines::Lines;

/// A point whose multiples are summed, with the coordinates that its additions need. Lambda times the point is `(turned_x, y)`.
#[derive(Clone, Copy)]
pub struct Base<F> {
    x: F,
    turned_x: F,
    y: F,
    minus_y: F,
}

impl<F: Coordinates> Base<F> {
    pub fn new(point: Affine<F>) -> Self {
        let Affine { x, y } = point;
        Self { x, turned_x: x.endomorphism(), y, minus_y: point.negate().y }
    }

    /// Returns the point itself.
    pub fn point(&self) -> Affine<F> {
        self.half(false, false)
    }

    /// Returns the point that the first or the second half of a scalar multiplies, or its opposite.
    #[inline(always)]
    fn half(&self, is_second: bool, is_negative: bool) -> Affine<F> {
        Affine { x: if is_second { self.turned_x } else { self.x }, y: if is_negative { self.minus_y } else { self.y } }
    }
}

/// The memory of points that are added at once. More points share more inversions.
const MOST_BYTES: usize = 5 << 18;

/// Returns the sum of each base times its scalar, by so many windows, from 9 to 63.
pub fn multiexp<F: Coordinates>(bases: &[Base<F>], scalars: &[Scalar], windows: usize) -> Jacobian<F> {
    assert!(bases.len() == scalars.len(), "each base needs a scalar");
    let digits = Digits::of_scalars(scalars, windows);
    let lines = Lines::new(digits.most_bits());
    let mut work = GroupSums::new();
    let most_sums = (0..windows).map(|window| 1 << (digits.bits(window) - 1)).sum();
    let mut sums = Groups::with_capacity(windows * lines.buckets(), most_sums);
    // The points of windows that are summed together.
    let bytes_of_window = 2 * bases.len() * size_of::<Affine<F>>();
    let together = (MOST_BYTES / bytes_of_window.max(1)).clamp(1, windows);
    for first in (0..windows).step_by(together) {
        let last = (first + together).min(windows);
        let mut buckets = lines.collect_buckets(bases, &digits, first..last);
        work.sum(&mut buckets);
        sums.append(&buckets);
    }
    let mut sums_of_lines = lines.collect_lines(&sums);
    work.sum(&mut sums_of_lines);
    let mut sums_of_bits = lines.collect_bits(&sums_of_lines, &digits);
    work.sum(&mut sums_of_bits);
    joined(&sums_of_bits)
}

/// Returns the sum of 2^place times the point of each group that has one.
fn joined<F: Coordinates>(sums: &Groups<F>) -> Jacobian<F> {
    let mut points = sums.points.iter().rev();
    sums.counts.iter().rev().fold(Jacobian::INFINITY, |sum, count| {
        let doubled = sum.double();
        match count {
            0 => doubled,
            _ => points.next().map_or(doubled, |point| doubled.add_affine(point)),
        }
    })
}
