//! The check of the pass, and the rule set of a mint. Copy this file. With Anchor, these accounts are `UncheckedAccount`, and their bytes are in `data`.

use crate::error::ErrorCode;
use crate::PASSES;
use pinocchio::sysvars::{clock::Clock, Sysvar};
use pinocchio::{error::ProgramError, AccountView};
use rule_set_pass_interface::{is_live, Config, Key, MintBinding, Pass};

/// Rejects a wallet that holds no live pass of the rule set. The wallet must have signed.
pub fn require_pass(wallet: &Key, rule: &Key, pass: &AccountView, config: &AccountView) -> Result<(), ProgramError> {
    let now = u64::try_from(Clock::get()?.unix_timestamp).map_err(|_| ErrorCode::PassNotLive)?;
    let (pass_owner, config_owner) = (pass.owner(), config.owner());
    let (pass_data, config_data) = (pass.try_borrow()?, config.try_borrow()?);
    let pass = Pass::read(PASSES.as_array(), pass_owner.as_array(), &pass_data);
    let config = Config::read(PASSES.as_array(), config_owner.as_array(), &config_data);
    match (pass, config) {
        (Ok(pass), Ok(config)) if is_live(&pass, &config, now, rule, wallet) => Ok(()),
        (Ok(_), Ok(_)) => Err(ErrorCode::PassNotLive.into()),
        _ => Err(ErrorCode::PassMissing.into()),
    }
}

/// Returns the rule set of a bound mint now. The issuer can announce another one, which holds seven days later.
pub fn rule_of(mint: &AccountView, binding: &AccountView) -> Result<Key, ProgramError> {
    let (owner, data) = (binding.owner(), binding.try_borrow()?);
    match MintBinding::read(PASSES.as_array(), owner.as_array(), &data) {
        Ok(bound) if bound.mint == mint.address().as_array() && bound.honours_granted => Ok(*bound.rule),
        _ => Err(ErrorCode::ConstraintViolated.into()),
    }
}
