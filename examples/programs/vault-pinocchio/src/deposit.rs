//! `deposit`: takes tokens from a holder of a live pass.

use crate::admit::{admit, rule_of};
use crate::error::VaultError;
use crate::state::{Deposit, DEPOSIT_SEED};
use crate::transfer::{arguments, Accounts, Way};
use pinocchio::cpi::{Seed, Signer};
use pinocchio::{AccountView, Address, ProgramResult};
use pinocchio_system::create_account_with_minimum_balance_signed;

/// Accounts: [`Accounts`]. Creates the record of the depositor if it is the first deposit.
pub fn process(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let (amount, decimals) = arguments(data)?;
    let (mut accounts, _) = Accounts::read(program, accounts)?;
    let rule = rule_of(accounts.mint, accounts.binding)?;
    // The hook would accept a suspended depositor here, because it asks for the pass of the one who receives.
    admit(accounts.depositor, &rule, accounts.pass, accounts.config)?;
    if accounts.deposit.is_data_empty() {
        open(program, &mut accounts)?;
    }
    let of = (program, accounts.vault.address(), accounts.depositor.address());
    Deposit::change(accounts.deposit, of, |before| before.checked_add(amount))?;
    accounts.transfer(&Way::Into, amount, decimals)
}

fn open(program: &Address, accounts: &mut Accounts) -> ProgramResult {
    let Accounts { depositor, vault, deposit, .. } = accounts;
    let seeds = [DEPOSIT_SEED, vault.address().as_ref(), depositor.address().as_ref()];
    let (address, bump) = Address::find_program_address(&seeds, program);
    if deposit.address() != &address {
        return Err(VaultError::AccountInvalid.into());
    }
    let bumps = [bump];
    let [name, of_vault, of_depositor] = seeds;
    let signer = [Seed::from(name), Seed::from(of_vault), Seed::from(of_depositor), Seed::from(&bumps)];
    let signers = [Signer::from(&signer)];
    create_account_with_minimum_balance_signed(deposit, Deposit::SIZE, program, depositor, None, &signers)?;
    Deposit::open(deposit, bump, vault.address(), depositor.address())
}
