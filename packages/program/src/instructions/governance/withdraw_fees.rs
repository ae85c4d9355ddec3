//! `withdraw-fees`

use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::state::{load, load_mut, Config, Treasury};
use crate::withdrawal::withdraw;
use pinocchio::{AccountView, Address};

/// Moves pass fees from the treasury to an account that governance chooses. Works while the protocol is paused.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[]` Config
/// 2. `[writable]` Treasury
/// 3. `[writable]` recipient
///
/// # Data
/// lamports (8)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [authority, config, treasury, recipient] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let lamports = data.u64()?;
    data.finish()?;
    checks::authority(authority, &*load::<Config>(config, program_id)?)?;
    drop(load_mut::<Treasury>(treasury, program_id)?);
    withdraw(treasury, recipient, lamports, 0)
}
