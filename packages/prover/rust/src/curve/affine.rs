//! Points in affine coordinates.
use super::Coordinates;
use crate::field::Field;

/// A point. The point at infinity has two coordinates without bits: (0, 0) is on neither curve.
#[derive(Clone, Copy, Debug)]
pub struct Affine<F> {
    pub x: F,
    pub y: F,
}

impl<F: Field> Affine<F> {
    pub const INFINITY: Self = Self { x: F::ZERO, y: F::ZERO };

    /// Returns whether the point is infinity. No other point has y = 0, because the order of the groups is odd.
    #[inline(always)]
    pub fn is_infinity(&self) -> bool {
        self.y.has_no_bits()
    }

    pub fn negate(&self) -> Self {
        if self.is_infinity() {
            return *self;
        }
        Self { x: self.x, y: self.y.negate() }
    }
}

impl<F: Coordinates> Affine<F> {
    /// Reads a point: x, then y. Returns `None` if a coordinate is not below the prime.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (x, y) = bytes.split_at_checked(F::BYTES)?;
        Some(Self { x: F::read(x)?, y: F::read(y)? })
    }

    /// Writes a finite point: x, then y, as numbers.
    pub fn write(&self, bytes: &mut [u8]) {
        let (x, y) = bytes.split_at_mut(F::BYTES);
        self.x.write(x);
        self.y.write(y);
    }
}
