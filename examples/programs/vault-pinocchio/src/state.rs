//! The accounts of the vault.

use crate::error::VaultError;
use pinocchio::{error::ProgramError, AccountView, Address};

/// First seed of a vault. The mint follows.
pub const VAULT_SEED: &[u8] = b"vault";
/// First seed of the record of a depositor. Vault and depositor follow.
pub const DEPOSIT_SEED: &[u8] = b"deposit";

/// The first byte of each kind of account.
const VAULT: u8 = 1;
const DEPOSIT: u8 = 2;

/// A vault: kind (1), bump (1), mint (32).
pub struct Vault {
    /// The bump of its address.
    pub bump: u8,
    /// The bound mint.
    pub mint: Address,
}

impl Vault {
    /// Bytes of the account.
    pub const SIZE: usize = 34;

    /// Reads a vault of this program.
    pub fn read(program: &Address, account: &AccountView) -> Result<Self, ProgramError> {
        let data = account.try_borrow()?;
        match <&[u8; Self::SIZE]>::try_from(&*data).ok() {
            Some([VAULT, bump, mint @ ..]) if account.owned_by(program) => {
                Ok(Self { bump: *bump, mint: Address::new_from_array(*mint) })
            }
            _ => Err(VaultError::AccountInvalid.into()),
        }
    }

    /// Writes a vault that was just created.
    pub fn write(&self, account: &mut AccountView) -> Result<(), ProgramError> {
        let mut data = account.try_borrow_mut()?;
        let [kind, bump, mint @ ..] = fixed::<{ Self::SIZE }>(&mut data)?;
        (*kind, *bump, *mint) = (VAULT, self.bump, *self.mint.as_array());
        Ok(())
    }
}

/// What a depositor has in a vault: kind (1), bump (1), vault (32), depositor (32), amount (8).
pub struct Deposit;

impl Deposit {
    /// Bytes of the account.
    pub const SIZE: usize = 74;

    /// Writes an empty record that was just created.
    pub fn open(account: &mut AccountView, bump: u8, vault: &Address, depositor: &Address) -> Result<(), ProgramError> {
        let mut data = account.try_borrow_mut()?;
        let [kind, to_bump, rest @ ..] = fixed::<{ Self::SIZE }>(&mut data)?;
        let (keys, _amount) = rest.split_first_chunk_mut::<64>().ok_or(VaultError::AccountInvalid)?;
        (*kind, *to_bump) = (DEPOSIT, bump);
        write_keys(keys, vault.as_array(), depositor.as_array());
        Ok(())
    }

    /// Changes the amount of a record of this depositor in this vault.
    pub fn change(
        account: &mut AccountView,
        (program, vault, depositor): (&Address, &Address, &Address),
        change: impl FnOnce(u64) -> Option<u64>,
    ) -> Result<(), ProgramError> {
        let is_ours = account.owned_by(program);
        let mut data = account.try_borrow_mut()?;
        let [kind, _bump, rest @ ..] = fixed::<{ Self::SIZE }>(&mut data)?;
        let (keys, amount) = rest.split_first_chunk_mut::<64>().ok_or(VaultError::AccountInvalid)?;
        let amount: &mut [u8; 8] = amount.try_into().map_err(|_| VaultError::AccountInvalid)?;
        if !is_ours || *kind != DEPOSIT || two_keys(keys) != (*vault.as_array(), *depositor.as_array()) {
            return Err(VaultError::AccountInvalid.into());
        }
        *amount = change(u64::from_le_bytes(*amount)).ok_or(VaultError::AmountTooHigh)?.to_le_bytes();
        Ok(())
    }
}

fn fixed<const N: usize>(data: &mut [u8]) -> Result<&mut [u8; N], ProgramError> {
    data.try_into().map_err(|_| VaultError::AccountInvalid.into())
}

fn two_keys(keys: &[u8; 64]) -> ([u8; 32], [u8; 32]) {
    let (mut first, mut second) = ([0; 32], [0; 32]);
    first.copy_from_slice(&keys[..32]);
    second.copy_from_slice(&keys[32..]);
    (first, second)
}

fn write_keys(to: &mut [u8; 64], first: &[u8; 32], second: &[u8; 32]) {
    to[..32].copy_from_slice(first);
    to[32..].copy_from_slice(second);
}
