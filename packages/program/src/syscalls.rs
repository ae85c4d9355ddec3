//! The runtime's functions. A build for the host has none of them; it only checks types and runs unit tests.

#[cfg(any(target_os = "solana", target_arch = "bpf"))]
use pinocchio::syscalls as runtime;

#[cfg(not(any(target_os = "solana", target_arch = "bpf")))]
#[allow(clippy::missing_safety_doc)]
mod runtime {
    macro_rules! on_chain_only {
        ($($name:ident($($kind:ty),*));* $(;)?) => {
            $(pub unsafe fn $name($(_: $kind),*) -> u64 {
                unimplemented!("a syscall of the chain")
            })*
        };
    }
    on_chain_only! {
        sol_get_sysvar(*const u8, *mut u8, u64, u64);
        sol_sha256(*const u8, u64, *mut u8);
        sol_poseidon(u64, u64, *const u8, u64, *mut u8);
        sol_alt_bn128_group_op(u64, *const u8, u64, *mut u8);
        sol_curve_validate_point(u64, *const u8, *mut u8);
        sol_log_data(*const u8, u64);
    }
}

use pinocchio::Address;

/// A syscall that did not return zero.
pub struct Refused;

fn accepted(code: u64) -> Result<(), Refused> {
    if code == 0 {
        Ok(())
    } else {
        Err(Refused)
    }
}

/// Reads `N` bytes of a sysvar from `offset`.
pub fn sysvar<const N: usize>(id: &Address, offset: u64) -> Result<[u8; N], Refused> {
    let mut bytes = [0; N];
    // SAFETY: the syscall writes N bytes, which the buffer holds.
    accepted(unsafe { runtime::sol_get_sysvar(id.as_array().as_ptr(), bytes.as_mut_ptr(), offset, N as u64) })?;
    Ok(bytes)
}

/// Hashes the concatenated parts with SHA-256.
pub fn sha256(parts: &[&[u8]]) -> Result<[u8; 32], Refused> {
    let mut hash = [0; 32];
    // SAFETY: a slice of slices is what the syscall reads, and it writes 32 bytes.
    accepted(unsafe { runtime::sol_sha256(parts.as_ptr().cast(), parts.len() as u64, hash.as_mut_ptr()) })?;
    Ok(hash)
}

/// Hashes with Poseidon over the scalar field of BN254; inputs and hash are big-endian. Rejects an input that is not
/// below the order.
pub fn poseidon(inputs: &[&[u8]]) -> Result<[u8; 32], Refused> {
    const BN254_X5: u64 = 0;
    const BIG_ENDIAN: u64 = 0;
    let mut hash = [0; 32];
    // SAFETY: a slice of slices is what the syscall reads, and it writes 32 bytes.
    accepted(unsafe {
        runtime::sol_poseidon(BN254_X5, BIG_ENDIAN, inputs.as_ptr().cast(), inputs.len() as u64, hash.as_mut_ptr())
    })?;
    Ok(hash)
}

/// An operation of the `alt_bn128` syscall; every point and number is big-endian.
#[derive(Clone, Copy)]
pub enum Bn254 {
    /// Sum of two points of G1.
    Add = 0,
    /// Product of a point of G1 and a scalar.
    Multiply = 2,
    /// 1 when the product of the pairings is one, else 0.
    Pairing = 3,
}

/// Runs an operation over BN254; rejects a point that is not on the curve or not in the group.
pub fn bn254<const N: usize>(operation: Bn254, input: &[u8]) -> Result<[u8; N], Refused> {
    let mut output = [0; N];
    // SAFETY: N is the size of the operation's result (64 for a point, 32 for a pairing), which callers state.
    accepted(unsafe {
        runtime::sol_alt_bn128_group_op(operation as u64, input.as_ptr(), input.len() as u64, output.as_mut_ptr())
    })?;
    Ok(output)
}

/// Returns whether 32 bytes are a point of ed25519, so that a key may exist for them.
pub fn is_on_ed25519(bytes: &[u8; 32]) -> bool {
    const EDWARDS: u64 = 0;
    // SAFETY: the syscall reads 32 bytes and writes nothing.
    accepted(unsafe { runtime::sol_curve_validate_point(EDWARDS, bytes.as_ptr(), core::ptr::null_mut()) }).is_ok()
}

/// Writes one item of data to the transaction's log.
pub fn log_data(item: &[u8]) {
    let items = [item];
    // SAFETY: a slice of slices is what the syscall reads.
    unsafe { runtime::sol_log_data(items.as_ptr().cast(), items.len() as u64) };
}
