//! `withdraw-pass-funds`

use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::state::{load_mut, RuleSet};
use crate::withdrawal::withdraw;
use pinocchio::{AccountView, Address};

/// Moves pass funds of a rule set to an account that its creator chooses. Works while the protocol is paused.
///
/// # Accounts
/// 0. `[signer]` creator of the rule set
/// 1. `[writable]` `RuleSet`
/// 2. `[writable]` recipient
///
/// # Data
/// lamports (8)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [creator, rule_set, recipient] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let lamports = data.u64()?;
    data.finish()?;
    let fields = load_mut::<RuleSet>(rule_set, program_id)?;
    checks::creator(creator, &fields)?;
    let fees = fields.fees.get();
    drop(fields);
    withdraw(rule_set, recipient, lamports, fees)
}
