//! `create`: opens the vault of a bound mint. Anybody may, because it depends on the mint only.

use crate::admit::rule_of;
use crate::error::VaultError;
use crate::state::{Vault, VAULT_SEED};
use pinocchio::cpi::{Seed, Signer};
use pinocchio::{AccountView, Address, ProgramResult};
use pinocchio_system::create_account_with_minimum_balance_signed;

/// Accounts: payer (signer, writable), vault (writable), mint, binding of the mint, system program.
pub fn process(program: &Address, accounts: &mut [AccountView]) -> ProgramResult {
    let [payer, vault, mint, binding, _system] = accounts else {
        return Err(VaultError::UnknownInstruction.into());
    };
    rule_of(mint, binding)?;
    let mint = *mint.address();
    let (address, bump) = Address::find_program_address(&[VAULT_SEED, mint.as_ref()], program);
    if vault.address() != &address {
        return Err(VaultError::AccountInvalid.into());
    }
    let bumps = [bump];
    let seeds = [Seed::from(VAULT_SEED), Seed::from(mint.as_ref()), Seed::from(&bumps)];
    create_account_with_minimum_balance_signed(vault, Vault::SIZE, program, payer, None, &[Signer::from(&seeds)])?;
    Vault { bump, mint }.write(vault)
}
