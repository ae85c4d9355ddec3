//! `unpause`

use super::{config_to_change, By};
use crate::data::Reader;
use crate::error::Result;
use crate::state::Flag;
use pinocchio::{AccountView, Address};

/// Ends the pause.
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
    config_to_change(program_id, accounts, By::Authority)?.paused = Flag::new(false);
    Ok(())
}
