//! Program-derived addresses.

use crate::error::{Error, Result};
use crate::syscalls::{is_on_ed25519, sha256};
use pinocchio::Address;

/// The runtime appends this when it hashes a program-derived address.
const MARKER: &[u8] = b"ProgramDerivedAddress";

/// The seeds of an address, at most three. An empty seed changes nothing, because the runtime hashes all as one text.
pub type Seeds<'a> = [&'a [u8]; 3];

/// Derives the address of seeds under `program`, with its canonical bump. That is the highest bump whose
/// hash is not a point of ed25519, so that no key exists for the address.
///
/// The runtime's own syscall costs 1,500 compute units for each bump that misses. Hashing and checking the point costs
/// about a third. A mistake here cannot create an account, because the runtime derives the address of each signer of a
/// call again.
pub fn find([first, second, third]: Seeds, program: &Address) -> Result<(Address, u8)> {
    let mut bump = [u8::MAX];
    loop {
        let hash = sha256(&[first, second, third, &bump, program.as_array(), MARKER]).map_err(|_| Error::HashFailed)?;
        if !is_on_ed25519(&hash) {
            return Ok((Address::new_from_array(hash), bump[0]));
        }
        bump[0] = bump[0].checked_sub(1).ok_or(Error::WrongAddress)?;
    }
}
