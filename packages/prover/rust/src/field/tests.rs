use super::modulus::{subtract, Modulus, LIMBS};
use super::tower::{Fp12, Fp6};
use super::{Coordinate, Element, Field, Fp, Fp2, Fr, Order};
use crate::testing::{add_modulo, multiply_modulo, Random};

/// Numbers at the edges of the field, and random ones.
fn numbers<M: Modulus>() -> Vec<[u64; 4]> {
    let below = |distance| subtract(M::WORDS, [distance, 0, 0, 0]).0;
    let mut numbers = vec![[0; 4], [1, 0, 0, 0], [2, 0, 0, 0], below(1), below(2), [u64::MAX, u64::MAX, u64::MAX, 0]];
    numbers.extend((0..29).map(|bit| [0, 0, 0, 1 << bit]));
    let mut random = Random::new(1);
    numbers.extend((0..20).map(|_| random.number::<M>()));
    numbers
}

fn agrees_with_numbers<M: Modulus>() {
    for left in numbers::<M>() {
        for right in numbers::<M>() {
            let [a, b] = [left, right].map(Element::<M>::of_number);
            let product = multiply_modulo::<M>(left, right);
            assert_eq!(a.mul(&b).to_number(), product);
            assert_eq!(a.add(&b).to_number(), add_modulo::<M>(left, right));
            assert_eq!(a.sub(&b).add(&b).to_number(), left);
            assert_eq!(a.mul_sub(&b, &b).add(&b).to_number(), product);
            let [difference, doubled] = [a.loose_sub(&b), a.loose_add(&a)];
            assert_eq!(difference.mul(&difference).to_number(), difference.square().to_number());
            assert_eq!(a.square_sub(&doubled).add(&a).add(&a).to_number(), multiply_modulo::<M>(left, left));
        }
        let element = Element::<M>::of_number(left);
        assert_eq!(element.to_number(), left);
        assert_eq!(element.is_zero(), left == [0; 4]);
        assert_eq!(element.sub(&element).negate().to_number(), [0; 4]);
        let one = element.mul(&element.invert()).to_number();
        assert_eq!(one, if left == [0; 4] { [0; 4] } else { [1, 0, 0, 0] });
    }
}

#[test]
fn coordinates_agree_with_numbers() {
    agrees_with_numbers::<Coordinate>();
}

#[test]
fn scalars_agree_with_numbers() {
    agrees_with_numbers::<Order>();
}

#[test]
fn results_stay_small_however_long_a_chain_is() {
    let mut random = Random::new(2);
    let [mut a, mut b] = [Fp::of_number(random.number::<Coordinate>()), Fp::of_number(random.number::<Coordinate>())];
    for _ in 0..1_000 {
        let next = a.loose_sub(&b).mul_sub(&b.loose_sub(&a), &a.loose_add(&b));
        (a, b) = (next, a);
        assert!(a.0[..LIMBS - 1].iter().all(|limb| (0..1 << 29).contains(limb)));
        // Within three primes.
        assert!(a.0[LIMBS - 1].abs() < 3 * Coordinate::LIMBS[LIMBS - 1]);
    }
}

#[test]
fn limbs_at_their_limits_fit() {
    let mut most = Fp::of_limbs([(1 << 29) - 1; LIMBS]);
    most.0[LIMBS - 1] = 3 * Coordinate::LIMBS[LIMBS - 1];
    let least = Fp::ZERO.loose_sub(&most);
    for left in [most, least] {
        for right in [most, least] {
            let expected = left.reduce().mul(&right.reduce());
            assert!(left.mul(&right).sub(&expected).is_zero());
            let pair = Fp2 { real: left, imaginary: right };
            let twin = Fp2 { real: right, imaginary: left };
            let expected = pair.reduce().mul(&twin.reduce());
            assert!(pair.mul(&twin).sub(&expected).is_zero());
            assert!(pair.square().sub(&pair.mul(&pair)).is_zero());
        }
    }
}

