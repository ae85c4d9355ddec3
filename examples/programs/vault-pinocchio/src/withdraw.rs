//! `withdraw`: gives tokens back to the depositor. The hook of the mint asks for the pass of the one who receives.

use crate::state::{Deposit, VAULT_SEED};
use crate::transfer::{arguments, Accounts, Way};
use pinocchio::cpi::{Seed, Signer};
use pinocchio::{AccountView, Address, ProgramResult};

/// Accounts: [`Accounts`].
pub fn process(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let (amount, decimals) = arguments(data)?;
    let (accounts, vault) = Accounts::read(program, accounts)?;
    let of = (program, accounts.vault.address(), accounts.depositor.address());
    Deposit::change(accounts.deposit, of, |before| before.checked_sub(amount))?;
    let bumps = [vault.bump];
    let seeds = [Seed::from(VAULT_SEED), Seed::from(vault.mint.as_ref()), Seed::from(&bumps)];
    accounts.transfer(&Way::OutOf(&Signer::from(&seeds)), amount, decimals)
}
