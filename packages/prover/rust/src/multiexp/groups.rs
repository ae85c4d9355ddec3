//! Groups of points.
use alloc::vec::Vec;

use crate::curve::Affine;
use crate::field::Field;

/// Groups of points, which follow each other in `points`. `counts` has their sizes.
pub struct Groups<F> {
    pub counts: Vec<u32>,
    pub points: Vec<Affine<F>>,
}

impl<F: Field> Groups<F> {
    pub fn with_capacity(groups: usize, points: usize) -> Self {
        Self { counts: Vec::with_capacity(groups), points: Vec::with_capacity(points) }
    }

    /// Adds a group of the points.
    pub fn push(&mut self, points: impl Iterator<Item = Affine<F>>) {
        let before = self.points.len();
        self.points.extend(points);
        self.counts.push((self.points.len() - before) as u32);
    }

    pub fn append(&mut self, other: &Self) {
        self.counts.extend_from_slice(&other.counts);
        self.points.extend_from_slice(&other.points);
    }

    /// Returns for each group the place of its first point.
    pub fn starts(&self) -> Vec<u32> {
        let mut next = 0;
        let mut starts = Vec::with_capacity(self.counts.len());
        for count in &self.counts {
            starts.push(next);
            next += count;
        }
        starts
    }
}
