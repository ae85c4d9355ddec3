//! The instructions. The comment of each account is its constraint in Anchor.

use crate::account::{constraint, init, signer, Account};
use crate::error::ErrorCode;
use crate::pass::{require_pass, rule_of};
use crate::state::{Deposit, Vault};
use crate::token::{is_of, transfer_checked};
use pinocchio::cpi::{Seed, Signer};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};
use rule_set_pass_interface::Key;

/// `#[derive(Accounts)]`: opens the vault of a bound mint. Anybody may, because it depends on the mint only.
pub struct Create<'a> {
    /// `#[account(mut)] Signer`
    pub payer: &'a AccountView,
    /// `#[account(init, payer = payer, seeds = ["vault", mint], bump)] Account<Vault>`
    pub vault: &'a mut AccountView,
    /// `UncheckedAccount`
    pub mint: &'a AccountView,
}

impl<'a> Create<'a> {
    /// Takes the accounts, and checks their constraints. The system program follows.
    #[inline(always)]
    pub fn try_accounts(_program: &Address, accounts: &'a mut [AccountView]) -> Result<Self, ProgramError> {
        let [payer, vault, mint, binding, _system] = accounts else {
            return Err(ErrorCode::InvalidInstruction.into());
        };
        // The binding must honour granted passes, or the vault could hold no tokens.
        rule_of(mint, binding)?;
        Ok(Self { payer: signer(payer)?, vault, mint })
    }

    /// Creates the vault.
    #[inline(always)]
    pub fn create(self, program: &Address) -> ProgramResult {
        let mint = *self.mint.address().as_array();
        // The runtime joins the seeds, so an empty one changes nothing.
        let bump = init::<Vault>(program, self.vault, self.payer, &[Vault::SEED, &mint, &[]])?;
        Account { view: self.vault, data: Vault { mint, bump } }.save()
    }
}

/// `#[derive(Accounts)]`: opens the record of a depositor.
pub struct Open<'a> {
    /// `#[account(mut)] Signer`
    pub depositor: &'a AccountView,
    /// `Account<Vault>`
    pub vault: Account<'a, Vault>,
    /// `#[account(init, payer = depositor, seeds = ["deposit", vault, depositor], bump)] Account<Deposit>`
    pub deposit: &'a mut AccountView,
}

impl<'a> Open<'a> {
    /// Takes the accounts, and checks their constraints. The system program follows.
    #[inline(always)]
    pub fn try_accounts(program: &Address, accounts: &'a mut [AccountView]) -> Result<Self, ProgramError> {
        let [depositor, vault, deposit, _system] = accounts else {
            return Err(ErrorCode::InvalidInstruction.into());
        };
        Ok(Self { depositor: signer(depositor)?, vault: Account::try_from(program, vault)?, deposit })
    }

    /// Creates the record.
    #[inline(always)]
    pub fn open(self, program: &Address) -> ProgramResult {
        let (vault, depositor) = (*self.vault.view.address().as_array(), *self.depositor.address().as_array());
        init::<Deposit>(program, self.deposit, self.depositor, &[Deposit::SEED, &vault, &depositor])?;
        Account { view: self.deposit, data: Deposit { vault, depositor, amount: 0 } }.save()
    }
}

