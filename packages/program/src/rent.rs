//! The lamports that an account must hold.

use crate::addresses::RENT_SYSVAR;
use crate::error::{Error, Result};
use crate::syscalls;

/// Bytes that each account pays for in addition to its data.
const ACCOUNT_OVERHEAD: u32 = 128;
const ONE: u64 = 1.0_f64.to_bits();
const TWO: u64 = 2.0_f64.to_bits();

/// Returns the lamports that make an account of `space` bytes exempt from rent.
///
/// The sysvar holds a price per byte and a factor in years. Clusters had 3,480 lamports and 2.0; SIMD-0194 makes it
/// 6,960 and 1.0. Both are accepted; any other factor is rejected with [`Error::Overflow`].
pub fn exempt_minimum(space: usize) -> Result<u64> {
    let price: [u8; 8] = syscalls::sysvar(&RENT_SYSVAR, 0).map_err(|_| Error::Overflow)?;
    let factor: [u8; 8] = syscalls::sysvar(&RENT_SYSVAR, 8).map_err(|_| Error::Overflow)?;
    let price = u32::try_from(u64::from_le_bytes(price)).map_err(|_| Error::Overflow)?;
    let space = u32::try_from(space).map_err(|_| Error::Overflow)?;
    let bytes = space.checked_add(ACCOUNT_OVERHEAD).ok_or(Error::Overflow)?;
    // A product of two 32-bit numbers always fits; BPF has no checked multiplication of 64 bits.
    let yearly = u64::from(price).wrapping_mul(u64::from(bytes));
    match u64::from_le_bytes(factor) {
        ONE => Ok(yearly),
        TWO => yearly.checked_add(yearly).ok_or(Error::Overflow),
        _ => Err(Error::Overflow),
    }
}
