//! The transfer of tokens of a bound mint, with the accounts that the hook of the mint needs.

use crate::error::VaultError;
use crate::state::Vault;
use pinocchio::cpi::{invoke_signed, Signer};
use pinocchio::instruction::{InstructionAccount, InstructionView};
use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};

const TOKEN_2022: Address = Address::from_str_const("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
/// Number of `TransferChecked`.
const TRANSFER_CHECKED: u8 = 12;

/// The accounts of `deposit` and `withdraw`, in this order.
pub struct Accounts<'a> {
    /// Signer, writable. It pays the rent of its record.
    pub depositor: &'a AccountView,
    /// The vault.
    pub vault: &'a AccountView,
    /// Writable. What the depositor has in the vault.
    pub deposit: &'a mut AccountView,
    /// The bound mint.
    pub mint: &'a AccountView,
    /// Writable. A token account of the depositor.
    pub tokens: &'a AccountView,
    /// Writable. A token account of the vault.
    pub vault_tokens: &'a AccountView,
    /// The pass of the depositor.
    pub pass: &'a AccountView,
    /// Config of the passes.
    pub config: &'a AccountView,
    /// The binding of the mint.
    pub binding: &'a AccountView,
    /// `ExtraAccountMetaList` of the mint.
    pub metas: &'a AccountView,
    /// The granted pass of the vault.
    pub vault_pass: &'a AccountView,
    /// The credential of the depositor. Only a mint whose binding reads credentials needs it.
    pub credential: &'a AccountView,
    /// The address of the credential of the vault. There is none, but such a binding lists it too.
    pub vault_credential: &'a AccountView,
    /// The program of the passes, which is the hook.
    pub passes: &'a AccountView,
}

/// Which way the tokens go.
pub enum Way<'a, 'b> {
    /// The depositor signed.
    Into,
    /// The vault signs.
    OutOf(&'a Signer<'a, 'b>),
}

impl<'a> Accounts<'a> {
    /// Takes the accounts apart, and reads the vault. Token-2022 and the system program follow.
    #[inline(always)]
    pub fn read(program: &Address, accounts: &'a mut [AccountView]) -> Result<(Self, Vault), ProgramError> {
        let [depositor, vault, deposit, mint, tokens, vault_tokens, pass, config, binding, metas, vault_pass, credential, vault_credential, passes, _, _] =
            accounts
        else {
            return Err(VaultError::UnknownInstruction.into());
        };
        if !depositor.is_signer() {
            return Err(VaultError::NotSigned.into());
        }
        let state = Vault::read(program, vault)?;
        let are_owners = is_of(tokens, depositor.address()) && is_of(vault_tokens, vault.address());
        if mint.address() != &state.mint || !are_owners {
            return Err(VaultError::AccountInvalid.into());
        }
        let read = Self {
            depositor,
            vault,
            deposit,
            mint,
            tokens,
            vault_tokens,
            pass,
            config,
            binding,
            metas,
            vault_pass,
            credential,
            vault_credential,
            passes,
        };
        Ok((read, state))
    }

    /// Calls `TransferChecked`. Token-2022 finds the accounts of the hook among those that follow its own four.
    #[inline(always)]
    pub fn transfer(&self, way: &Way, amount: u64, decimals: u8) -> ProgramResult {
        let (from, to, authority, signers) = match way {
            Way::Into => (self.tokens, self.vault_tokens, self.depositor, [].as_slice()),
            Way::OutOf(signer) => (self.vault_tokens, self.tokens, self.vault, core::slice::from_ref(*signer)),
        };
        let mut data = [TRANSFER_CHECKED; 10];
        data[1..9].copy_from_slice(&amount.to_le_bytes());
        data[9] = decimals;
        let (credential, vault_credential) = (self.credential, self.vault_credential);
        let hook = [self.metas, self.config, self.pass, self.vault_pass, credential, vault_credential, self.passes];
        let [metas, config, pass, vault_pass, credential, vault_credential, passes] =
            hook.map(|account| InstructionAccount::readonly(account.address()));
        let instruction = InstructionView {
            program_id: &TOKEN_2022,
            data: &data,
            accounts: &[
                InstructionAccount::writable(from.address()),
                InstructionAccount::readonly(self.mint.address()),
                InstructionAccount::writable(to.address()),
                InstructionAccount::readonly_signer(authority.address()),
                metas,
                config,
                pass,
                vault_pass,
                credential,
                vault_credential,
                passes,
            ],
        };
        let [metas, config, pass, vault_pass, credential, vault_credential, passes] = hook;
        let mint = self.mint;
        let accounts =
            [from, mint, to, authority, metas, config, pass, vault_pass, credential, vault_credential, passes];
        invoke_signed(&instruction, &accounts, signers)
    }
}

/// Returns whether it is a token account of an owner, which bytes 32 to 64 name. Otherwise a depositor could be credited
/// for a transfer to an account of its own.
fn is_of(account: &AccountView, owner: &Address) -> bool {
    let Ok(data) = account.try_borrow() else { return false };
    account.owned_by(&TOKEN_2022) && data.get(32..64) == Some(owner.as_ref())
}

/// Reads the arguments: amount (8), decimals (1).
#[inline(always)]
pub fn arguments(data: &[u8]) -> Result<(u64, u8), VaultError> {
    match data.split_first_chunk::<8>() {
        Some((amount, &[decimals])) => Ok((u64::from_le_bytes(*amount), decimals)),
        _ => Err(VaultError::UnknownInstruction),
    }
}
