//! Creates an account at a program-derived address.

use crate::checks;
use crate::error::{Error, Result};
use crate::program_address;
use crate::rent::exempt_minimum;
use crate::system;
use pinocchio::cpi::{Seed, Signer};
use pinocchio::{AccountView, Address};

/// An account to create.
pub struct Creation<'a> {
    /// Pays the rent; must have signed and be writable.
    pub payer: &'a AccountView,
    /// The account to create, writable.
    pub account: &'a AccountView,
    /// The system program.
    pub system_program: &'a AccountView,
    /// This program, which will own it.
    pub program_id: &'a Address,
    /// Seeds of its address, at most three.
    pub seeds: &'a [&'a [u8]],
    /// Bytes of its data.
    pub space: usize,
}

/// Creates an account of zeros at the canonical address of its seeds and returns the bump.
///
/// It transfers the missing rent, allocates and assigns. `CreateAccount` would fail forever at an address to which
/// somebody has sent lamports.
pub fn create(creation: &Creation) -> Result<u8> {
    let Creation { payer, account, system_program, program_id, seeds, space } = *creation;
    checks::payer(payer)?;
    checks::writable(account)?;
    checks::system_program(system_program)?;
    let (address, bump) = program_address::find(seeds, program_id)?;
    if account.address() != &address {
        return Err(Error::WrongAddress);
    }
    if !account.owned_by(system_program.address()) {
        return Err(Error::AlreadyInitialized);
    }
    let missing = exempt_minimum(space)?.saturating_sub(account.lamports());
    if missing > 0 {
        system::transfer(payer, account, missing)?;
    }
    let bump_seed = [bump];
    let empty: &[u8] = &[];
    let mut all = [Seed::from(empty), Seed::from(empty), Seed::from(empty), Seed::from(empty)];
    for (to, from) in all.iter_mut().zip(seeds.iter().copied().chain([bump_seed.as_slice()])) {
        *to = Seed::from(from);
    }
    let signer = Signer::from(all.get(..=seeds.len()).ok_or(Error::WrongAddress)?);
    system::allocate(account, space as u64, &signer)?;
    system::assign(account, program_id, &signer)?;
    Ok(bump)
}
