//! One file per instruction; those that governance sends are in a folder.

mod accept_issuer;
mod announce_rule;
mod apply_rule;
mod bind_mint;
mod close_pass;
mod collect_fees;
mod create_rule_set;
mod discard_credential;
mod end_grant;
mod execute;
mod gate;
mod governance;
mod grant_pass;
mod issue_credential;
mod issue_tokens;
mod nominate_issuer;
mod prove;
mod recover;
mod redeem;
mod revoke_credential;
mod set_gate;
mod set_max_pass_fee;
mod suspend_pass;
mod withdraw_pass_funds;

use crate::error::{Error, Result};
use crate::state::{Question, EXECUTE_DISCRIMINATOR};
use governance::{
    accept_authority, end_passes, initialize, nominate_authority, pause, retire_circuit, set_circuit, set_guardian,
    set_pass_fee, set_verifier, unpause, withdraw_fees,
};
use pinocchio::{AccountView, Address};

/// Calls the instruction whose number the data begins with.
#[inline(always)]
pub fn dispatch(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    // The transfer-hook interface gives execute eight bytes. No other instruction has the first of them as its number.
    // As one number they take three compute units, and one after the other sixteen.
    if let Some((discriminator, arguments)) = data.split_first_chunk() {
        if u64::from_le_bytes(*discriminator) == const { u64::from_le_bytes(EXECUTE_DISCRIMINATOR) } {
            return execute::process(program_id, accounts, arguments);
        }
    }
    // Token ACL gives its questions eight bytes and no arguments. One begins with the number of create-rule-set, whose data
    // is always longer.
    for question in [Question::CanThaw, Question::CanFreeze] {
        if data == question.discriminator() {
            return gate::process(program_id, accounts, question);
        }
    }
    let (&number, arguments) = data.split_first().ok_or(Error::InvalidInstructionData)?;
    match number {
        0 => initialize::process(program_id, accounts, arguments),
        1 => pause::process(program_id, accounts, arguments),
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
        15 => unpause::process(program_id, accounts, arguments),
        16 => set_pass_fee::process(program_id, accounts, arguments),
        17 => nominate_authority::process(program_id, accounts, arguments),
        18 => accept_authority::process(program_id, accounts, arguments),
        19 => set_guardian::process(program_id, accounts, arguments),
        20 => end_passes::process(program_id, accounts, arguments),
        21 => set_max_pass_fee::process(program_id, accounts, arguments),
        22 => discard_credential::process(program_id, accounts, arguments),
        23 => recover::process(program_id, accounts, arguments),
        24 => redeem::process(program_id, accounts, arguments),
        25 => nominate_issuer::process(program_id, accounts, arguments),
        26 => accept_issuer::process(program_id, accounts, arguments),
        27 => announce_rule::process(program_id, accounts, arguments),
        28 => apply_rule::process(program_id, accounts, arguments),
        29 => suspend_pass::process(program_id, accounts, arguments),
        30 => grant_pass::process(program_id, accounts, arguments),
        31 => end_grant::process(program_id, accounts, arguments),
        32 => set_gate::process(program_id, accounts, arguments),
        _ => Err(Error::InvalidInstructionData),
    }
}
