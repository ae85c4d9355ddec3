//! `set-governance`

use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, GovernanceSet};
use crate::program_data;
use crate::state::{load_mut, Config, Flag, U64};
use pinocchio::{AccountView, Address};

/// Cap of the pass fee in lamports.
const MAX_PASS_FEE: u64 = 100_000_000;

/// Sets authority, pause and pass fee, and records the current upgrade authority.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[signer]` next authority: the governance authority from now on; the same account to keep it
/// 2. `[writable]` Config
/// 3. `[]` `ProgramData` of this program
///
/// # Data
/// paused (1), pass fee in lamports (1 and 8; none unsets it)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [authority, next_authority, config, program_data] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let paused = data.bool()?;
    let pass_fee = data.optional_u64()?;
    data.finish()?;
    checks::signer(next_authority)?;
    let mut fields = load_mut::<Config>(config, program_id)?;
    checks::authority(authority, &fields)?;
    if pass_fee.is_some_and(|fee| fee > MAX_PASS_FEE) {
        return Err(Error::PassFeeTooHigh);
    }

    fields.authority = *next_authority.address();
    fields.upgrade_authority.set(program_data::upgrade_authority(program_id, program_data)?);
    fields.paused = Flag::new(paused);
    fields.pass_fee.set(pass_fee.map(U64::new));
    drop(fields);
    emit(&GovernanceSet::new(*config.address()));
    Ok(())
}
