//! `#[account]`: the accounts. Each begins with the first 8 bytes of SHA-256("account:" and its name).

use crate::account::AccountData;
use rule_set_pass_interface::Key;

/// A vault, one for each bound mint.
pub struct Vault {
    /// The bound mint.
    pub mint: Key,
    /// The bump of its address.
    pub bump: u8,
}

impl Vault {
    /// First seed of its address. The mint follows.
    pub const SEED: &'static [u8] = b"vault";
}

impl AccountData for Vault {
    const DISCRIMINATOR: [u8; 8] = [211, 8, 232, 43, 2, 152, 117, 119];
    const SIZE: usize = 8 + 32 + 1;

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (mint, rest) = bytes.split_first_chunk()?;
        let &[bump] = rest else { return None };
        Some(Self { mint: *mint, bump })
    }

    fn to_bytes(&self, bytes: &mut [u8]) -> Option<()> {
        let (mint, rest) = bytes.split_first_chunk_mut()?;
        *mint = self.mint;
        *rest.first_mut()? = self.bump;
        Some(())
    }
}

/// What a depositor has in a vault.
pub struct Deposit {
    /// The vault.
    pub vault: Key,
    /// Its owner.
    pub depositor: Key,
    /// Base units.
    pub amount: u64,
}

impl Deposit {
    /// First seed of its address. Vault and depositor follow.
    pub const SEED: &'static [u8] = b"deposit";
}

impl AccountData for Deposit {
    const DISCRIMINATOR: [u8; 8] = [148, 146, 121, 66, 207, 173, 21, 227];
    const SIZE: usize = 8 + 32 + 32 + 8;

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (vault, rest) = bytes.split_first_chunk()?;
        let (depositor, rest) = rest.split_first_chunk()?;
        let amount = u64::from_le_bytes(rest.try_into().ok()?);
        Some(Self { vault: *vault, depositor: *depositor, amount })
    }

    fn to_bytes(&self, bytes: &mut [u8]) -> Option<()> {
        let (vault, rest) = bytes.split_first_chunk_mut()?;
        let (depositor, rest) = rest.split_first_chunk_mut()?;
        let (amount, _) = rest.split_first_chunk_mut()?;
        (*vault, *depositor, *amount) = (self.vault, self.depositor, self.amount.to_le_bytes());
        Some(())
    }
}