/// `#[derive(Accounts)]`: moves tokens into the vault or out of it.
pub struct Move<'a> {
    /// `#[account(mut)] Signer`
    pub depositor: &'a AccountView,
    /// `#[account(has_one = mint)] Account<Vault>`
    pub vault: Account<'a, Vault>,
    /// `#[account(mut, has_one = vault, has_one = depositor)] Account<Deposit>`
    pub deposit: Account<'a, Deposit>,
    /// `InterfaceAccount<Mint>`
    pub mint: &'a AccountView,
    /// `#[account(mut, token::authority = depositor)] InterfaceAccount<TokenAccount>`
    pub tokens: &'a AccountView,
    /// `#[account(mut, token::authority = vault)] InterfaceAccount<TokenAccount>`
    pub vault_tokens: &'a AccountView,
    /// `UncheckedAccount`, which the crate reads: the pass of the depositor
    pub pass: &'a AccountView,
    /// `UncheckedAccount`, which the crate reads: Config of the passes
    pub config: &'a AccountView,
    /// `UncheckedAccount`, which the crate reads: the binding, for the rule set of the mint
    pub rule: Key,
    /// `UncheckedAccount`: `ExtraAccountMetaList` of the mint, the granted pass of the vault, the credentials of depositor
    /// and vault, and the program of the passes. The vault has no credential, but some bindings list its address.
    pub hook: [&'a AccountView; 5],
}

impl<'a> Move<'a> {
    /// Takes the accounts, and checks their constraints. Token-2022 follows.
    #[inline(always)]
    pub fn try_accounts(program: &Address, accounts: &'a mut [AccountView]) -> Result<Self, ProgramError> {
        let [depositor, vault, deposit, mint, tokens, vault_tokens, pass, config, binding, metas, vault_pass, credential, vault_credential, passes, _token] =
            accounts
        else {
            return Err(ErrorCode::InvalidInstruction.into());
        };
        let vault = Account::<Vault>::try_from(program, vault)?;
        let deposit = Account::<Deposit>::try_from(program, deposit)?;
        constraint(mint.address().as_array() == &vault.data.mint)?;
        constraint(&deposit.data.vault == vault.view.address().as_array())?;
        constraint(&deposit.data.depositor == depositor.address().as_array())?;
        // Otherwise a depositor without a pass could send the tokens to somebody with one.
        constraint(is_of(tokens, depositor.address()))?;
        constraint(is_of(vault_tokens, vault.view.address()))?;
        let rule = rule_of(mint, binding)?;
        let (depositor, hook) = (signer(depositor)?, [&*metas, vault_pass, credential, vault_credential, passes]);
        Ok(Self { depositor, vault, deposit, mint, tokens, vault_tokens, pass, config, rule, hook })
    }

    /// Takes tokens from a holder of a live pass.
    #[inline(always)]
    pub fn deposit(mut self, amount: u64, decimals: u8) -> ProgramResult {
        let wallet = self.depositor.address().as_array();
        require_pass(wallet, &self.rule, self.pass, self.config)?;
        let before = self.deposit.data.amount;
        self.deposit.data.amount = before.checked_add(amount).ok_or(ErrorCode::AmountTooHigh)?;
        self.deposit.save()?;
        let [metas, vault_pass, credential, vault_credential, passes] = self.hook;
        let (from, to, by) = (self.tokens, self.vault_tokens, self.depositor);
        let (config, pass) = (self.config, self.pass);
        let accounts = [from, self.mint, to, by, metas, config, pass, vault_pass, credential, vault_credential, passes];
        transfer_checked(&accounts, amount, decimals, &[])
    }

    /// Gives tokens back. The hook of the mint asks for the pass of the one who receives.
    #[inline(always)]
    pub fn withdraw(mut self, amount: u64, decimals: u8) -> ProgramResult {
        let before = self.deposit.data.amount;
        self.deposit.data.amount = before.checked_sub(amount).ok_or(ErrorCode::AmountTooHigh)?;
        self.deposit.save()?;
        let [metas, vault_pass, credential, vault_credential, passes] = self.hook;
        let (from, to, by) = (self.vault_tokens, self.tokens, &*self.vault.view);
        let (config, pass) = (self.config, self.pass);
        let accounts = [from, self.mint, to, by, metas, config, pass, vault_pass, credential, vault_credential, passes];
        let bump = [self.vault.data.bump];
        let seeds = [Seed::from(Vault::SEED), Seed::from(&self.vault.data.mint), Seed::from(&bump)];
        transfer_checked(&accounts, amount, decimals, &[Signer::from(&seeds)])
    }
}
