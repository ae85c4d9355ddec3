//! The curve of G2, y^2 = x^3 + 3 / (9 + u), and the endomorphism that Frobenius becomes on it.
use crate::curve::{Affine, Jacobian};
use crate::field::tower::FROBENIUS_W;
use crate::field::{Field, Fp, Fp2};

/// 3 / (9 + u).
pub const B: Fp2 = Fp2 {
    real: Fp::constant([0x3267_e6dc_24a1_38e5, 0xb5b4_c5e5_59db_efa3, 0x81be_1899_1be0_6ac3, 0x2b14_9d40_ceb8_aaae]),
    imaginary: Fp::constant([
        0xe4a2_bd06_85c3_15d2,
        0xa74f_a084_e52d_1852,
        0xcd2c_afad_eed8_fdf4,
        0x0097_13b0_3af0_fed4,
    ]),
};

/// Returns the image of a point: its coordinates in Fp12 to the p-th power, as a point of this curve again.
pub fn frobenius(point: &Affine<Fp2>) -> Affine<Fp2> {
    let square = FROBENIUS_W.square();
    Affine { x: point.x.conjugate().mul(&square), y: point.y.conjugate().mul(&square).mul(&FROBENIUS_W) }
}

/// Returns whether a finite point is on the curve and in G2, the only subgroup whose order is that of G1.
///
/// On the curve's points, Frobenius is a root of z^2 - t z + p, where t = 6x^2 + 1 is its trace. If it multiplies a point by
/// 6x^2 = t - 1, then (t - 1)^2 - t (t - 1) + p = p + 1 - t is zero at that point, and this is the order of G1.
pub fn is_in_group(point: &Affine<Fp2>) -> bool {
    const TRACE_MINUS_ONE: u128 = 6 * (super::X as u128) * (super::X as u128);
    if !point.y.square().sub(&point.x.square().mul(&point.x)).sub(&B).is_zero() {
        return false;
    }
    let scalar = [TRACE_MINUS_ONE as u64, (TRACE_MINUS_ONE >> 64) as u64, 0, 0];
    let multiple = Jacobian::multiple_of(point, &scalar);
    multiple.add_affine(&frobenius(point).negate()).is_infinity()
}
