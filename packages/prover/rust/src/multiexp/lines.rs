//! The buckets of a window, the rows and columns in which they are arranged, and their bits.
use alloc::vec;
use core::ops::Range;

use super::groups::Groups;
use super::Base;
use crate::curve::{Affine, Coordinates};
use crate::scalar::digits::Digits;

/// The arrangement of the buckets of each window: digit = row * columns + column.
pub struct Lines {
    /// Bits of the number of a column, and of a row.
    column_bits: usize,
    row_bits: usize,
}

impl Lines {
    /// Arranges windows of at most `bits` bits.
    pub fn new(bits: usize) -> Self {
        let column_bits = bits / 2;
        Self { column_bits, row_bits: bits - column_bits }
    }

    /// Returns the number of buckets of a window: one for each absolute value of a digit except 0.
    pub fn buckets(&self) -> usize {
        1 << (self.column_bits + self.row_bits - 1)
    }

    fn columns(&self) -> usize {
        1 << self.column_bits
    }

    /// The last row has only one bucket, because the highest digit is 2^(bits - 1).
    fn rows(&self) -> usize {
        (1 << (self.row_bits - 1)) + 1
    }

    /// Collects the points of each bucket of some windows.
    pub fn collect_buckets<F: Coordinates>(
        &self,
        bases: &[Base<F>],
        digits: &Digits,
        windows: Range<usize>,
    ) -> Groups<F> {
        let mut counts = vec![0; windows.len() * self.buckets()];
        let bucket_of =
            |window: usize, digit: i16| (window - windows.start) * self.buckets() + digit.unsigned_abs() as usize - 1;
        let used = |window: usize| digits.window(window).iter().enumerate().filter(|(_, digit)| **digit != 0);
        for window in windows.clone() {
            used(window).for_each(|(_, digit)| counts[bucket_of(window, *digit)] += 1);
        }
        let total = counts.iter().sum::<u32>() as usize;
        let mut groups = Groups { counts, points: vec![Affine::INFINITY; total] };
        let mut places = groups.starts();
        for window in windows.clone() {
            for (half, digit) in used(window) {
                let place = &mut places[bucket_of(window, *digit)];
                groups.points[*place as usize] = bases[half / 2].half(half % 2 == 1, *digit < 0);
                *place += 1;
            }
        }
        groups
    }

    /// Collects the sums of the buckets of each column and each row except those with number 0: first a window's columns, then
    /// its rows.
    pub fn collect_lines<F: Coordinates>(&self, buckets: &Groups<F>) -> Groups<F> {
        let windows = buckets.counts.len() / self.buckets();
        let mut lines = Groups::with_capacity(windows * (self.columns() + self.rows()), 2 * buckets.points.len());
        let starts = buckets.starts();
        for window in 0..windows {
            let sum_of = |row: usize, column: usize| {
                let bucket = (row * self.columns() + column).checked_sub(1).filter(|index| *index < self.buckets())?;
                sum_at(buckets, &starts, window * self.buckets() + bucket)
            };
            for column in 1..self.columns() {
                lines.push((0..self.rows()).filter_map(|row| sum_of(row, column)));
            }
            for row in 1..self.rows() {
                lines.push((0..self.columns()).filter_map(|column| sum_of(row, column)));
            }
        }
        lines
    }

    /// Collects for each bit of a digit the sums of the columns or rows whose number has that bit.
    pub fn collect_bits<F: Coordinates>(&self, lines: &Groups<F>, digits: &Digits) -> Groups<F> {
        let [columns, rows] = [self.columns() - 1, self.rows() - 1];
        let windows = lines.counts.len() / (columns + rows);
        let bits = self.column_bits + self.row_bits;
        let mut sums = Groups::with_capacity(windows * bits, lines.points.len() * self.column_bits.max(self.row_bits));
        let starts = lines.starts();
        for window in 0..windows {
            let first_column = window * (columns + rows);
            for bit in 0..digits.bits(window) {
                let (bit, first, count) = if bit < self.column_bits {
                    (bit, first_column, columns)
                } else {
                    (bit - self.column_bits, first_column + columns, rows)
                };
                let numbers = (1..=count).filter(|number| number >> bit & 1 == 1);
                sums.push(numbers.filter_map(|number| sum_at(lines, &starts, first + number - 1)));
            }
        }
        sums
    }
}

/// Returns the sum of a group, if it is not empty.
#[inline(always)]
fn sum_at<F: Coordinates>(sums: &Groups<F>, starts: &[u32], group: usize) -> Option<Affine<F>> {
    (sums.counts[group] > 0).then(|| sums.points[starts[group] as usize])
}
