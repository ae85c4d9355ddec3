//! `retire-circuit`

use crate::checks;
use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, CircuitRetired};
use crate::state::{load, load_mut, Circuit, Config, Flag};
use pinocchio::{AccountView, Address};

/// Retires a circuit after a grace period, or at once as unsound, so that the passes of its proofs can be closed.
///
/// The time of retirement can only move earlier, and an unsound circuit stays unsound. The active circuit can be
/// retired too; then nothing can be proved until the next circuit is set.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[]` Config
/// 2. `[writable]` Circuit
///
/// # Data
/// grace period in seconds (8), unsound (1); an unsound circuit has no grace period
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [authority, config, circuit] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let grace = data.u64()?;
    let unsound = data.bool()?;
    data.finish()?;
    checks::authority(authority, &*load::<Config>(config, program_id)?)?;
    let mut fields = load_mut::<Circuit>(circuit, program_id)?;
    if unsound && grace != 0 {
        return Err(Error::GraceInvalid);
    }

    fields.retire_at(Circuit::end_of_grace(clock::now()?, grace)?);
    if unsound {
        fields.unsound = Flag::new(true);
    }
    drop(fields);
    emit(&CircuitRetired::new(*circuit.address()));
    Ok(())
}
