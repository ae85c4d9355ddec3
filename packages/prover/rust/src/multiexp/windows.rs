//! From the digits of some windows to one sum of points for each bit of them.
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::group_sums::GroupSums;
use super::{starts_of, Base};
use crate::curve::{Affine, Coordinates};
use crate::scalar::digits::Digits;

/// Writes for each bit of each window the sum of the points whose digits have that bit.
pub fn sums_of_bits<F: Coordinates>(
    bases: &[Base<F>],
    digits: &Digits,
    windows: Range<usize>,
    bits: usize,
    work: &mut GroupSums<F>,
    sums: &mut [Affine<F>],
) {
    let (mut counts, mut points) = buckets(bases, digits, windows, bits);
    work.sum(&mut points, &mut counts);
    let lines = Lines::new(bits);
    let (mut counts, mut points) = lines.of_buckets(&counts, &points);
    work.sum(&mut points, &mut counts);
    let (mut counts, mut points) = lines.by_bit(&counts, &points);
    work.sum(&mut points, &mut counts);
    let mut finite = points.iter();
    for (sum, count) in sums.iter_mut().zip(counts) {
        if count > 0 {
            *sum = *finite.next().expect("each group that is not empty has a sum");
        }
    }
}

/// Collects the points of each bucket, without those of digit 0. A window has 2^(bits - 1) buckets, from digit 1 on.
fn buckets<F: Coordinates>(
    bases: &[Base<F>],
    digits: &Digits,
    windows: Range<usize>,
    bits: usize,
) -> (Vec<u32>, Vec<Affine<F>>) {
    let size = 1 << (bits - 1);
    let mut counts = vec![0u32; windows.len() * size];
    let mut total = 0;
    for (index, window) in windows.clone().enumerate() {
        for digit in digits.window(window).iter().filter(|digit| **digit != 0) {
            counts[index * size + digit.unsigned_abs() as usize - 1] += 1;
            total += 1;
        }
    }
    let mut points = vec![Affine::INFINITY; total];
    let mut places = starts_of(&counts);
    for (index, window) in windows.enumerate() {
        for (half, digit) in digits.window(window).iter().enumerate().filter(|(_, digit)| **digit != 0) {
            let point = bases[half / 2].half(half % 2 == 1);
            let place = &mut places[index * size + digit.unsigned_abs() as usize - 1];
            points[*place as usize] = if *digit < 0 { point.negate() } else { point };
            *place += 1;
        }
    }
    (counts, points)
}

/// The rows and columns in which the buckets of a window are arranged: digit = row * columns + column.
struct Lines {
    /// Bits of the number of a column, and of a row.
    column_bits: usize,
    row_bits: usize,
}

impl Lines {
    fn new(bits: usize) -> Self {
        let column_bits = bits / 2;
        Self { column_bits, row_bits: bits - column_bits }
    }

    fn columns(&self) -> usize {
        1 << self.column_bits
    }

    /// The last row has only one bucket, because the highest digit is 2^(bits - 1).
    fn rows(&self) -> usize {
        (1 << (self.row_bits - 1)) + 1
    }

    /// Collects the buckets of each column and each row but those with number 0: first columns, then rows, per window.
    fn of_buckets<F: Coordinates>(&self, counts: &[u32], buckets: &[Affine<F>]) -> (Vec<u32>, Vec<Affine<F>>) {
        let size = 1 << (self.column_bits + self.row_bits - 1);
        let mut groups = Vec::with_capacity(counts.len() / size * (self.columns() + self.rows()));
        let mut points = Vec::with_capacity(2 * buckets.len());
        for (counts, starts) in counts.chunks_exact(size).zip(starts_of(counts).chunks_exact(size)) {
            let digit_of = |row: usize, column: usize| row * self.columns() + column;
            let mut collect = |digits: &mut dyn Iterator<Item = usize>| {
                let before = points.len();
                for digit in digits.filter(|digit| (1..=size).contains(digit) && counts[digit - 1] > 0) {
                    points.push(buckets[starts[digit - 1] as usize]);
                }
                groups.push((points.len() - before) as u32);
            };
            for column in 1..self.columns() {
                collect(&mut (0..self.rows()).map(|row| digit_of(row, column)));
            }
            for row in 1..self.rows() {
                collect(&mut (0..self.columns()).map(|column| digit_of(row, column)));
            }
        }
        (groups, points)
    }

    /// Collects for each bit the sums of the columns or rows whose number has it.
    fn by_bit<F: Coordinates>(&self, counts: &[u32], lines: &[Affine<F>]) -> (Vec<u32>, Vec<Affine<F>>) {
        let columns = self.columns() - 1;
        let size = columns + self.rows() - 1;
        let windows = counts.len() / size;
        let mut groups = Vec::with_capacity(windows * (self.column_bits + self.row_bits));
        let mut points = Vec::with_capacity(lines.len() * self.column_bits.max(self.row_bits));
        for (counts, starts) in counts.chunks_exact(size).zip(starts_of(counts).chunks_exact(size)) {
            for (bits, offset, count) in [(self.column_bits, 0, columns), (self.row_bits, columns, size - columns)] {
                for bit in 0..bits {
                    let before = points.len();
                    for number in (1..=count).filter(|number| number >> bit & 1 == 1) {
                        let line = offset + number - 1;
                        if counts[line] > 0 {
                            points.push(lines[starts[line] as usize]);
                        }
                    }
                    groups.push((points.len() - before) as u32);
                }
            }
        }
        (groups, points)
    }
}
