//! Points in Jacobian coordinates (X / Z^2, Y / Z^3), for the few additions that do not share an inversion.
use super::Affine;
use crate::field::Field;
use crate::scalar::Scalar;

/// A point. Infinity has z = 0.
#[derive(Clone, Copy, Debug)]
pub struct Jacobian<F> {
    x: F,
    y: F,
    z: F,
}

impl<F: Field> Jacobian<F> {
    pub const INFINITY: Self = Self { x: F::ONE, y: F::ONE, z: F::ZERO };

    pub fn of_affine(point: &Affine<F>) -> Self {
        if point.is_infinity() {
            return Self::INFINITY;
        }
        Self { x: point.x, y: point.y, z: F::ONE }
    }

    pub fn is_infinity(&self) -> bool {
        self.z.is_zero()
    }

    /// Returns twice the point, by dbl-2009-l of the Explicit-Formulas Database. Infinity stays infinity.
    #[must_use]
    pub fn double(&self) -> Self {
        let a = self.x.square();
        let b = self.y.square();
        let c = b.square();
        let sum = self.x.add(&b);
        let half_d = sum.square_sub(&a.loose_add(&c));
        let d = half_d.add(&half_d);
        let e = a.add(&a).add(&a);
        let x = e.square_sub(&d.loose_add(&d));
        let c8 = (0..3).fold(c, |multiple, _| multiple.add(&multiple));
        let yz = self.y.mul(&self.z);
        Self { x, y: e.mul_sub(&d.loose_sub(&x), &c8), z: yz.add(&yz) }
    }

    /// Returns the sum with an affine point, by madd-2007-bl. It handles equal points, opposite ones and infinity.
    #[must_use]
    pub fn add_affine(&self, other: &Affine<F>) -> Self {
        if other.is_infinity() {
            return *self;
        }
        if self.is_infinity() {
            return Self::of_affine(other);
        }
        let zz = self.z.square();
        let h = other.x.mul_sub(&zz, &self.x);
        let s = other.y.mul(&self.z).mul_sub(&zz, &self.y);
        if h.is_zero() {
            return if s.is_zero() { self.double() } else { Self::INFINITY };
        }
        let hh = h.square();
        let i = hh.add(&hh);
        let i = i.add(&i);
        let j = h.mul(&i);
        let r = s.add(&s);
        let v = self.x.mul(&i);
        let x = r.square_sub(&j.add(&v).loose_add(&v));
        let yj = self.y.mul(&j);
        let y = r.mul_sub(&v.loose_sub(&x), &yj.loose_add(&yj));
        let z = self.z.add(&h).square_sub(&zz.loose_add(&hh));
        Self { x, y, z }
    }

    /// Returns scalar * point, bit by bit. `multiexp` is faster for many points.
    #[must_use]
    pub fn multiple_of(point: &Affine<F>, scalar: &Scalar) -> Self {
        (0..256).rev().fold(Self::INFINITY, |sum, bit| {
            let sum = sum.double();
            if scalar[bit / 64] >> (bit % 64) & 1 == 1 {
                sum.add_affine(point)
            } else {
                sum
            }
        })
    }

    pub fn to_affine(self) -> Affine<F> {
        if self.is_infinity() {
            return Affine::INFINITY;
        }
        let inverse = self.z.invert();
        let square = inverse.square();
        Affine { x: self.x.mul(&square), y: self.y.mul(&square).mul(&inverse) }
    }
}
