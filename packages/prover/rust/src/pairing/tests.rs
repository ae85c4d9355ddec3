use super::twist::{is_in_group, B};
use super::{is_product_one, Pair};
use crate::curve::tests::{generator_1, generator_2, times};
use crate::curve::{Affine, Jacobian};
use crate::field::{Field, Fp, Fp2, Fr, Order};
use crate::scalar::Scalar;
use crate::testing::Random;

fn multiples(a: &Scalar, b: &Scalar) -> Pair {
    (times(&generator_1(), a).to_affine(), times(&generator_2(), b).to_affine())
}

#[test]
fn the_pairing_is_bilinear_and_not_degenerate() {
    let mut random = Random::new(7);
    let one = [1, 0, 0, 0];
    assert!(!is_product_one(&[multiples(&one, &one)]));
    for _ in 0..5 {
        let [a, b, c, d] = [(); 4].map(|()| random.number::<Order>());
        let [fa, fb, fc, fd] = [a, b, c, d].map(Fr::of_number);
        // e(aP, bQ) e(cP, dQ) = e(sP, Q) with s = ab + cd
        let sum = fa.mul(&fb).add(&fc.mul(&fd));
        let pairs = |last: Fr| [multiples(&a, &b), multiples(&c, &d), multiples(&last.to_number(), &one)];
        assert!(is_product_one(&pairs(sum.negate())));
        assert!(!is_product_one(&pairs(sum)));
        assert!(!is_product_one(&pairs(sum.negate().add(&Fr::ONE))));
    }
}

/// Returns points of the curve of G2 with small x-coordinates. Those in G2 are too rare to be among them.
fn points_of_the_twist() -> Vec<Affine<Fp2>> {
    let candidates = (1..40).map(|x| Fp2 { real: Fp::of_number([x, 0, 0, 0]), imaginary: Fp::ONE });
    candidates.filter_map(|x| Some(Affine { x, y: square_root(&x.square().mul(&x).add(&B))? })).collect()
}

/// Returns a square root in Fp2. The square of its real part is (real + norm) / 2 or (real - norm) / 2.
fn square_root(square: &Fp2) -> Option<Fp2> {
    let root = |element: &Fp| {
        // (p + 1) / 4, because p is 3 modulo 4.
        let exponent = [0x4f08_2305_b61f_3f52, 0x65e0_5aa4_5a1c_72a3, 0x6e14_116d_a060_5617, 0x0c19_139c_b84c_680a];
        let root = element.power(exponent);
        root.square().sub(element).is_zero().then_some(root)
    };
    let norm = root(&square.real.square().add(&square.imaginary.square()))?;
    let half = Fp::of_number([2, 0, 0, 0]).invert();
    let real = [square.real.add(&norm), square.real.sub(&norm)].iter().find_map(|sum| root(&sum.mul(&half)))?;
    Some(Fp2 { real, imaginary: square.imaginary.mul(&half).mul(&real.invert()) })
}

#[test]
fn only_multiples_of_the_generator_are_in_the_group() {
    let mut random = Random::new(8);
    for _ in 0..10 {
        let point = times(&generator_2(), &random.number::<Order>()).to_affine();
        assert!(is_in_group(&point) && is_in_group(&point.negate()));
        assert!(!is_in_group(&Affine { x: point.x, y: point.y.add(&Fp2::ONE) }));
    }
    let outside = points_of_the_twist();
    assert!(outside.len() > 10);
    for point in outside {
        assert!(point.y.square().sub(&point.x.square().mul(&point.x)).sub(&B).is_zero());
        assert!(!is_in_group(&point));
        // The point times the order of G1 is not infinity.
        let order = <Order as crate::field::modulus::Modulus>::WORDS;
        assert!(!Jacobian::multiple_of(&point, &order).is_infinity());
    }
    assert!(!is_in_group(&Affine::INFINITY));
}
