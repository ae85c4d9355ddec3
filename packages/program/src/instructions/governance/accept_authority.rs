//! `accept-authority`

use super::{config_to_change, By};
use crate::data::Reader;
use crate::error::{Error, Result};
use pinocchio::{AccountView, Address};

/// Makes the nominee the governance authority, and clears the nomination.
///
/// # Accounts
/// 0. `[signer]` nominee: the governance authority from now on
/// 1. `[writable]` Config
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    Reader::new(data).finish()?;
    let mut config = config_to_change(program_id, accounts, By::Nominee)?;
    config.authority = config.nominee.get().ok_or(Error::NotNominee)?;
    config.nominee.set(None);
    Ok(())
}
