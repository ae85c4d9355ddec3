//! Program-derived addresses.

use crate::error::{Error, Result};
use crate::syscalls::{is_on_ed25519, sha256};
use pinocchio::Address;

/// What the runtime hashes at the end of each program-derived address.
const MARKER: &[u8] = b"ProgramDerivedAddress";

/// The address that the seeds, at most three, give under `program`, with its canonical bump: the highest with which
/// the hash is no point of ed25519, so that no key can be for it.
///
/// The runtime has a syscall for the search, which costs 1,500 compute units for each bump that misses; hashing and
/// asking for the point costs about a third. A mistake here could make no account: the runtime derives the address of
/// each signer of a call once more.
pub fn find(seeds: &[&[u8]], program: &Address) -> Result<(Address, u8)> {
    let mut bump = [u8::MAX];
    loop {
        let mut parts: [&[u8]; 6] = [&[]; 6];
        let tail = [bump.as_slice(), program.as_array(), MARKER];
        for (part, from) in parts.iter_mut().zip(seeds.iter().copied().chain(tail)) {
            *part = from;
        }
        let hash = sha256(&parts).map_err(|_| Error::HashFailed)?;
        if !is_on_ed25519(&hash) {
            return Ok((Address::new_from_array(hash), bump[0]));
        }
        bump[0] = bump[0].checked_sub(1).ok_or(Error::WrongAddress)?;
    }
}
