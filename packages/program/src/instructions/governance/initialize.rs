//! `initialize`

use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, GovernanceSet};
use crate::program_data;
use crate::rent::Rent;
use crate::state::{self, create, Config, Creation, Treasury};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

/// Creates Config and Treasury, once. The protocol starts unpaused, with no pass fee and no circuit.
///
/// # Accounts
/// 0. `[signer, writable]` payer: pays rent
/// 1. `[signer]` upgrade authority: the one that `ProgramData` names
/// 2. `[signer]` authority: the governance authority from now on
/// 3. `[writable]` Config, created
/// 4. `[writable]` Treasury, created
/// 5. `[]` `ProgramData` of this program
/// 6. `[]` system program
///
/// # Data
/// genesis hash of the cluster (32)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [payer, upgrade_authority, authority, config, treasury, program_data, system_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let genesis_hash = data.bytes()?;
    data.finish()?;
    checks::signer(upgrade_authority)?;
    checks::signer(authority)?;
    if program_data::upgrade_authority(program_id, program_data)?.as_ref() != Some(upgrade_authority.address()) {
        return Err(Error::NotUpgradeAuthority);
    }

    let rent = Rent::read()?;
    let bump = create(&Creation {
        payer,
        account: config,
        system_program,
        program_id,
        seeds: [Config::SEED, &[], &[]],
        space: size_of::<Config>(),
        rent,
    })?;
    let mut fields = state::initialize::<Config>(config, bump)?;
    fields.genesis_hash = *genesis_hash;
    fields.authority = *authority.address();
    drop(fields);

    let bump = create(&Creation {
        payer,
        account: treasury,
        system_program,
        program_id,
        seeds: [Treasury::SEED, &[], &[]],
        space: size_of::<Treasury>(),
        rent,
    })?;
    state::initialize::<Treasury>(treasury, bump)?;
    emit(&GovernanceSet::new(*config.address()));
    Ok(())
}
