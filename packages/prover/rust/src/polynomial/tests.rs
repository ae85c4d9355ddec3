use super::{root_of_unity, Domain};
use crate::field::{Field, Fr, Order};
use crate::testing::Random;

fn evaluate(coefficients: &[Fr], at: &Fr) -> Fr {
    coefficients.iter().rev().fold(Fr::ZERO, |sum, coefficient| sum.mul(at).add(coefficient))
}

#[test]
fn roots_have_their_order() {
    for bits in [1, 2, 12, 28] {
        let root = root_of_unity(bits);
        let half = (1..bits).fold(root, |power, _| power.square());
        assert!(half.add(&Fr::ONE).is_zero());
    }
}

#[test]
fn shift_evaluates_at_the_other_roots_of_the_doubled_domain() {
    let mut random = Random::new(7);
    for bits in [1, 2, 5] {
        let domain = Domain::new(bits);
        assert_eq!(domain.size(), 1 << bits);
        let polynomial: Vec<_> = (0..domain.size()).map(|_| Fr::of_number(random.number::<Order>())).collect();
        let doubled = root_of_unity(bits + 1);
        let values_from = |first: Fr| {
            let root = doubled.square();
            let points = core::iter::successors(Some(first), |point| Some(point.mul(&root)));
            points.take(domain.size()).map(|point| evaluate(&polynomial, &point)).collect::<Vec<_>>()
        };
        let mut values = values_from(Fr::ONE);
        domain.shift(&mut values);
        for (value, expected) in values.iter().zip(values_from(doubled)) {
            assert!(value.sub(&expected).is_zero());
        }
    }
}
