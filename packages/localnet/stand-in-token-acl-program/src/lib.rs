//! A stand-in for the Token ACL program (sRFC 37), for tests on a local cluster. It is not Token ACL, and contains none
//! of its code. It has the accounts, the instructions, the checks and the error numbers of Token ACL. The README says
//! what it leaves out.

#![no_std]

pub mod addresses;
pub mod configuration;
pub mod error;
pub mod extra_metas;
pub mod freezing;
pub mod mint_config;
pub mod syscalls;
pub mod system;
pub mod token_2022;

use error::{Error, Result};
use pinocchio::{AccountView, Address, ProgramResult};
use token_2022::Change;

/// The nine accounts of the longest instruction, a list, and the accounts that it names.
const MAX_ACCOUNTS: usize = 24;

pinocchio::program_entrypoint!(process_instruction, MAX_ACCOUNTS);
pinocchio::nostd_panic_handler!();

/// Calls an instruction, and converts an [`error::Error`] into its number.
#[inline(always)]
fn process_instruction(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    Ok(dispatch(program, accounts, data)?)
}

/// The numbers of the instructions are those of Token ACL.
#[inline(always)]
fn dispatch(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let (&number, arguments) = data.split_first().ok_or(Error::InvalidInstructionData)?;
    match number {
        0 => configuration::create(program, accounts, arguments),
        1 => configuration::set_authority(accounts, arguments),
        2 => configuration::set_gate(accounts, arguments),
        3 => configuration::delete(accounts, arguments),
        4 => freezing::by_authority(program, accounts, Change::Thaw),
        5 => freezing::by_authority(program, accounts, Change::Freeze),
        6 => freezing::by_anyone(program, accounts, Change::Thaw, false),
        7 => freezing::by_anyone(program, accounts, Change::Freeze, false),
        8 => configuration::toggle(accounts, arguments),
        9 => freezing::by_anyone(program, accounts, Change::Thaw, true),
        10 => freezing::by_anyone(program, accounts, Change::Freeze, true),
        _ => Err(Error::InvalidInstructionData),
    }
}
