//! `set-guardian`

use super::{config_to_change, By};
use crate::data::Reader;
use crate::error::Result;
use pinocchio::{AccountView, Address};

/// Sets the guardian, which may only pause the protocol.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[writable]` Config
///
/// # Data
/// guardian (1 and 32; none removes it)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let mut data = Reader::new(data);
    let guardian = data.optional_address()?;
    data.finish()?;
    config_to_change(program_id, accounts, By::Authority)?.guardian.set(guardian);
    Ok(())
}
