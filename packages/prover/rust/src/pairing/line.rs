//! Lines through multiples of a point of G2, in homogeneous coordinates (X / Z, Y / Z), as Costello, Lange and Naehrig give
//! them ("Faster pairing computations on curves with high-degree twists"), without halves.
use super::twist::B;
use crate::curve::Affine;
use crate::field::{Field, Fp, Fp2};

/// A multiple of a point of G2.
pub struct Multiple {
    x: Fp2,
    y: Fp2,
    z: Fp2,
}

/// The line `b0 y + b1 x w + b2 w^3` of the coordinates x and y of a point of G1, up to a factor of Fp2.
pub struct Line([Fp2; 3]);

impl Line {
    /// Returns the coefficients of the line's value at a point of G1, for `Fp12::mul_by_line`.
    pub fn at(&self, point: &Affine<Fp>) -> [Fp2; 3] {
        let Self([b0, b1, b2]) = self;
        let scaled = |coefficient: &Fp2, coordinate: &Fp| Fp2 {
            real: coefficient.real.mul(coordinate),
            imaginary: coefficient.imaginary.mul(coordinate),
        };
        [scaled(b0, &point.y), scaled(b1, &point.x), *b2]
    }
}

impl Multiple {
    pub fn of(point: &Affine<Fp2>) -> Self {
        Self { x: point.x, y: point.y, z: Fp2::ONE }
    }

    /// Doubles the point. Returns its tangent.
    pub fn double(&mut self) -> Line {
        let yy = self.y.square();
        let zz = self.z.square();
        let xx = self.x.square();
        let e = three_times(&B.mul(&zz));
        let f = three_times(&e);
        let yz = self.y.mul(&self.z);
        let yz2 = yz.add(&yz);
        let xy = self.x.mul(&self.y);
        let yyyz2 = yy.mul(&yz2);
        let ee = e.square();
        let ee2 = ee.add(&ee);
        let ee12 = three_times(&ee2.add(&ee2));
        self.x = xy.add(&xy).mul(&yy.loose_sub(&f));
        self.y = yy.add(&f).square_sub(&ee12);
        self.z = twice(&twice(&yyyz2));
        Line([yz2.negate(), three_times(&xx), e.sub(&yy)])
    }

    /// Adds a point that is neither this one nor its negative. Returns the line through both.
    pub fn add(&mut self, point: &Affine<Fp2>) -> Line {
        let theta = self.y.sub(&point.y.mul(&self.z));
        let lambda = self.x.sub(&point.x.mul(&self.z));
        let lambda2 = lambda.square();
        let lambda3 = lambda.mul(&lambda2);
        let g = self.x.mul(&lambda2);
        let h = lambda3.add(&self.z.mul(&theta.square())).sub(&twice(&g));
        self.x = lambda.mul(&h);
        self.y = theta.mul_sub(&g.loose_sub(&h), &lambda3.mul(&self.y));
        self.z = self.z.mul(&lambda3);
        let b2 = theta.mul_sub(&point.x, &lambda.mul(&point.y));
        Line([lambda, theta.negate(), b2])
    }
}

fn twice(element: &Fp2) -> Fp2 {
    element.add(element)
}

fn three_times(element: &Fp2) -> Fp2 {
    twice(element).add(element)
}
