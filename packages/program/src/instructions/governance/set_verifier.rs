//! `set-verifier`

use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, VerifierSet};
use crate::rent::Rent;
use crate::state::{self, create, is_missing, load, load_mut, Config, Creation, Flag, Verifier};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

/// Creates a verifier, or changes its name and whether it is active.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[signer, writable]` payer: pays rent
/// 2. `[]` Config
/// 3. `[]` verifier authority: the key that signs its credentials
/// 4. `[writable]` Verifier, created or changed
/// 5. `[]` system program
///
/// # Data
/// active (1), name (1 of length and 1 to 32)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [authority, payer, config, verifier_authority, verifier, system_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let active = Flag::new(data.bool()?);
    let name = data.name()?;
    data.finish()?;
    checks::payer(payer)?;
    checks::system_program(system_program)?;
    checks::authority(authority, &*load::<Config>(config, program_id)?)?;

    let mut fields = if is_missing(verifier, program_id) {
        let bump = create(&Creation {
            payer,
            account: verifier,
            system_program,
            program_id,
            seeds: [Verifier::SEED, verifier_authority.address().as_ref(), &[]],
            space: size_of::<Verifier>(),
            rent: Rent::read()?,
        })?;
        let mut fields = state::initialize::<Verifier>(verifier, bump)?;
        fields.authority = *verifier_authority.address();
        fields
    } else {
        load_mut::<Verifier>(verifier, program_id)?
    };
    if &fields.authority != verifier_authority.address() {
        return Err(Error::WrongAddress);
    }
    fields.active = active;
    fields.name = name;
    drop(fields);
    emit(&VerifierSet::new(*verifier.address()));
    Ok(())
}
