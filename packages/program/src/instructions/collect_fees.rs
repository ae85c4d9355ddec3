//! `collect-fees`

use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, FeesCollected};
use crate::state::{load_mut, RuleSet, Treasury, U64};
use pinocchio::{AccountView, Address};

/// Moves the pass fees of a rule set to the treasury. Does nothing if there are none, so that one of several in a
/// transaction does not end the others. Anyone may send it, also while the protocol is paused.
///
/// # Accounts
/// 0. `[writable]` `RuleSet`
/// 1. `[writable]` Treasury
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [rule_set, treasury] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    Reader::new(data).finish()?;
    let mut rules = load_mut::<RuleSet>(rule_set, program_id)?;
    let mut total = load_mut::<Treasury>(treasury, program_id)?;
    let fees = rules.fees.get();
    if fees == 0 {
        return Ok(());
    }

    rules.fees = U64::new(0);
    total.fees_collected = U64::new(total.fees_collected.get().checked_add(fees).ok_or(Error::Overflow)?);
    drop(rules);
    drop(total);
    let left = rule_set.lamports().checked_sub(fees).ok_or(Error::Overflow)?;
    let held = treasury.lamports().checked_add(fees).ok_or(Error::Overflow)?;
    rule_set.set_lamports(left);
    treasury.set_lamports(held);
    emit(&FeesCollected::new(*rule_set.address(), U64::new(fees)));
    Ok(())
}
