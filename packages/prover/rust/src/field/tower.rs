//! The extensions of degree 6 and 12 that contain the values of pairings: Fp6 = Fp2[v] with v^3 = 9 + u, and Fp12 = Fp6[w]
//! with w^2 = v. All elements are carried (`element.rs`).
use super::{Field, Fp, Fp2};

/// The element `c0 + c1 v + c2 v^2`.
#[derive(Clone, Copy, Debug)]
pub struct Fp6(pub [Fp2; 3]);

/// The element `even + odd w`.
#[derive(Clone, Copy, Debug)]
pub struct Fp12 {
    pub even: Fp6,
    pub odd: Fp6,
}

/// The root (9 + u)^((p - 1) / 6), by which Frobenius multiplies w.
pub const FROBENIUS_W: Fp2 = Fp2 {
    real: Fp::constant([0xd60b_35da_dcc9_e470, 0x5c52_1e08_292f_2176, 0xe8b9_9fdd_76e6_8b60, 0x1284_b71c_2865_a7df]),
    imaginary: Fp::constant([
        0xca5c_f05f_80f3_62ac,
        0x7479_9277_8eee_c7e5,
        0xa632_7cfe_1215_0b8e,
        0x2469_96f3_b4fa_e7e6,
    ]),
};

impl Fp2 {
    /// Returns the element with the sign of its imaginary part changed, which is its p-th power.
    pub fn conjugate(&self) -> Self {
        Self { real: self.real, imaginary: self.imaginary.negate() }
    }

    /// Returns (9 + u) times the element.
    pub fn mul_nine_plus_u(&self) -> Self {
        let minus_imaginary = Fp::ZERO.loose_sub(&self.imaginary);
        Self {
            real: self.real.nine_times_plus(&minus_imaginary),
            imaginary: self.imaginary.nine_times_plus(&self.real),
        }
    }
}

/// Returns `a d + b c` of the pairs (a, b) and (c, d) with one multiplication, from the products `a c` and `b d`.
fn cross(left: (&Fp2, &Fp2), right: (&Fp2, &Fp2), products: (&Fp2, &Fp2)) -> Fp2 {
    let minus_products = Fp2::ZERO.loose_sub(products.0).loose_sub(products.1);
    left.0.loose_sub(left.1).mul_sub(&right.1.loose_sub(right.0), &minus_products)
}

impl Fp6 {
    pub const ZERO: Self = Self([Fp2::ZERO; 3]);
    pub const ONE: Self = Self([Fp2::ONE, Fp2::ZERO, Fp2::ZERO]);

    fn add(&self, other: &Self) -> Self {
        let (Self(a), Self(b)) = (self, other);
        Self([a[0].add(&b[0]), a[1].add(&b[1]), a[2].add(&b[2])])
    }

    fn sub(&self, other: &Self) -> Self {
        let (Self(a), Self(b)) = (self, other);
        Self([a[0].sub(&b[0]), a[1].sub(&b[1]), a[2].sub(&b[2])])
    }

    fn mul(&self, other: &Self) -> Self {
        let (Self(a), Self(b)) = (self, other);
        let products = [a[0].mul(&b[0]), a[1].mul(&b[1]), a[2].mul(&b[2])];
        let pair = |i: usize, j: usize| cross((&a[i], &a[j]), (&b[i], &b[j]), (&products[i], &products[j]));
        Self([
            products[0].add(&pair(1, 2).mul_nine_plus_u()),
            pair(0, 1).add(&products[2].mul_nine_plus_u()),
            pair(0, 2).add(&products[1]),
        ])
    }

    /// Returns the product with `b0 + b1 v`.
    fn mul_by_two_terms(&self, b0: &Fp2, b1: &Fp2) -> Self {
        let Self(a) = self;
        let products = [a[0].mul(b0), a[1].mul(b1)];
        Self([
            products[0].add(&a[2].mul(b1).mul_nine_plus_u()),
            cross((&a[0], &a[1]), (b0, b1), (&products[0], &products[1])),
            a[2].mul(b0).add(&products[1]),
        ])
    }

    fn mul_by_v(&self) -> Self {
        let Self([c0, c1, c2]) = *self;
        Self([c2.mul_nine_plus_u(), c0, c1])
    }

    /// Returns the inverse; 0 for 0.
    fn invert(&self) -> Self {
        let Self([c0, c1, c2]) = self;
        let a = c0.square().sub(&c1.mul(c2).mul_nine_plus_u());
        let b = c2.square().mul_nine_plus_u().sub(&c0.mul(c1));
        let c = c1.square().sub(&c0.mul(c2));
        let norm = c0.mul(&a).add(&c2.mul(&b).add(&c1.mul(&c)).mul_nine_plus_u());
        let inverse = norm.invert();
        Self([a.mul(&inverse), b.mul(&inverse), c.mul(&inverse)])
    }
}

impl Fp12 {
    pub const ONE: Self = Self { even: Fp6::ONE, odd: Fp6::ZERO };

    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        let even = self.even.mul(&other.even);
        let odd = self.odd.mul(&other.odd);
        let differences = self.even.sub(&self.odd).mul(&other.odd.sub(&other.even));
        Self { even: even.add(&odd.mul_by_v()), odd: differences.add(&even).add(&odd) }
    }

    #[must_use]
    pub fn square(&self) -> Self {
        let product = self.even.mul(&self.odd);
        let sums = self.even.add(&self.odd).mul(&self.even.add(&self.odd.mul_by_v()));
        Self { even: sums.sub(&product).sub(&product.mul_by_v()), odd: product.add(&product) }
    }

    /// Returns the product with `b0 + (b1 + b2 v) w`.
    #[must_use]
    pub fn mul_by_line(&self, [b0, b1, b2]: &[Fp2; 3]) -> Self {
        let Self { even: Fp6(a), odd } = self;
        let even = Fp6([a[0].mul(b0), a[1].mul(b0), a[2].mul(b0)]);
        let product = odd.mul_by_two_terms(b1, b2);
        let sums = self.even.add(odd).mul_by_two_terms(&b0.add(b1), b2);
        Self { even: even.add(&product.mul_by_v()), odd: sums.sub(&even).sub(&product) }
    }

    /// Returns the p^6-th power. It is the inverse of an element whose order divides p^6 + 1.
    #[must_use]
    pub fn conjugate(&self) -> Self {
        Self { even: self.even, odd: Fp6::ZERO.sub(&self.odd) }
    }

    /// Returns the p-th power.
    #[must_use]
    pub fn frobenius(&self) -> Self {
        let mut root = Fp2::ONE;
        let mut next = || {
            let current = root;
            root = root.mul(&FROBENIUS_W);
            current
        };
        let mut result = *self;
        for index in 0..3 {
            for part in [&mut result.even, &mut result.odd] {
                part.0[index] = part.0[index].conjugate().mul(&next());
            }
        }
        result
    }

    /// Returns the inverse; 0 for 0.
    #[must_use]
    pub fn invert(&self) -> Self {
        let norm = self.even.mul(&self.even).sub(&self.odd.mul(&self.odd).mul_by_v());
        let inverse = norm.invert();
        Self { even: self.even.mul(&inverse), odd: Fp6::ZERO.sub(&self.odd).mul(&inverse) }
    }

    pub fn is_one(&self) -> bool {
        let Fp6([c0, c1, c2]) = self.even;
        let rest = [c0.sub(&Fp2::ONE), c1, c2].into_iter().chain(self.odd.0);
        rest.into_iter().all(|coefficient| coefficient.is_zero())
    }
}
