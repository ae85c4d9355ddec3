//! Rule sets, eligibility proofs, passes and bound mints.
//!
//! The interface is `idl.json`: accounts, instructions, errors and events, byte for byte. [`instructions`] has one file
//! per instruction, which lists its accounts and data. [`checks`] has the checks that several instructions share.
//! [`state`] has the layouts of accounts.

#![no_std]

pub mod addresses;
pub mod checks;
pub mod clock;
pub mod closing;
pub mod crypto;
pub mod data;
pub mod date_code;
pub mod eligibility;
pub mod error;
pub mod events;
pub mod instructions;
pub mod name;
pub mod places;
pub mod program_address;
pub mod program_data;
pub mod removal;
pub mod rent;
pub mod security;
pub mod state;
pub mod syscalls;
pub mod system;
pub mod token_2022;
pub mod token_acl;
pub mod withdrawal;

use pinocchio::{AccountView, Address, ProgramResult};

/// More accounts than any instruction takes, so that the program sees and rejects extra accounts.
const MAX_ACCOUNTS: usize = 32;

pinocchio::program_entrypoint!(process_instruction, MAX_ACCOUNTS);
pinocchio::nostd_panic_handler!();

/// Calls the file of an instruction, and converts an [`error::Error`] into its number.
#[inline(always)]
fn process_instruction(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    Ok(instructions::dispatch(program_id, accounts, data)?)
}
