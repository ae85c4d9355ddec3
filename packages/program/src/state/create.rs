//! Creates an account at a program-derived address.

use crate::checks;
use crate::error::{Error, Result};
use crate::program_address::{self, Seeds};
use crate::rent::Rent;
use crate::system::{self, CreateAccount};
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
    /// Seeds of its address.
    pub seeds: Seeds<'a>,
    /// Bytes of its data.
    pub space: usize,
    /// The price of its rent.
    pub rent: Rent,
}

/// Creates an account of zeros at the canonical address of its seeds and returns the bump.
///
/// One call of the system program creates it at an address without lamports. `CreateAccount` would fail forever at an
/// address to which somebody has sent lamports: there, three calls transfer the missing rent, allocate and assign.
pub fn create(creation: &Creation) -> Result<u8> {
    let Creation { payer, account, system_program, program_id, seeds, space, rent } = *creation;
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
    let bump_seed = [bump];
    let [first, second, third] = seeds;
    let all = [first, second, third, &bump_seed].map(Seed::from);
    let signer = Signer::from(&all);
    let minimum = rent.exempt_minimum(space)?;
    if account.lamports() == 0 {
        let data = CreateAccount::new(minimum, space as u64, *program_id);
        system::create_account(payer, account, &data, &signer)?;
    } else {
        let missing = minimum.saturating_sub(account.lamports());
        if missing > 0 {
            system::transfer(payer, account, missing)?;
        }
        system::allocate(account, space as u64, &signer)?;
        system::assign(account, program_id, &signer)?;
    }
    Ok(bump)
}
