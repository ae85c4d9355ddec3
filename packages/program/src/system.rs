//! The instructions of the system program that create an account.

use crate::addresses::SYSTEM_PROGRAM;
use crate::error::{Error, Result};
use crate::state::{plain_struct, Plain, U64};
use pinocchio::cpi::{invoke, invoke_signed, Signer};
use pinocchio::instruction::{InstructionAccount, InstructionView};
use pinocchio::{AccountView, Address};

const CREATE_ACCOUNT: u32 = 0;
const ASSIGN: u32 = 1;
const TRANSFER: u32 = 2;
const ALLOCATE: u32 = 8;

plain_struct! {
    /// The data of `CreateAccount`.
    pub struct CreateAccount {
        number: [u8; 4],
        lamports: U64,
        space: U64,
        owner: Address,
    }
}

impl CreateAccount {
    /// Takes the lamports, the bytes and the owner of the account.
    pub const fn new(lamports: u64, space: u64, owner: Address) -> Self {
        let number = CREATE_ACCOUNT.to_le_bytes();
        Self { number, lamports: U64::new(lamports), space: U64::new(space), owner }
    }
}

/// Creates an account of zeros in one call. The system program rejects an address that holds lamports.
pub fn create_account(payer: &AccountView, account: &AccountView, data: &CreateAccount, signer: &Signer) -> Result {
    invoke_signed(
        &InstructionView {
            program_id: &SYSTEM_PROGRAM,
            data: data.as_bytes(),
            accounts: &[
                InstructionAccount::writable_signer(payer.address()),
                InstructionAccount::writable_signer(account.address()),
            ],
        },
        &[payer, account],
        core::slice::from_ref(signer),
    )
    .map_err(|_| Error::DuplicateAccount)
}

/// Moves lamports from an account that signed.
pub fn transfer(from: &AccountView, to: &AccountView, lamports: u64) -> Result {
    let data = instruction(TRANSFER, lamports.to_le_bytes());
    invoke(
        &InstructionView {
            program_id: &SYSTEM_PROGRAM,
            data: data.as_bytes(),
            accounts: &[
                InstructionAccount::writable_signer(from.address()),
                InstructionAccount::writable(to.address()),
            ],
        },
        &[from, to],
    )
    .map_err(|_| Error::DuplicateAccount)
}

/// Allocates zeroed space for an empty account of the system program.
pub fn allocate(account: &AccountView, space: u64, signer: &Signer) -> Result {
    let data = instruction(ALLOCATE, space.to_le_bytes());
    invoke_for(account, data.as_bytes(), signer)
}

/// Makes `owner` the owner of an account of the system program.
pub fn assign(account: &AccountView, owner: &Address, signer: &Signer) -> Result {
    let data = instruction(ASSIGN, owner.to_bytes());
    invoke_for(account, data.as_bytes(), signer)
}

fn invoke_for(account: &AccountView, data: &[u8], signer: &Signer) -> Result {
    invoke_signed(
        &InstructionView {
            program_id: &SYSTEM_PROGRAM,
            data,
            accounts: &[InstructionAccount::writable_signer(account.address())],
        },
        &[account],
        core::slice::from_ref(signer),
    )
    .map_err(|_| Error::DuplicateAccount)
}

/// Number and argument of an instruction of the system program, with no padding between them.
#[repr(C)]
struct Data<const N: usize> {
    number: [u8; 4],
    argument: [u8; N],
}

const fn instruction<const N: usize>(number: u32, argument: [u8; N]) -> Data<N> {
    Data { number: number.to_le_bytes(), argument }
}

// SAFETY: two arrays of bytes have no padding, and any bytes are a value.
unsafe impl<const N: usize> Plain for Data<N> {}
