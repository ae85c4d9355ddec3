//! `retire-circuit`

use crate::checks;
use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, CircuitRetired};
use crate::state::{load, load_mut, Circuit, Config, Flag};
use pinocchio::{AccountView, Address};

/// Retires a circuit after a grace, or at once as unsound, so that the passes of its proofs may be closed.
///
/// A time of retirement only ever moves to an earlier one, and a circuit that is unsound stays so. The active circuit
/// may be retired too: nothing can be proved then until the next is set.
///
/// # Accounts
/// 0. `[signer]` authority: the governance authority
/// 1. `[]` Config
/// 2. `[writable]` Circuit
///
/// # Data
/// grace in seconds (8), unsound (1); an unsound circuit gets no grace
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
