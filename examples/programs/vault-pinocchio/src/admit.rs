//! The check of the pass, and the rule set of a mint. Copy this file.

use crate::error::VaultError;
use crate::PASSES;
use pinocchio::sysvars::{clock::Clock, Sysvar};
use pinocchio::{error::ProgramError, AccountView, ProgramResult};
use rule_set_pass_interface::{standing, Config, Key, MintBinding, Pass, Standing};

// #region admit
/// Rejects a wallet that holds no live pass of the rule set. The wallet must have signed.
pub fn admit(wallet: &AccountView, rule: &Key, pass: &AccountView, config: &AccountView) -> ProgramResult {
    if !wallet.is_signer() {
        return Err(VaultError::NotSigned.into());
    }
    let now = u64::try_from(Clock::get()?.unix_timestamp).map_err(|_| VaultError::PassExpired)?;
    let (pass_owner, config_owner) = (pass.owner(), config.owner());
    let (pass_data, config_data) = (pass.try_borrow()?, config.try_borrow()?);
    let pass = Pass::read(PASSES.as_array(), pass_owner.as_array(), &pass_data);
    let config = Config::read(PASSES.as_array(), config_owner.as_array(), &config_data);
    let (Ok(pass), Ok(config)) = (pass, config) else {
        return Err(VaultError::PassMissing.into());
    };
    match standing(&pass, &config, now, rule, wallet.address().as_array()) {
        Standing::Live => Ok(()),
        Standing::OfAnother => Err(VaultError::PassMissing.into()),
        Standing::Expired => Err(VaultError::PassExpired.into()),
        Standing::Suspended => Err(VaultError::PassSuspended.into()),
        Standing::Granted => Err(VaultError::PassGranted.into()),
    }
}
// #endregion admit

/// Returns the rule set of a bound mint now. The issuer can announce another one, which holds seven days later.
pub fn rule_of(mint: &AccountView, binding: &AccountView) -> Result<Key, ProgramError> {
    let owner = binding.owner();
    let data = binding.try_borrow()?;
    match MintBinding::read(PASSES.as_array(), owner.as_array(), &data) {
        Ok(bound) if bound.mint == mint.address().as_array() && bound.honours_granted => Ok(*bound.rule),
        _ => Err(VaultError::BindingInvalid.into()),
    }
}
