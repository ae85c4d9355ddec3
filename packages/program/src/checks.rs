//! What several instructions check of the accounts that they are given.

use crate::addresses::SYSTEM_PROGRAM;
use crate::error::{Error, Result};
use crate::state::Config;
use pinocchio::{AccountView, Address};

/// Refuses an account that did not sign.
pub fn signer(account: &AccountView) -> Result {
    if account.is_signer() {
        Ok(())
    } else {
        Err(Error::MissingSignature)
    }
}

/// Refuses an account that is not writable.
pub fn writable(account: &AccountView) -> Result {
    if account.is_writable() {
        Ok(())
    } else {
        Err(Error::NotWritable)
    }
}

/// Refuses a payer of rent that did not sign or is not writable.
pub fn payer(account: &AccountView) -> Result {
    signer(account)?;
    writable(account)
}

/// Refuses a program or sysvar account other than `expected`.
pub fn program(account: &AccountView, expected: &Address) -> Result {
    if account.address() == expected {
        Ok(())
    } else {
        Err(Error::WrongProgram)
    }
}

/// Refuses an account other than the system program.
pub fn system_program(account: &AccountView) -> Result {
    program(account, &SYSTEM_PROGRAM)
}

/// Refuses two accounts that are one.
pub fn distinct(one: &AccountView, other: &AccountView) -> Result {
    if one.address() == other.address() {
        Err(Error::DuplicateAccount)
    } else {
        Ok(())
    }
}

/// Refuses an account that is not the governance authority or did not sign.
pub fn authority(account: &AccountView, config: &Config) -> Result {
    signer(account)?;
    if account.address() == &config.authority {
        Ok(())
    } else {
        Err(Error::NotAuthority)
    }
}

/// Refuses while the protocol is paused.
pub fn not_paused(config: &Config) -> Result {
    if config.paused.get() {
        Err(Error::ProtocolPaused)
    } else {
        Ok(())
    }
}
