//! The instructions that governance sends.
//!
//! No instruction that changes Config changes a field of another one, so they can be prepared and sent in any order.
//! The authority may be an address of a program, such as a multisig, which signs by calling this program.

pub mod accept_authority;
pub mod end_passes;
pub mod initialize;
pub mod nominate_authority;
pub mod pause;
pub mod retire_circuit;
pub mod set_circuit;
pub mod set_guardian;
pub mod set_pass_fee;
pub mod set_verifier;
pub mod unpause;
pub mod withdraw_fees;

use crate::checks;
use crate::error::{Error, Result};
use crate::events::{emit, GovernanceSet};
use crate::state::{load_mut, Config};
use pinocchio::account::RefMut;
use pinocchio::{AccountView, Address};

/// Who may change a field of Config.
#[derive(Clone, Copy)]
pub enum By {
    /// The governance authority.
    Authority,
    /// The governance authority or the guardian.
    AuthorityOrGuardian,
    /// The nominee.
    Nominee,
}

/// Borrows Config to change it, after checking who signed, and emits the event.
///
/// The accounts are the signer and Config, which is writable.
#[inline(never)]
fn config_to_change<'a>(program_id: &Address, accounts: &'a mut [AccountView], by: By) -> Result<RefMut<'a, Config>> {
    let [signer, config] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let address = *config.address();
    let fields = load_mut::<Config>(config, program_id)?;
    match by {
        By::Authority => checks::authority(signer, &fields)?,
        By::AuthorityOrGuardian => checks::authority_or_guardian(signer, &fields)?,
        By::Nominee => checks::nominee(signer, &fields)?,
    }
    emit(&GovernanceSet::new(address));
    Ok(fields)
}
