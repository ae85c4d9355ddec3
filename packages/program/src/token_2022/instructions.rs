//! The two instructions of Token-2022 that this program calls.

use crate::addresses::TOKEN_2022_PROGRAM;
use crate::error::{Error, Result};
use crate::state::{plain_struct, Plain, U64};
use pinocchio::cpi::{invoke, invoke_signed, Signer};
use pinocchio::instruction::{InstructionAccount, InstructionView};
use pinocchio::{AccountView, Address};

plain_struct! {
    /// `SetAuthority`, number 6, which sets the mint authority, type 0, to an address.
    pub struct SetAuthority {
        number: u8,
        authority_type: u8,
        is_some: u8,
        authority: Address,
    }
}

plain_struct! {
    /// `MintTo`, number 7.
    pub struct MintTo {
        number: u8,
        amount: U64,
    }
}

/// Replaces the mint authority `authority`, which signed, by `next`.
pub fn set_mint_authority(mint: &AccountView, authority: &AccountView, next: &Address) -> Result {
    let data = SetAuthority { number: 6, authority_type: 0, is_some: 1, authority: *next };
    invoke(
        &InstructionView {
            program_id: &TOKEN_2022_PROGRAM,
            data: data.as_bytes(),
            accounts: &[
                InstructionAccount::writable(mint.address()),
                InstructionAccount::readonly_signer(authority.address()),
            ],
        },
        &[mint, authority],
    )
    .map_err(|_| Error::DuplicateAccount)
}

/// Mints tokens with a mint authority that is an address of this program.
pub fn mint_to(
    mint: &AccountView,
    destination: &AccountView,
    authority: &AccountView,
    amount: u64,
    signer: &Signer,
) -> Result {
    let data = MintTo { number: 7, amount: U64::new(amount) };
    invoke_signed(
        &InstructionView {
            program_id: &TOKEN_2022_PROGRAM,
            data: data.as_bytes(),
            accounts: &[
                InstructionAccount::writable(mint.address()),
                InstructionAccount::writable(destination.address()),
                InstructionAccount::readonly_signer(authority.address()),
            ],
        },
        &[mint, destination, authority],
        core::slice::from_ref(signer),
    )
    .map_err(|_| Error::DuplicateAccount)
}
