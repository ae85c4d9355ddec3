//! `end-grant`

use crate::checks;
use crate::clock;
use crate::closing::close;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, PassClosed};
use crate::state::{load, load_mut, Config, Pass, RuleSet};
use pinocchio::{AccountView, Address};

/// Closes a granted pass. The creator of the rule set may do so at any time, and anyone once the pass has expired or
/// governance has ended it. The creator gets the rent. Works also while the protocol is paused.
///
/// It does not close a suspended pass, because the account keeps the suspension. The creator lifts the suspension first.
///
/// # Accounts
/// 0. `[signer]` sender
/// 1. `[writable]` Pass
/// 2. `[]` `RuleSet` of the pass
/// 3. `[writable]` creator of the rule set: gets the rent
/// 4. `[]` Config
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [sender, pass, rule_set, creator, config] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    Reader::new(data).finish()?;
    checks::signer(sender)?;
    checks::writable(creator)?;
    let address = *pass.address();
    let fields = load_mut::<Pass>(pass, program_id)?;
    let is_of = &fields.rule == rule_set.address();
    if !is_of || &load::<RuleSet>(rule_set, program_id)?.creator != creator.address() {
        return Err(Error::WrongAddress);
    }
    if !fields.granted.get() {
        return Err(Error::PassNotGranted);
    }
    let now = clock::now()?;
    if fields.is_suspended(now) {
        return Err(Error::PassSuspended);
    }
    let valid_from = load::<Config>(config, program_id)?.passes_valid_from.get();
    let is_over = fields.is_expired(now) || fields.predates(valid_from);
    if !is_over && sender.address() != creator.address() {
        return Err(Error::NotCreator);
    }
    let event = PassClosed::new(address, fields.rule, fields.wallet);
    drop(fields);
    close(pass, creator)?;
    emit(&event);
    Ok(())
}
