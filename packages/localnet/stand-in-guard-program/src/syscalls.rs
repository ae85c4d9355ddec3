//! The runtime's functions. A build for the host has none of them; it only checks types and runs unit tests.

use crate::addresses::ASSOCIATED_TOKEN_PROGRAM;
use pinocchio::Address;

#[cfg(any(target_os = "solana", target_arch = "bpf"))]
use pinocchio::syscalls as runtime;

#[cfg(not(any(target_os = "solana", target_arch = "bpf")))]
#[allow(clippy::missing_safety_doc)]
mod runtime {
    pub unsafe fn sol_keccak256(_: *const u8, _: u64, _: *mut u8) -> u64 {
        unimplemented!("a syscall of the chain")
    }

    pub unsafe fn sol_try_find_program_address(_: *const u8, _: u64, _: *const u8, _: *const u8, _: *const u8) -> u64 {
        unimplemented!("a syscall of the chain")
    }
}

/// Hashes bytes with Keccak-256.
pub fn keccak256(bytes: &[u8]) -> [u8; 32] {
    let parts = [bytes];
    let mut hash = [0; 32];
    // SAFETY: a slice of slices is what the syscall reads, and it writes 32 bytes. It cannot fail for one part.
    unsafe { runtime::sol_keccak256(parts.as_ptr().cast(), 1, hash.as_mut_ptr()) };
    hash
}

/// Derives the associated token account of an owner, or returns none if there is no such address.
pub fn associated_token_account(owner: &[u8; 32], token_program: &Address, mint: &[u8; 32]) -> Option<Address> {
    let seeds: [&[u8]; 3] = [owner, token_program.as_array(), mint];
    let mut address = [0_u8; 32];
    let mut bump = 0_u8;
    // SAFETY: a slice of slices is what the syscall reads. It writes an address of 32 bytes, and a bump of one.
    let code = unsafe {
        runtime::sol_try_find_program_address(
            seeds.as_ptr().cast(),
            3,
            ASSOCIATED_TOKEN_PROGRAM.as_array().as_ptr(),
            core::ptr::from_mut(&mut address).cast_const().cast(),
            core::ptr::from_mut(&mut bump).cast_const(),
        )
    };
    (code == 0).then(|| Address::new_from_array(address))
}
