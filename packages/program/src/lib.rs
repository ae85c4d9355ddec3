//! Rule sets, eligibility proofs, passes and bound mints.
//!
//! The interface is `idl.json`: accounts, instructions, errors and events, byte for byte. One file in
//! [`instructions`] per instruction lists its accounts and data; what several of them check is in [`checks`], and
//! the layouts of accounts are in [`state`].

#![no_std]

pub mod addresses;
pub mod checks;
pub mod clock;
pub mod crypto;
pub mod data;
pub mod date_code;
pub mod eligibility;
pub mod error;
pub mod events;
pub mod instructions;
pub mod name;
pub mod program_address;
pub mod program_data;
pub mod rent;
pub mod state;
pub mod syscalls;
pub mod system;
pub mod token_2022;
pub mod withdrawal;

use pinocchio::{AccountView, Address, ProgramResult};

/// More accounts than any instruction takes, so that a surplus is seen and refused.
const MAX_ACCOUNTS: usize = 12;

pinocchio::program_entrypoint!(process_instruction, MAX_ACCOUNTS);
pinocchio::nostd_panic_handler!();

/// Hands an instruction to its file and turns an [`error::Error`] into its number.
#[inline(always)]
fn process_instruction(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    Ok(instructions::dispatch(program_id, accounts, data)?)
}
