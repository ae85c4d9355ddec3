//! Poseidon over the scalar field of BN254, as the circuit computes it.

use crate::error::{Error, Result};
use crate::syscalls;

/// Hashes field elements; rejects an input that is not below the order with [`Error::HashFailed`].
#[inline(always)]
pub fn hash<const N: usize>(inputs: [&[u8; 32]; N]) -> Result<[u8; 32]> {
    syscalls::poseidon(&inputs.map(<[u8; 32]>::as_slice)).map_err(|_| Error::HashFailed)
}
