//! Token accounts.

use super::extensions::{kind, Extensions};
use crate::addresses::TOKEN_2022_PROGRAM;
use crate::error::{Error, Result};
use crate::state::{plain_struct, Plain, U64};
use core::mem::size_of;
use pinocchio::account::Ref;
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
// The flags come first. Then an error, which is returned in the same bytes, overlaps no pointer, and the hook takes fewer units.
#[repr(C)]
pub struct TokenAccount<'a> {
    /// Whether it has the `ImmutableOwner` extension.
    pub has_immutable_owner: bool,
    /// Whether Token-2022 is executing a transfer from or to it.
    pub is_transferring: bool,
    /// Its owner.
    pub owner: Ref<'a, Address>,
}

impl<'a> TokenAccount<'a> {
    /// Reads a token account of `mint`; rejects any other account with [`Error::TokenAccountInvalid`].
    pub fn read(account: &'a AccountView, mint: &Address) -> Result<Self> {
        if !account.owned_by(&TOKEN_2022_PROGRAM) {
            return Err(Error::TokenAccountInvalid);
        }
        let data = account.try_borrow().map_err(|_| Error::DuplicateAccount)?;
        let base = Base::at_front(&data).ok_or(Error::TokenAccountInvalid)?;
        let extensions: &[u8] = match data.get(TYPE_AT..) {
            Some([]) => &[],
            Some([TOKEN_ACCOUNT_TYPE, extensions @ ..]) => extensions,
            _ => return Err(Error::TokenAccountInvalid),
        };
        if base.state == 0 || &base.mint != mint {
            return Err(Error::TokenAccountInvalid);
        }
        let (mut has_immutable_owner, mut is_transferring) = (false, false);
        for extension in Extensions::new(extensions) {
            match extension.map_err(|_| Error::TokenAccountInvalid)? {
                (kind::IMMUTABLE_OWNER, _) => has_immutable_owner = true,
                (kind::TRANSFER_HOOK_ACCOUNT, value) => is_transferring = value == [1],
                _ => {}
            }
        }
        let owner = Ref::filter_map(data, |data| Some(&Base::at_front(data)?.owner));
        Ok(Self { owner: owner.map_err(|_| Error::TokenAccountInvalid)?, has_immutable_owner, is_transferring })
    }
}
