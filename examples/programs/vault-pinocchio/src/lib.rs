//! A vault: holders of live passes deposit tokens of a bound mint, and take them back.
//!
//! | number | instruction | data | accounts |
//! |---|---|---|---|
//! | 0 | create | | payer, vault, mint, binding, system program |
//! | 1 | deposit | amount (8), decimals (1) | [`transfer::Accounts`] |
//! | 2 | withdraw | amount (8), decimals (1) | [`transfer::Accounts`] |
//!
//! The vault holds tokens itself, so it needs a pass too. Before the first deposit, the creator of the rule set grants one to
//! the address of the vault, and the binding of the mint must honour granted passes.

#![no_std]

pub mod admit;
pub mod create;
pub mod deposit;
pub mod error;
pub mod state;
pub mod transfer;
pub mod withdraw;

use error::VaultError;
use pinocchio::{AccountView, Address, ProgramResult};

/// The deployment that you trust: the `program` of its `deployment.json`. This one is of the development stack.
pub const PASSES: Address = Address::from_str_const("7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi");

pinocchio::program_entrypoint!(process, 16);
pinocchio::nostd_panic_handler!();

fn process(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    match data {
        [0] => create::process(program, accounts),
        [1, arguments @ ..] => deposit::process(program, accounts, arguments),
        [2, arguments @ ..] => withdraw::process(program, accounts, arguments),
        _ => Err(VaultError::UnknownInstruction.into()),
    }
}
