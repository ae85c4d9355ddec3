//! The account of Token ACL (sRFC 37) that this program reads. Token ACL is the freeze authority of a gated mint, and asks
//! this program before it thaws or freezes a token account.

use crate::addresses::TOKEN_ACL_PROGRAM;
use crate::error::{Error, Result};
use crate::state::{plain_struct, Flag, Plain};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

const MINT_CONFIG_TYPE: u8 = 1;

plain_struct! {
    /// The `MintConfig` of a mint. It is the freeze authority of the mint.
    pub struct MintConfig {
        account_type: u8,
        _bump: u8,
        _can_thaw: Flag,
        _can_freeze: Flag,
        mint: Address,
        authority: Address,
        _gate: Address,
    }
}

/// Rejects an account that is not the `MintConfig` of the mint, and a signer that is not its authority.
///
/// Token ACL creates the account only for the freeze authority of the mint, at one address for each mint.
pub fn require_authority(mint_config: &AccountView, mint: &Address, authority: &Address) -> Result {
    if !mint_config.owned_by(&TOKEN_ACL_PROGRAM) {
        return Err(Error::WrongOwner);
    }
    let data = mint_config.try_borrow().map_err(|_| Error::DuplicateAccount)?;
    let config = MintConfig::at_front(&data).ok_or(Error::WrongAccountType)?;
    if data.len() != size_of::<MintConfig>() || config.account_type != MINT_CONFIG_TYPE {
        return Err(Error::WrongAccountType);
    }
    if &config.mint != mint {
        return Err(Error::MintConfigMismatch);
    }
    if &config.authority != authority {
        return Err(Error::NotMintConfigAuthority);
    }
    Ok(())
}
