//! SHA-256, by the runtime.

use crate::error::{Error, Result};
use crate::syscalls;

/// Hashes the concatenated parts.
pub fn hash<const N: usize>(parts: [&[u8]; N]) -> Result<[u8; 32]> {
    syscalls::sha256(&parts).map_err(|_| Error::HashFailed)
}
