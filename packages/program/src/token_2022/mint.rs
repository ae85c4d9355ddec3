//! Mints, and the profile that a mint needs before it can be bound.

use super::extensions::{kind, Extensions};
use crate::addresses::TOKEN_2022_PROGRAM;
use crate::error::{Error, Result};
use crate::state::{plain_struct, Plain, U64};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

const MINT_TYPE: u8 = 1;
/// Offset of the type of a mint with extensions, after space that only token accounts use.
const TYPE_AT: usize = 165;

plain_struct! {
    /// An optional address in the base of a mint.
    pub struct MaybeAddress {
        present: [u8; 4],
        address: Address,
    }
}

impl MaybeAddress {
    fn get(&self) -> Result<Option<&Address>> {
        match u32::from_le_bytes(self.present) {
            0 => Ok(None),
            1 => Ok(Some(&self.address)),
            _ => Err(Error::MintInvalid),
        }
    }
}

plain_struct! {
    /// The fixed part of a mint.
    pub struct Base {
        authority: MaybeAddress,
        supply: U64,
        _decimals: u8,
        is_initialized: u8,
        freeze_authority: MaybeAddress,
    }
}

plain_struct! {
    /// The transfer hook of a mint; zeros mean no address.
    pub struct TransferHook {
        authority: Address,
        program: Address,
    }
}

/// Rejects a mint whose tokens could reach a wallet without a call of this program, now or later.
///
/// The profile (SPEC.md section 2, mint binding): an initialized Token-2022 mint without supply. The mint authority is
/// the issuer. The transfer hook is this program forever. The freeze authority is none or the issuer. Other extensions
/// than the hook are metadata pointer and metadata only.
pub fn check_binding_profile(account: &AccountView, issuer: &Address, program_id: &Address) -> Result {
    if !account.owned_by(&TOKEN_2022_PROGRAM) {
        return Err(Error::MintInvalid);
    }
    let data = account.try_borrow().map_err(|_| Error::DuplicateAccount)?;
    let base = Base::at_front(&data).ok_or(Error::MintInvalid)?;
    let is_mint = data.len() == size_of::<Base>() || data.get(TYPE_AT) == Some(&MINT_TYPE);
    if !is_mint || base.is_initialized != 1 {
        return Err(Error::MintInvalid);
    }
    let hook = supported_hook(Extensions::of(&data))?.ok_or(Error::MintHookMismatch)?;
    if &hook.program != program_id || hook.authority != Address::default() {
        return Err(Error::MintHookMismatch);
    }
    if base.supply.get() != 0 {
        return Err(Error::MintSupplyNotZero);
    }
    if base.authority.get()? != Some(issuer) {
        return Err(Error::MintAuthorityMismatch);
    }
    if base.freeze_authority.get()?.is_some_and(|authority| authority != issuer) {
        return Err(Error::MintFreezeAuthorityMismatch);
    }
    Ok(())
}

/// Returns the transfer hook, and rejects extensions that the profile does not allow.
fn supported_hook(extensions: Extensions<'_>) -> Result<Option<&TransferHook>> {
    let mut hook = None;
    for extension in extensions {
        match extension.map_err(|_| Error::MintInvalid)? {
            (kind::TRANSFER_HOOK, value) => hook = Some(TransferHook::at_front(value).ok_or(Error::MintInvalid)?),
            (kind::METADATA_POINTER | kind::TOKEN_METADATA, _) => {}
            _ => return Err(Error::MintExtensionUnsupported),
        }
    }
    Ok(hook)
}
