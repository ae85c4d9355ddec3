use super::group_sums::GroupSums;
use super::groups::Groups;
use super::{multiexp, Base};
use crate::curve::tests::{are_equal, generator_1, generator_2, times};
use crate::curve::{Affine, Coordinates, Jacobian};
use crate::field::{Field, Order};
use crate::scalar::tests::scalars;
use crate::scalar::Scalar;
use crate::testing::Random;

/// Returns multiples of a generator by small random numbers: many are equal or opposite, and some are infinity.
fn crowded<F: Field>(generator: &Affine<F>, count: usize, random: &mut Random) -> Vec<Affine<F>> {
    let multiples: Vec<_> = (0..8).map(|factor| times(generator, &[factor, 0, 0, 0]).to_affine()).collect();
    let mut next = || {
        let point = multiples[random.word() as usize % multiples.len()];
        if random.word().is_multiple_of(2) {
            point.negate()
        } else {
            point
        }
    };
    (0..count).map(|_| next()).collect()
}

fn sums_groups<F: Coordinates>(generator: Affine<F>) {
    let mut random = Random::new(5);
    let mut work = GroupSums::new();
    for most in [1, 2, 3, 17, 400] {
        let counts: Vec<u32> = (0..40).map(|_| (random.word() % (most + 1)) as u32).collect();
        let points = crowded(&generator, counts.iter().sum::<u32>() as usize, &mut random);
        let mut rest = &points[..];
        let mut expected = Vec::new();
        for count in counts.iter().filter(|count| **count > 0) {
            let (group, others) = rest.split_at(*count as usize);
            let sum = group.iter().fold(Jacobian::INFINITY, |sum, point| sum.add_affine(point));
            expected.push(sum.to_affine());
            rest = others;
        }
        let before = counts.clone();
        let mut groups = Groups { counts, points };
        work.sum(&mut groups);
        assert!(groups.counts.iter().zip(before).all(|(after, before)| *after == before.min(1)));
        assert_eq!(groups.points.len(), expected.len());
        for (index, (sum, expected)) in groups.points.iter().zip(&expected).enumerate() {
            assert!(are_equal(sum, expected) && sum.is_infinity() == expected.is_infinity(), "{most} {index}");
        }
    }
}

#[test]
fn groups_with_equal_and_opposite_points_are_summed() {
    sums_groups(generator_1());
    sums_groups(generator_2());
}

fn agrees_with_single_products<F: Coordinates>(points: &[Affine<F>], scalars: &[Scalar], windows: &[usize]) {
    let bases: Vec<_> = points.iter().copied().map(Base::new).collect();
    let products = points.iter().zip(scalars).map(|(point, scalar)| times(point, scalar).to_affine());
    let expected = products.fold(Jacobian::INFINITY, |sum, product| sum.add_affine(&product)).to_affine();
    for &windows in windows {
        let sum = multiexp(&bases, scalars, windows).to_affine();
        assert!(are_equal(&sum, &expected) && sum.is_infinity() == expected.is_infinity(), "{windows} windows");
    }
}

fn multiplies<F: Coordinates>(generator: Affine<F>, windows: &[usize]) {
    let mut random = Random::new(6);
    let scalars = scalars();
    let distinct: Vec<_> =
        (0..scalars.len()).map(|_| times(&generator, &random.number::<Order>()).to_affine()).collect();
    agrees_with_single_products(&distinct, &scalars, windows);
    // Many equal, opposite and infinite points with different scalars, and with equal ones, which meet in each bucket.
    let points = crowded(&generator, scalars.len(), &mut random);
    agrees_with_single_products(&points, &scalars, windows);
    let last = scalars[3];
    for scalar in [[0; 4], [1, 0, 0, 0], last, scalars[200], scalars[400]] {
        agrees_with_single_products(&points, &vec![scalar; points.len()], windows);
        let pair = [generator, generator.negate(), distinct[1], distinct[1]];
        agrees_with_single_products(&pair, &[scalar; 4], windows);
        agrees_with_single_products(&pair[..2], &[scalar; 2], windows);
    }
    agrees_with_single_products(&distinct[..2], &[last, [1, 0, 0, 0]], windows);
    agrees_with_single_products::<F>(&[], &[], windows);
    agrees_with_single_products(&[Affine::<F>::INFINITY], &[last], windows);
}

#[test]
fn multiexp_agrees_with_single_products_in_g1() {
    multiplies(generator_1(), &[9, 10, 12, 13, 14, 16, 25, 32, 43, 63]);
}

#[test]
fn multiexp_agrees_with_single_products_in_g2() {
    multiplies(generator_2(), &[14, 43]);
}
