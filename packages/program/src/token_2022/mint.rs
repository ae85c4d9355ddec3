//! Mints, and the profile that a mint needs before it can be bound.

use super::extensions::{kind, Extensions};
use crate::addresses::TOKEN_2022_PROGRAM;
use crate::error::{Error, Result};
use crate::state::{plain_struct, Plain, U64};
use core::mem::size_of;
use pinocchio::account::Ref;
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

/// What `bind-mint` takes over from the issuer for good.
pub struct Takeover {
    /// The hook has no program yet.
    pub hook_program: bool,
    /// The issuer is the authority of the hook.
    pub hook_authority: bool,
    /// The issuer is the permanent delegate.
    pub delegate: bool,
}

/// Rejects a mint whose tokens could reach a wallet without a call of this program after the takeover, or leave one
/// without a record.
///
/// The profile (SPEC.md section 2, mint binding): an initialized Token-2022 mint without supply. The mint authority is
/// the issuer. The transfer hook is this program, or none that the issuer can set. The authority of the hook is none or
/// the issuer, the permanent delegate is none, the issuer or the binding, and the freeze authority is none or the issuer.
/// Other extensions only restrict tokens or describe them. `packages/protocol/src/token/mint-extensions.ts` has the list
/// with reasons, and a test compares both.
pub fn check_binding_profile(
    account: &AccountView,
    issuer: &Address,
    binding: &Address,
    program_id: &Address,
) -> Result<Takeover> {
    let data = borrow(account)?;
    let base = base(&data)?;
    if base.authority.get()? != Some(issuer) {
        return Err(Error::MintAuthorityMismatch);
    }
    let Profile { hook, delegate } = Profile::read(Extensions::of(&data))?;
    let hook = hook.ok_or(Error::MintHookMismatch)?;
    let hook_authority = &hook.authority == issuer;
    if !hook_authority && hook.authority != NONE {
        return Err(Error::MintHookAuthorityMismatch);
    }
    let hook_program = hook.program == NONE && hook_authority;
    if !hook_program && &hook.program != program_id {
        return Err(Error::MintHookMismatch);
    }
    let delegate = delegate.unwrap_or(&NONE);
    if ![issuer, binding, &NONE].contains(&delegate) {
        return Err(Error::MintDelegateMismatch);
    }
    if base.supply.get() != 0 {
        return Err(Error::MintSupplyNotZero);
    }
    if base.freeze_authority.get()?.is_some_and(|authority| authority != issuer) {
        return Err(Error::MintFreezeAuthorityMismatch);
    }
    Ok(Takeover { hook_program, hook_authority, delegate: delegate == issuer })
}

/// Rejects a mint whose permanent delegate is not its binding. A holder's own approval of the binding does not count.
pub fn check_recovery(account: &AccountView, binding: &Address) -> Result {
    let data = borrow(account)?;
    base(&data)?;
    match Profile::read(Extensions::of(&data))?.delegate {
        Some(delegate) if delegate == binding => Ok(()),
        _ => Err(Error::RecoveryNotEnabled),
    }
}

/// Zeros mean no address.
const NONE: Address = Address::new_from_array([0; 32]);

#[inline(always)]
fn borrow(account: &AccountView) -> Result<Ref<'_, [u8]>> {
    if !account.owned_by(&TOKEN_2022_PROGRAM) {
        return Err(Error::MintInvalid);
    }
    account.try_borrow().map_err(|_| Error::DuplicateAccount)
}

/// Returns the fixed part of an initialized mint.
#[inline(always)]
fn base(data: &[u8]) -> Result<&Base> {
    let base = Base::at_front(data).ok_or(Error::MintInvalid)?;
    let is_mint = data.len() == size_of::<Base>() || data.get(TYPE_AT) == Some(&MINT_TYPE);
    if !is_mint || base.is_initialized != 1 {
        return Err(Error::MintInvalid);
    }
    Ok(base)
}

/// The extensions of a mint that need more than a look at their number.
struct Profile<'a> {
    hook: Option<&'a TransferHook>,
    delegate: Option<&'a Address>,
}

impl<'a> Profile<'a> {
    /// Reads the extensions. Rejects those that a bound mint must not have.
    #[inline(never)]
    fn read(extensions: Extensions<'a>) -> Result<Self> {
        let mut profile = Self { hook: None, delegate: None };
        for extension in extensions {
            match extension.map_err(|_| Error::MintInvalid)? {
                (kind::TRANSFER_HOOK, value) => profile.hook = Some(whole(value)?),
                (kind::PERMANENT_DELEGATE, value) => profile.delegate = Some(whole(value)?),
                (
                    kind::DEFAULT_ACCOUNT_STATE
                    | kind::NON_TRANSFERABLE
                    | kind::INTEREST_BEARING
                    | kind::METADATA_POINTER
                    | kind::TOKEN_METADATA
                    | kind::GROUP_POINTER
                    | kind::TOKEN_GROUP
                    | kind::GROUP_MEMBER_POINTER
                    | kind::TOKEN_GROUP_MEMBER
                    | kind::SCALED_UI_AMOUNT
                    | kind::PAUSABLE,
                    _,
                ) => {}
                _ => return Err(Error::MintExtensionUnsupported),
            }
        }
        Ok(profile)
    }
}

#[inline(always)]
fn whole<T: Plain>(value: &[u8]) -> Result<&T> {
    T::at_front(value).ok_or(Error::MintInvalid)
}

/// Rejects a mint whose new token accounts are not frozen, or whose freeze authority is not `freeze_authority`.
pub fn check_frozen_by_default(account: &AccountView, freeze_authority: &Address) -> Result {
    const FROZEN: &[u8] = &[2];
    let data = borrow(account)?;
    if base(&data)?.freeze_authority.get()? != Some(freeze_authority) {
        return Err(Error::MintConfigMismatch);
    }
    for extension in Extensions::of(&data) {
        if extension.map_err(|_| Error::MintInvalid)? == (kind::DEFAULT_ACCOUNT_STATE, FROZEN) {
            return Ok(());
        }
    }
    Err(Error::MintNotFrozenByDefault)
}
