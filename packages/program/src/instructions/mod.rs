//! One file per instruction.

mod bind_mint;
mod close_pass;
mod collect_fees;
mod create_rule_set;
mod discard_credential;
mod execute;
mod initialize;
mod issue_credential;
mod issue_tokens;
mod prove;
mod retire_circuit;
mod revoke_credential;
mod set_circuit;
mod set_governance;
mod set_verifier;
mod withdraw_fees;
mod withdraw_pass_funds;

use crate::error::{Error, Result};
use crate::state::EXECUTE_DISCRIMINATOR;
use pinocchio::{AccountView, Address};

/// Calls the instruction whose number the data begins with.
#[inline(always)]
pub fn dispatch(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    // The transfer-hook interface gives execute eight bytes. No other instruction has the first of them as its number.
    if let Some((&EXECUTE_DISCRIMINATOR, arguments)) = data.split_first_chunk() {
        return execute::process(program_id, accounts, arguments);
    }
    let (&number, arguments) = data.split_first().ok_or(Error::InvalidInstructionData)?;
    match number {
        0 => initialize::process(program_id, accounts, arguments),
        1 => set_governance::process(program_id, accounts, arguments),
        2 => set_verifier::process(program_id, accounts, arguments),
        3 => set_circuit::process(program_id, accounts, arguments),
        4 => retire_circuit::process(program_id, accounts, arguments),
        5 => withdraw_fees::process(program_id, accounts, arguments),
        6 => issue_credential::process(program_id, accounts, arguments),
        7 => revoke_credential::process(program_id, accounts, arguments),
        8 => create_rule_set::process(program_id, accounts, arguments),
        9 => withdraw_pass_funds::process(program_id, accounts, arguments),
        10 => bind_mint::process(program_id, accounts, arguments),
        11 => prove::process(program_id, accounts, arguments),
        12 => close_pass::process(program_id, accounts, arguments),
        13 => issue_tokens::process(program_id, accounts, arguments),
        14 => collect_fees::process(program_id, accounts, arguments),
        22 => discard_credential::process(program_id, accounts, arguments),
        _ => Err(Error::InvalidInstructionData),
    }
}
