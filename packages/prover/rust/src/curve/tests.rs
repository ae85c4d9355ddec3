use super::{Affine, Coordinates, Jacobian};
use crate::field::{Field, Fp, Fp2};
use crate::scalar::tests::{scalars, LAMBDA};
use crate::scalar::Scalar;

/// The point (1, 2), which generates G1.
pub fn generator_1() -> Affine<Fp> {
    Affine { x: Fp::ONE, y: Fp::ONE.add(&Fp::ONE) }
}

/// The usual generator of G2.
pub fn generator_2() -> Affine<Fp2> {
    let number = Fp::of_number;
    Affine {
        x: Fp2 {
            real: number([0x46de_bd5c_d992_f6ed, 0x6743_22d4_f75e_dadd, 0x426a_0066_5e5c_4479, 0x1800_deef_121f_1e76]),
            imaginary: number([
                0x97e4_85b7_aef3_12c2,
                0xf1aa_4933_35a9_e712,
                0x7260_bfb7_31fb_5d25,
                0x198e_9393_920d_483a,
            ]),
        },
        y: Fp2 {
            real: number([0x4ce6_cc01_66fa_7daa, 0xe3d1_e769_0c43_d37b, 0x4aab_7180_8dcb_408f, 0x12c8_5ea5_db8c_6deb]),
            imaginary: number([
                0x55ac_dadc_d122_975b,
                0xbc4b_3133_70b3_8ef3,
                0xec9e_99ad_690c_3395,
                0x0906_89d0_585f_f075,
            ]),
        },
    }
}

pub fn times<F: Field>(point: &Affine<F>, scalar: &Scalar) -> Jacobian<F> {
    Jacobian::multiple_of(point, scalar)
}

pub fn are_equal<F: Field>(left: &Affine<F>, right: &Affine<F>) -> bool {
    left.x.sub(&right.x).is_zero() && left.y.sub(&right.y).is_zero()
}

fn group_laws<F: Coordinates>(generator: Affine<F>, order_minus_one: &Scalar) {
    let small = |factor: u64| times(&generator, &[factor, 0, 0, 0]).to_affine();
    assert!(are_equal(&times(&generator, order_minus_one).to_affine(), &generator.negate()));
    assert!(times(&generator, order_minus_one).add_affine(&generator).to_affine().is_infinity());
    let [two, three, five] = [small(2), small(3), small(5)];
    let sum = |left: &Affine<F>, right: &Affine<F>| Jacobian::of_affine(left).add_affine(right).to_affine();
    assert!(are_equal(&sum(&two, &three), &five));
    assert!(are_equal(&sum(&three, &two), &five));
    // Equal points, opposite ones, infinity.
    assert!(are_equal(&sum(&generator, &generator), &two));
    assert!(sum(&three, &three.negate()).is_infinity());
    assert!(are_equal(&sum(&three, &Affine::INFINITY), &three));
    assert!(are_equal(&sum(&Affine::INFINITY, &three), &three));
    assert!(sum(&Affine::INFINITY, &Affine::INFINITY).is_infinity());
    assert!(Jacobian::<F>::INFINITY.double().to_affine().is_infinity());
    assert!(Affine::<F>::INFINITY.negate().is_infinity());
    // The endomorphism multiplies by lambda.
    let turned = Affine { x: five.x.endomorphism(), y: five.y };
    assert!(are_equal(&times(&five, &LAMBDA).to_affine(), &turned));
}

#[test]
fn both_groups_have_their_laws() {
    let order_minus_one = scalars()[3];
    group_laws(generator_1(), &order_minus_one);
    group_laws(generator_2(), &order_minus_one);
}
