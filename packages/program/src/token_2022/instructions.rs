//! The instructions of Token-2022 that this program calls.

use crate::addresses::TOKEN_2022_PROGRAM;
use crate::error::{Error, Result};
use crate::state::{plain_struct, Plain, U64};
use pinocchio::cpi::{invoke, invoke_signed, Signer};
use pinocchio::instruction::{InstructionAccount, InstructionView};
use pinocchio::{AccountView, Address};

/// The authorities of a mint that `bind-mint` replaces or removes, by their numbers in `SetAuthority`.
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Authority {
    /// Mints tokens.
    Mint = 0,
    /// Moves and burns the tokens of every holder.
    PermanentDelegate = 8,
    /// Changes the program of the transfer hook.
    TransferHook = 10,
}

plain_struct! {
    /// `SetAuthority`, number 6, with an address.
    pub struct SetAuthority {
        number: u8,
        authority_type: u8,
        is_some: u8,
        authority: Address,
    }
}

plain_struct! {
    /// `Update`, number 1, of the transfer-hook extension, number 36.
    pub struct UpdateHook {
        extension: u8,
        number: u8,
        program: Address,
    }
}

plain_struct! {
    /// `MintTo`, number 7, or `Burn`, number 8.
    pub struct Amount {
        number: u8,
        amount: U64,
    }
}

/// Replaces an authority of a mint by `next`. The holder of the authority signed.
pub fn set_authority(mint: &AccountView, holder: &AccountView, authority: Authority, next: &Address) -> Result {
    let data = SetAuthority { number: 6, authority_type: authority as u8, is_some: 1, authority: *next };
    signed_by(holder, mint, data.as_bytes())
}

/// Removes an authority of a mint for good. The holder of the authority signed.
pub fn remove_authority(mint: &AccountView, holder: &AccountView, authority: Authority) -> Result {
    signed_by(holder, mint, &[6, authority as u8, 0])
}

/// Sets the program of the transfer hook of a mint. The authority of the hook signed.
pub fn set_hook_program(mint: &AccountView, authority: &AccountView, program: &Address) -> Result {
    let data = UpdateHook { extension: 36, number: 1, program: *program };
    signed_by(authority, mint, data.as_bytes())
}

/// Calls an instruction on a mint that an authority of the mint signed.
fn signed_by(authority: &AccountView, mint: &AccountView, data: &[u8]) -> Result {
    invoke(
        &InstructionView {
            program_id: &TOKEN_2022_PROGRAM,
            data,
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
    let data = Amount { number: 7, amount: U64::new(amount) };
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

/// Burns tokens with a permanent delegate that is an address of this program.
pub fn burn(source: &AccountView, mint: &AccountView, delegate: &AccountView, amount: u64, signer: &Signer) -> Result {
    let data = Amount { number: 8, amount: U64::new(amount) };
    invoke_signed(
        &InstructionView {
            program_id: &TOKEN_2022_PROGRAM,
            data: data.as_bytes(),
            accounts: &[
                InstructionAccount::writable(source.address()),
                InstructionAccount::writable(mint.address()),
                InstructionAccount::readonly_signer(delegate.address()),
            ],
        },
        &[source, mint, delegate],
        core::slice::from_ref(signer),
    )
    .map_err(|_| Error::DuplicateAccount)
}