#[test]
fn the_extension_agrees_with_its_definition() {
    let mut random = Random::new(3);
    let mut part = || Fp::of_number(random.number::<Coordinate>());
    for _ in 0..50 {
        let [a, b] = [Fp2 { real: part(), imaginary: part() }, Fp2 { real: part(), imaginary: part() }];
        let product = a.mul(&b);
        let real = a.real.mul(&b.real).sub(&a.imaginary.mul(&b.imaginary));
        let imaginary = a.real.mul(&b.imaginary).add(&a.imaginary.mul(&b.real));
        assert!(product.sub(&Fp2 { real, imaginary }).is_zero());
        assert!(a.square().sub(&a.mul(&a)).is_zero());
        assert!(a.mul_sub(&b, &a.loose_add(&b)).add(&a).add(&b).sub(&product).is_zero());
        assert!(a.square_sub(&a.loose_sub(&b)).add(&a.sub(&b)).sub(&a.square()).is_zero());
        assert!(a.mul(&a.invert()).sub(&Fp2::ONE).is_zero());
    }
}

#[test]
fn a_power_is_a_repeated_product() {
    let base = Fr::of_number([7, 0, 0, 0]);
    let product = (0..300).fold(Fr::ONE, |product, _| product.mul(&base));
    assert!(base.power([300, 0, 0, 0]).sub(&product).is_zero());
}

fn fp2(random: &mut Random) -> Fp2 {
    let mut number = || Fp::of_number(random.number::<Coordinate>());
    Fp2 { real: number(), imaginary: number() }
}

fn fp12(random: &mut Random) -> Fp12 {
    let mut part = || Fp6([fp2(random), fp2(random), fp2(random)]);
    Fp12 { even: part(), odd: part() }
}

fn are_equal(left: &Fp12, right: &Fp12) -> bool {
    let coefficients = |element: &Fp12| element.even.0.into_iter().chain(element.odd.0);
    coefficients(left).zip(coefficients(right)).all(|(left, right)| left.sub(&right).is_zero())
}

#[test]
fn the_tower_has_its_laws() {
    let mut random = Random::new(5);
    let nine_plus_u = Fp2 { real: Fp::of_number([9, 0, 0, 0]), imaginary: Fp::ONE };
    let w = Fp12 { even: Fp6::ZERO, odd: Fp6::ONE };
    let w6 = w.square().mul(&w).square();
    assert!(are_equal(&w6, &Fp12 { even: Fp6([nine_plus_u, Fp2::ZERO, Fp2::ZERO]), odd: Fp6::ZERO }));
    for _ in 0..20 {
        let [a, b, c] = [fp12(&mut random), fp12(&mut random), fp12(&mut random)];
        assert!(are_equal(&a.mul(&b), &b.mul(&a)));
        assert!(are_equal(&a.mul(&b).mul(&c), &a.mul(&b.mul(&c))));
        assert!(are_equal(&a.square(), &a.mul(&a)));
        assert!(a.mul(&a.invert()).is_one());
        assert!(!a.is_one() && Fp12::ONE.is_one());
        assert!(are_equal(&a.mul(&b).frobenius(), &a.frobenius().mul(&b.frobenius())));
        assert!(are_equal(&(0..6).fold(a, |power, _| power.frobenius()), &a.conjugate()));
        let line = [fp2(&mut random), fp2(&mut random), fp2(&mut random)];
        let whole = Fp12 { even: Fp6([line[0], Fp2::ZERO, Fp2::ZERO]), odd: Fp6([line[1], line[2], Fp2::ZERO]) };
        assert!(are_equal(&a.mul_by_line(&line), &a.mul(&whole)));
        assert!(line[0].mul_nine_plus_u().sub(&line[0].mul(&nine_plus_u)).is_zero());
    }
    let zero = a_minus_a(&fp12(&mut random));
    assert!(!zero.is_one() && are_equal(&zero.invert(), &zero));
}

/// Returns zero in limbs that are not zero.
fn a_minus_a(element: &Fp12) -> Fp12 {
    let zero = |part: &Fp6| Fp6(part.0.map(|coefficient| coefficient.sub(&coefficient)));
    Fp12 { even: zero(&element.even), odd: zero(&element.odd) }
}

#[test]
fn frobenius_is_the_power_of_the_prime() {
    let element = fp12(&mut Random::new(6));
    let power = (0..256).rev().fold(Fp12::ONE, |power, bit| {
        let power = power.square();
        if Coordinate::WORDS[bit / 64] >> (bit % 64) & 1 == 1 {
            power.mul(&element)
        } else {
            power
        }
    });
    assert!(are_equal(&element.frobenius(), &power));
}
