//! `apply-rule`

use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, RuleChanged};
use crate::state::{load_mut, BoundMint, MintBinding};
use pinocchio::{AccountView, Address};

/// Makes an announced rule set that of a bound mint, after the seven days of the announcement. Anyone can send it. From
/// then on, transfers and issues require passes for this rule set. Works while the protocol is paused.
///
/// # Accounts
/// 0. `[writable]` `MintBinding`
/// 1. `[writable]` `ExtraAccountMetaList` of the mint
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [mint_binding, list] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    Reader::new(data).finish()?;
    let mut binding = load_mut::<MintBinding>(mint_binding, program_id)?;
    binding.apply(clock::now()?)?;
    BoundMint::load_mut(list, &binding.mint, program_id)?.rule = binding.rule;
    emit(&RuleChanged::new(binding.mint, binding.rule));
    Ok(())
}
