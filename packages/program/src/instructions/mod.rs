//! One file per instruction. Numbers 4, 5, 7, 9 and 12 are free for the instructions that are still to come.

mod create_rule_set;
mod initialize;
mod set_circuit;
mod set_governance;
mod set_verifier;

use crate::error::{Error, Result};
use pinocchio::{AccountView, Address};

/// Calls the instruction that the first byte names.
#[inline(always)]
pub fn dispatch(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let (&number, arguments) = data.split_first().ok_or(Error::InvalidInstructionData)?;
    match number {
        0 => initialize::process(program_id, accounts, arguments),
        1 => set_governance::process(program_id, accounts, arguments),
        2 => set_verifier::process(program_id, accounts, arguments),
        3 => set_circuit::process(program_id, accounts, arguments),
        8 => create_rule_set::process(program_id, accounts, arguments),
        _ => Err(Error::InvalidInstructionData),
    }
}
