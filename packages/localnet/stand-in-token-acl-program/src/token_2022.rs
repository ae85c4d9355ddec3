//! What the stand-in reads of mints and token accounts of Token-2022, and its three calls.

use crate::addresses::TOKEN_2022_PROGRAM;
use crate::error::{require, Error, Result};
use pinocchio::cpi::{invoke, invoke_signed, Signer};
use pinocchio::instruction::{InstructionAccount, InstructionView};
use pinocchio::{AccountView, Address};

/// The account's type, after the base of a token account. Mints have it at the same place.
const TYPE_AT: usize = 165;
const EXTENSIONS_AT: usize = 166;
const MINT_TYPE: u8 = 1;
const TOKEN_ACCOUNT_TYPE: u8 = 2;
const DEFAULT_ACCOUNT_STATE: u16 = 6;

/// Returns the freeze authority of a mint, none if there is none.
///
/// Rejects a mint without the extension for the state of new accounts: it cannot be added later. It can say `Initialized`.
pub fn freeze_authority(mint: &AccountView) -> Result<Option<Address>> {
    let data = mint.try_borrow().map_err(|_| Error::AccountBorrowFailed)?;
    let is_mint = data.get(45) == Some(&1) && data.get(TYPE_AT) == Some(&MINT_TYPE);
    require(is_mint && has_default_account_state(&data)?, Error::InvalidTokenMint)?;
    match field(&data, 46)? {
        [0, 0, 0, 0] => Ok(None),
        [1, 0, 0, 0] => Ok(Some(Address::new_from_array(field(&data, 50)?))),
        _ => Err(Error::InvalidAccountData),
    }
}

fn has_default_account_state(data: &[u8]) -> Result<bool> {
    let mut rest = data.get(EXTENSIONS_AT..).unwrap_or_default();
    while let Some((&[kind_low, kind_high, length_low, length_high], value)) = rest.split_first_chunk() {
        match u16::from_le_bytes([kind_low, kind_high]) {
            0 => break,
            DEFAULT_ACCOUNT_STATE => return Ok(true),
            _ => {}
        }
        let length = usize::from(u16::from_le_bytes([length_low, length_high]));
        rest = value.get(length..).ok_or(Error::InvalidAccountData)?;
    }
    Ok(false)
}

/// What the stand-in reads of a token account.
pub struct TokenAccount {
    /// Its mint.
    pub mint: Address,
    /// Its owner.
    pub owner: Address,
    /// 1: initialized, 2: frozen.
    pub state: u8,
}

impl TokenAccount {
    /// Reads a token account. Like Token ACL, it does not check the owner program: Token-2022 does when it is called.
    pub fn read(account: &AccountView) -> Result<Self> {
        let data = account.try_borrow().map_err(|_| Error::AccountBorrowFailed)?;
        let [state] = field(&data, 108)?;
        let is_typed = data.len() == TYPE_AT || data.get(TYPE_AT) == Some(&TOKEN_ACCOUNT_TYPE);
        require(is_typed && (state == 1 || state == 2), Error::InvalidAccountData)?;
        let [mint, owner] = [field(&data, 0)?, field(&data, 32)?].map(Address::new_from_array);
        Ok(Self { mint, owner, state })
    }
}

/// Returns `N` bytes of an account.
fn field<const N: usize>(data: &[u8], offset: usize) -> Result<[u8; N]> {
    let from = data.get(offset..).ok_or(Error::InvalidAccountData)?;
    from.first_chunk().copied().ok_or(Error::InvalidAccountData)
}

/// Replaces the freeze authority of a mint by an address. A signer of the transaction, or of the call, is the authority.
#[inline(always)]
pub fn set_freeze_authority(mint: &AccountView, authority: &AccountView, next: &Address, signers: &[Signer]) -> Result {
    const SET_AUTHORITY: u8 = 6;
    const FREEZE_ACCOUNT: u8 = 1;
    let mut data = [0; 35];
    data[..3].copy_from_slice(&[SET_AUTHORITY, FREEZE_ACCOUNT, 1]);
    data[3..].copy_from_slice(next.as_ref());
    let accounts =
        [InstructionAccount::writable(mint.address()), InstructionAccount::readonly_signer(authority.address())];
    let instruction = InstructionView { program_id: &TOKEN_2022_PROGRAM, data: &data, accounts: &accounts };
    if signers.is_empty() {
        invoke(&instruction, &[mint, authority])
    } else {
        invoke_signed(&instruction, &[mint, authority], signers)
    }
    .map_err(|_| Error::AccountBorrowFailed)
}

/// A change of the state of a token account, as the number of the instruction of Token-2022.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Freezes the account.
    Freeze = 10,
    /// Thaws the account.
    Thaw = 11,
}

/// Freezes or thaws a token account as the freeze authority.
#[inline(always)]
pub fn change_state(
    change: Change,
    account: &AccountView,
    mint: &AccountView,
    authority: &AccountView,
    signer: &Signer,
) -> Result {
    let accounts = [
        InstructionAccount::writable(account.address()),
        InstructionAccount::readonly(mint.address()),
        InstructionAccount::readonly_signer(authority.address()),
    ];
    let data = [change as u8];
    let instruction = InstructionView { program_id: &TOKEN_2022_PROGRAM, data: &data, accounts: &accounts };
    invoke_signed(&instruction, &[account, mint, authority], core::slice::from_ref(signer))
        .map_err(|_| Error::AccountBorrowFailed)
}
