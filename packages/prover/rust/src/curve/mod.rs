//! Points of G1 and G2. Both curves are y^2 = x^3 + b, so no formula needs a coefficient.
mod affine;
mod coordinates;
mod jacobian;
#[cfg(test)]
pub mod tests;

pub use affine::Affine;
pub use jacobian::Jacobian;

use crate::field::{Field, Fp};

/// A coordinate field, with the operations that depend on the group.
pub trait Coordinates: Field {
    /// Number of bytes of a coordinate in the key and in a proof.
    const BYTES: usize;
    /// Returns the x-coordinate of lambda times a point, by the curve's endomorphism (`scalar/split.rs`).
    fn endomorphism(&self) -> Self;
    /// Reads a coordinate in Montgomery's form. Returns `None` if a number is not below the prime.
    fn read(bytes: &[u8]) -> Option<Self>;
    /// Writes a coordinate as numbers, not in Montgomery's form.
    fn write(&self, bytes: &mut [u8]);
}

/// A cube root of 1: (x, y) -> (beta x, y) multiplies points of G1 by lambda.
const BETA_G1: Fp = Fp::constant([0x5763_4731_77ff_fffe, 0xd4f2_63f1_acdb_5c4f, 0x59e2_6bce_a0d4_8bac, 0]);
/// The other cube root of 1, which does the same on G2.
const BETA_G2: Fp =
    Fp::constant([0xe4bd_44e5_607c_fd48, 0xc28f_069f_bb96_6e3d, 0x5e6d_d9e7_e0ac_ccb0, 0x3064_4e72_e131_a029]);
