//! What several instructions check of the accounts that they are given.

use crate::addresses::SYSTEM_PROGRAM;
use crate::error::{Error, Result};
use crate::state::{is_missing, load, Config, Pass};
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

/// Whose pass is asked for, which decides what its lack is called.
#[derive(Clone, Copy)]
pub enum Holder {
    /// The owner of the token account that tokens reach.
    Destination,
    /// The owner of the token account that tokens leave.
    Source,
}

/// The demand of a live pass for a rule set.
pub struct PassCheck<'a> {
    /// Address of the rule set.
    pub rule: &'a Address,
    /// This program.
    pub program_id: &'a Address,
    /// Unix seconds.
    pub now: u64,
}

impl PassCheck<'_> {
    /// Refuses an account that is not the live pass of the wallet.
    pub fn require(&self, holder: Holder, wallet: &Address, account: &AccountView) -> Result {
        let (missing, expired) = match holder {
            Holder::Destination => (Error::DestinationPassMissing, Error::DestinationPassExpired),
            Holder::Source => (Error::SourcePassMissing, Error::SourcePassExpired),
        };
        if is_missing(account, self.program_id) {
            return Err(missing);
        }
        let pass = load::<Pass>(account, self.program_id)?;
        if !pass.is_of(self.rule, wallet) {
            return Err(Error::WrongAddress);
        }
        if pass.is_expired(self.now) {
            return Err(expired);
        }
        Ok(())
    }
}
