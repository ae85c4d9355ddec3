//! A stand-in for a multisig program, for tests on a local cluster. A multisig has a vault: an address of its program,
//! which signs what the members approved. Here a vault has one member, who approves by signing.
//!
//! # Accounts
//! 0. `[signer]` member
//! 1. `[]` vault: the address with the seeds "vault" and the member
//! 2. `[]` the program to call
//! 3. and further: the accounts of the call, each with its role; the vault signs if it is one of them
//!
//! # Data
//! bump of the vault (1), data of the call

#![no_std]

use pinocchio::cpi::{invoke_signed_with_bounds, Seed, Signer};
use pinocchio::error::ProgramError;
use pinocchio::instruction::{InstructionAccount, InstructionView};
use pinocchio::{AccountView, Address, ProgramResult};

/// The three accounts of this program, and those of the call.
const MAX_ACCOUNTS: usize = 16;
/// Most accounts of a call.
const MAX_CALLED: usize = 12;

pinocchio::program_entrypoint!(process_instruction, MAX_ACCOUNTS);
pinocchio::nostd_panic_handler!();

/// Calls a program as the vault of the member that signed.
#[inline(always)]
fn process_instruction(_program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let ([member, vault, called, others @ ..], Some((bump, data))) = (accounts, data.split_first()) else {
        return Err(ProgramError::InvalidInstructionData);
    };
    if !member.is_signer() {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let mut metas = [const { InstructionAccount::readonly(&NOBODY) }; MAX_CALLED];
    for (meta, account) in metas.iter_mut().zip(others.iter()) {
        let signs = account.is_signer() || account.address() == vault.address();
        *meta = InstructionAccount::new(account.address(), account.is_writable(), signs);
    }
    let accounts = metas.get(..others.len()).ok_or(ProgramError::InvalidArgument)?;
    let bump = [*bump];
    let seeds = [Seed::from(b"vault"), Seed::from(member.address().as_ref()), Seed::from(&bump)];
    invoke_signed_with_bounds::<MAX_CALLED, _>(
        &InstructionView { program_id: called.address(), data, accounts },
        others,
        &[Signer::from(&seeds)],
    )
}

/// Fills the places of accounts that a call does not have.
const NOBODY: Address = Address::new_from_array([0; 32]);
