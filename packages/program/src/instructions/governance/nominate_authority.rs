//! `nominate-authority`

use super::{config_to_change, By};
use crate::data::Reader;
use crate::error::Result;
use pinocchio::{AccountView, Address};

/// Nominates the next governance authority, or withdraws the nomination. Nothing else changes until the nominee accepts.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[writable]` Config
///
/// # Data
/// nominee (1 and 32; none withdraws the nomination)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let mut data = Reader::new(data);
    let nominee = data.optional_address()?;
    data.finish()?;
    config_to_change(program_id, accounts, By::Authority)?.nominee.set(nominee);
    Ok(())
}
