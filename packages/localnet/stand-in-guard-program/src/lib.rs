//! A stand-in for the Lighthouse program, for tests on a local cluster. It is not Lighthouse, and contains none of its
//! code. Wallets add instructions of Lighthouse to transactions as guards: each asserts something about one account.
//!
//! The stand-in evaluates assertions about accounts and token accounts, and fails with the error codes of Lighthouse.
//! It rejects every other instruction of Lighthouse as unreadable. The README compares both.

#![no_std]

pub mod account_info;
pub mod addresses;
pub mod assertion;
pub mod error;
pub mod instruction;
pub mod operator;
pub mod reader;
pub mod syscalls;
pub mod token_account;

use pinocchio::{AccountView, Address, ProgramResult};

/// Lighthouse reads the first account and ignores the others.
const MAX_ACCOUNTS: usize = 4;

pinocchio::program_entrypoint!(process_instruction, MAX_ACCOUNTS);
pinocchio::nostd_panic_handler!();

/// Evaluates one instruction, and converts an [`error::Error`] into its number.
#[inline(always)]
fn process_instruction(_program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    Ok(instruction::process(accounts, data)?)
}
