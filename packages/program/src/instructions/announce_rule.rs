//! `announce-rule`

use crate::checks;
use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, RuleAnnounced};
use crate::state::{load, load_mut, MintBinding, RuleSet};
use pinocchio::{AccountView, Address};

/// Seconds after which an announced rule set can be applied.
const DELAY_SECONDS: u64 = 7 * 86_400;

/// Announces another rule set for a bound mint, which anyone can apply after seven days. It replaces the announcement
/// before. The present rule set cancels it. Works while the protocol is paused.
///
/// # Accounts
/// 0. `[signer]` issuer of the binding
/// 1. `[writable]` `MintBinding`
/// 2. `[]` `RuleSet`
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [issuer, mint_binding, rule_set] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    Reader::new(data).finish()?;
    load::<RuleSet>(rule_set, program_id)?;
    let mut binding = load_mut::<MintBinding>(mint_binding, program_id)?;
    checks::issuer(issuer, &binding)?;
    let from = clock::now()?.checked_add(DELAY_SECONDS).ok_or(Error::Overflow)?;
    let from = binding.announce(rule_set.address(), from);
    emit(&RuleAnnounced::new(binding.mint, *rule_set.address(), from));
    Ok(())
}
