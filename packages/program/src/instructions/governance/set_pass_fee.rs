//! `set-pass-fee`

use super::{config_to_change, By};
use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::state::U64;
use pinocchio::{AccountView, Address};

/// Cap of the pass fee in lamports.
const MAX_PASS_FEE: u64 = 100_000_000;

/// Seconds after which a raise of the pass fee takes effect.
const RAISE_DELAY_SECONDS: u64 = 7 * 86_400;

/// Sets or unsets the pass fee. A raise takes effect after seven days, which everybody can see in Config. Any other change
/// takes effect at once, and replaces a raise that waits.
///
/// A fee above the one that was last unset is a raise too. So unsetting the fee does not bypass the delay.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[writable]` Config
///
/// # Data
/// pass fee in lamports (1 and 8; none unsets it)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let mut data = Reader::new(data);
    let fee = data.optional_u64()?;
    data.finish()?;
    if fee.is_some_and(|fee| fee > MAX_PASS_FEE) {
        return Err(Error::PassFeeTooHigh);
    }
    let mut config = config_to_change(program_id, accounts, By::Authority)?;
    let now = clock::now()?;
    let current = config.pass_fee_at(now);
    let before = current.or(config.unset_pass_fee.get().map(U64::get));
    let is_raise = fee.zip(before).is_some_and(|(fee, before)| fee > before);
    let (at_once, next) = if is_raise { (current, fee) } else { (fee, None) };
    config.pass_fee.set(at_once.map(U64::new));
    config.next_pass_fee.set(next.map(U64::new));
    let from = if is_raise { now.checked_add(RAISE_DELAY_SECONDS).ok_or(Error::Overflow)? } else { 0 };
    config.next_pass_fee_from = U64::new(from);
    config.unset_pass_fee.set(if at_once.is_none() { before.map(U64::new) } else { None });
    Ok(())
}
