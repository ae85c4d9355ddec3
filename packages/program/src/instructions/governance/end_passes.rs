//! `end-passes`

use super::{config_to_change, By};
use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::state::U64;
use pinocchio::{AccountView, Address};

/// Ends every pass that was issued until now, such as those of a broken circuit. Their holders can renew them at once.
///
/// It includes the passes of the current second, because an attacker may have proved some of them just before. The time
/// only increases, because the clock of the chain does.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[writable]` Config
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    Reader::new(data).finish()?;
    let mut config = config_to_change(program_id, accounts, By::Authority)?;
    let next_second = clock::now()?.checked_add(1).ok_or(Error::Overflow)?;
    config.passes_valid_from = U64::new(next_second);
    Ok(())
}
