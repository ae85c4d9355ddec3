//! The instructions of the system program that create an account, also at an address that holds lamports.

use crate::addresses::SYSTEM_PROGRAM;
use crate::error::{Error, Result};
use pinocchio::cpi::{invoke, invoke_signed, Signer};
use pinocchio::instruction::{InstructionAccount, InstructionView};
use pinocchio::{AccountView, Address};

/// Moves lamports from an account that signed.
#[inline(always)]
pub fn transfer(from: &AccountView, to: &AccountView, lamports: u64) -> Result {
    let mut data = [0; 12];
    data[0] = 2;
    data[4..].copy_from_slice(&lamports.to_le_bytes());
    let accounts = [InstructionAccount::writable_signer(from.address()), InstructionAccount::writable(to.address())];
    invoke(&InstructionView { program_id: &SYSTEM_PROGRAM, data: &data, accounts: &accounts }, &[from, to])
        .map_err(|_| Error::AccountBorrowFailed)
}

/// Allocates zeroed space for an empty account of the system program.
#[inline(always)]
pub fn allocate(account: &AccountView, space: u64, signer: &Signer) -> Result {
    let mut data = [0; 12];
    data[0] = 8;
    data[4..].copy_from_slice(&space.to_le_bytes());
    call(account, &data, signer)
}

/// Makes `owner` the owner of an account of the system program.
#[inline(always)]
pub fn assign(account: &AccountView, owner: &Address, signer: &Signer) -> Result {
    let mut data = [0; 36];
    data[0] = 1;
    data[4..].copy_from_slice(owner.as_ref());
    call(account, &data, signer)
}

#[inline(always)]
fn call(account: &AccountView, data: &[u8], signer: &Signer) -> Result {
    let accounts = [InstructionAccount::writable_signer(account.address())];
    let signers = core::slice::from_ref(signer);
    invoke_signed(&InstructionView { program_id: &SYSTEM_PROGRAM, data, accounts: &accounts }, &[account], signers)
        .map_err(|_| Error::AccountBorrowFailed)
}
