//! Token accounts.

use super::extensions::{kind, Extensions};
use crate::addresses::TOKEN_2022_PROGRAM;
use crate::error::{Error, Result};
use crate::state::{plain_struct, Plain, U64};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

const TOKEN_ACCOUNT_TYPE: u8 = 2;
/// Offset of the type of a token account with extensions.
const TYPE_AT: usize = size_of::<Base>();

plain_struct! {
    /// The fixed part of a token account. One without extensions ends here.
    pub struct Base {
        mint: Address,
        owner: Address,
        _amount: U64,
        _delegate: [u8; 36],
        state: u8,
        _native_and_delegated_amount: [u8; 20],
        _close_authority: [u8; 36],
    }
}

/// What the program reads from a token account.
pub struct TokenAccount {
    /// Its owner.
    pub owner: Address,
    /// Whether it has the `ImmutableOwner` extension.
    pub has_immutable_owner: bool,
    /// Whether Token-2022 is executing a transfer from or to it.
    pub is_transferring: bool,
}

impl TokenAccount {
    /// Reads a token account of `mint`; rejects any other account with [`Error::TokenAccountInvalid`].
    pub fn read(account: &AccountView, mint: &Address) -> Result<Self> {
        if !account.owned_by(&TOKEN_2022_PROGRAM) {
            return Err(Error::TokenAccountInvalid);
        }
        let data = account.try_borrow().map_err(|_| Error::DuplicateAccount)?;
        let base = Base::at_front(&data).ok_or(Error::TokenAccountInvalid)?;
        let is_token_account = data.get(TYPE_AT) == Some(&TOKEN_ACCOUNT_TYPE) || data.len() == size_of::<Base>();
        if !is_token_account || base.state == 0 || &base.mint != mint {
            return Err(Error::TokenAccountInvalid);
        }
        let mut read = Self { owner: base.owner, has_immutable_owner: false, is_transferring: false };
        for extension in Extensions::of(&data) {
            match extension.map_err(|_| Error::TokenAccountInvalid)? {
                (kind::IMMUTABLE_OWNER, _) => read.has_immutable_owner = true,
                (kind::TRANSFER_HOOK_ACCOUNT, value) => read.is_transferring = value == [1],
                _ => {}
            }
        }
        Ok(read)
    }
}
