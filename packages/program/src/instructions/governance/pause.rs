//! `pause`

use super::{config_to_change, By};
use crate::data::Reader;
use crate::error::Result;
use crate::state::Flag;
use pinocchio::{AccountView, Address};

/// Pauses the protocol. The guardian can do nothing else.
///
/// # Accounts
/// 0. `[signer]` the governance authority or the guardian
/// 1. `[writable]` Config
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    Reader::new(data).finish()?;
    config_to_change(program_id, accounts, By::AuthorityOrGuardian)?.paused = Flag::new(true);
    Ok(())
}
