//! `set-max-pass-fee`

use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, MaxPassFeeSet};
use crate::state::{load_mut, RuleSet, U64};
use pinocchio::{AccountView, Address};

/// Sets the highest pass fee that the pass funds of a rule set pay. Works while the protocol is paused.
///
/// # Accounts
/// 0. `[signer]` creator of the rule set
/// 1. `[writable]` `RuleSet`
///
/// # Data
/// lamports (8)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [creator, rule_set] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let lamports = data.u64()?;
    data.finish()?;
    let mut fields = load_mut::<RuleSet>(rule_set, program_id)?;
    checks::creator(creator, &fields)?;
    fields.max_pass_fee = U64::new(lamports);
    drop(fields);
    emit(&MaxPassFeeSet::new(*rule_set.address(), U64::new(lamports)));
    Ok(())
}
