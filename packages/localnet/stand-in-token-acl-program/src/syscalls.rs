//! The runtime's functions. A build for the host has none of them; it only checks types and runs unit tests.

use crate::addresses::RENT_SYSVAR;
use crate::error::{Error, Result};
use pinocchio::Address;

#[cfg(any(target_os = "solana", target_arch = "bpf"))]
use pinocchio::syscalls as runtime;

#[cfg(not(any(target_os = "solana", target_arch = "bpf")))]
#[allow(clippy::missing_safety_doc)]
mod runtime {
    pub unsafe fn sol_get_sysvar(_: *const u8, _: *mut u8, _: u64, _: u64) -> u64 {
        unimplemented!("a syscall of the chain")
    }

    pub unsafe fn sol_try_find_program_address(_: *const u8, _: u64, _: *const u8, _: *const u8, _: *const u8) -> u64 {
        unimplemented!("a syscall of the chain")
    }
}

/// Derives an address and its canonical bump.
pub fn find_program_address(seeds: &[&[u8]], program: &Address) -> Result<(Address, u8)> {
    let mut address = [0_u8; 32];
    let mut bump = 0_u8;
    // SAFETY: a slice of slices is what the syscall reads. It writes an address of 32 bytes, and a bump of one.
    let code = unsafe {
        runtime::sol_try_find_program_address(
            seeds.as_ptr().cast(),
            seeds.len() as u64,
            program.as_array().as_ptr(),
            core::ptr::from_mut(&mut address).cast_const().cast(),
            core::ptr::from_mut(&mut bump).cast_const(),
        )
    };
    if code == 0 {
        Ok((Address::new_from_array(address), bump))
    } else {
        Err(Error::ListInvalid)
    }
}

/// Returns the lamports that make an account of `space` bytes exempt from rent.
pub fn rent_of(space: u32) -> Result<u64> {
    const BYTES_OF_EACH_ACCOUNT: u32 = 128;
    const ONE: u64 = 1.0_f64.to_bits();
    const TWO: u64 = 2.0_f64.to_bits();
    let mut sysvar = [[0_u8; 8]; 2];
    // SAFETY: the syscall writes 16 bytes, which the array has.
    let code = unsafe { runtime::sol_get_sysvar(RENT_SYSVAR.as_array().as_ptr(), sysvar.as_mut_ptr().cast(), 0, 16) };
    let [price, factor] = sysvar.map(u64::from_le_bytes);
    let price = u32::try_from(price).map_err(|_| Error::ArithmeticOverflow)?;
    let bytes = space.checked_add(BYTES_OF_EACH_ACCOUNT).ok_or(Error::ArithmeticOverflow)?;
    // A product of two 32-bit numbers always fits; BPF has no checked multiplication of 64 bits.
    let once = u64::from(price).wrapping_mul(u64::from(bytes));
    match (code, factor) {
        (0, ONE) => Ok(once),
        (0, TWO) => once.checked_add(once).ok_or(Error::ArithmeticOverflow),
        _ => Err(Error::ArithmeticOverflow),
    }
}
