//! `set-circuit`

use crate::checks;
use crate::clock;
use crate::crypto::groth16;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, CircuitSet};
use crate::name::Name;
use crate::rent::Rent;
use crate::state::{self, create, load_mut, Circuit, Config, Creation};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

/// Creates a circuit and makes it the active one. The previous one retires after the grace period.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[signer, writable]` payer: pays rent
/// 2. `[writable]` Config
/// 3. `[writable]` Circuit, created
/// 4. `[writable]` previous Circuit: the active one so far; this program's id when there is none
/// 5. `[]` system program
///
/// # Data
/// id (32, padded with zeros), artifacts digest (32), grace period in seconds (8), verifying key (576)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [authority, payer, config, circuit, previous, system_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let id = Name::from_padded(data.bytes()?)?;
    let artifacts_digest = data.bytes()?;
    let grace = data.u64()?;
    let verifying_key = data.bytes()?;
    data.finish()?;
    checks::distinct(circuit, previous)?;
    let mut governance = load_mut::<Config>(config, program_id)?;
    checks::authority(authority, &governance)?;
    let until = Circuit::end_of_grace(clock::now()?, grace)?;
    groth16::check_key(verifying_key)?;

    match governance.active_circuit.get() {
        Some(active) if previous.address() == &active => {
            load_mut::<Circuit>(previous, program_id)?.retire_at(until);
        }
        None if previous.address() == program_id => {}
        _ => return Err(Error::CircuitMismatch),
    }
    let bump = create(&Creation {
        payer,
        account: circuit,
        system_program,
        program_id,
        seeds: [Circuit::SEED, id.as_bytes(), &[]],
        space: size_of::<Circuit>(),
        rent: Rent::read()?,
    })?;
    let mut fields = state::initialize::<Circuit>(circuit, bump)?;
    fields.id = id;
    fields.artifacts_digest = *artifacts_digest;
    fields.verifying_key = *verifying_key;
    drop(fields);
    governance.active_circuit.set(Some(*circuit.address()));
    emit(&CircuitSet::new(*circuit.address()));
    Ok(())
}
