//! `transfer_checked`, with the accounts that the hook of a bound mint needs.

use crate::error::ErrorCode;
use pinocchio::cpi::{invoke_signed, Signer};
use pinocchio::instruction::{InstructionAccount, InstructionView};
use pinocchio::{AccountView, Address, ProgramResult};

const TOKEN_2022: Address = Address::from_str_const("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
/// Number of `TransferChecked`.
const TRANSFER_CHECKED: u8 = 12;

/// The accounts of `TransferChecked`, and those of the hook: the list of the mint, Config, a pass and a credential of each
/// side, the program. Only a mint whose binding reads credentials needs these.
pub type Accounts<'a> = [&'a AccountView; 11];

/// Calls `TransferChecked`. Token-2022 finds the accounts of the hook among those that follow its own four.
#[inline(always)]
pub fn transfer_checked(accounts: &Accounts, amount: u64, decimals: u8, signers: &[Signer]) -> ProgramResult {
    let mut data = [TRANSFER_CHECKED; 10];
    data[1..9].copy_from_slice(&amount.to_le_bytes());
    data[9] = decimals;
    let [from, mint, to, authority, metas, config, pass, vault_pass, credential, vault_credential, passes] =
        accounts.map(|account| InstructionAccount::readonly(account.address()));
    let instruction = InstructionView {
        program_id: &TOKEN_2022,
        data: &data,
        accounts: &[
            InstructionAccount::writable(from.address),
            mint,
            InstructionAccount::writable(to.address),
            InstructionAccount::readonly_signer(authority.address),
            metas,
            config,
            pass,
            vault_pass,
            credential,
            vault_credential,
            passes,
        ],
    };
    invoke_signed(&instruction, accounts, signers)
}

/// Returns whether it is a token account of an owner, which bytes 32 to 64 name.
pub fn is_of(account: &AccountView, owner: &Address) -> bool {
    let Ok(data) = account.try_borrow() else { return false };
    account.owned_by(&TOKEN_2022) && data.get(32..64) == Some(owner.as_ref())
}

/// Reads the arguments: amount (u64), decimals (u8).
#[inline(always)]
pub fn arguments(data: &[u8]) -> Result<(u64, u8), ErrorCode> {
    match data.split_first_chunk::<8>() {
        Some((amount, &[decimals])) => Ok((u64::from_le_bytes(*amount), decimals)),
        _ => Err(ErrorCode::InvalidInstruction),
    }
}
