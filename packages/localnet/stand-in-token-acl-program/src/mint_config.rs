//! The configuration of a mint, which is its freeze authority. Layout and seed are those of Token ACL.

use crate::error::{require, Error, Result};
use pinocchio::{AccountView, Address};

/// First seed of its address. The mint follows.
pub const SEED: &[u8] = b"MINT_CONFIG";
/// Bytes of the account: type (1), bump (1), whether anyone can thaw (1) and freeze (1), mint (32), authority (32), gate (32).
pub const SPACE: u32 = 100;
const TYPE: u8 = 1;

/// The fields of a configuration.
#[derive(Clone, Copy)]
pub struct MintConfig {
    /// The canonical bump of its address.
    pub bump: u8,
    /// Whether everybody can thaw what the gate allows.
    pub can_thaw: bool,
    /// Whether everybody can freeze what the gate allows.
    pub can_freeze: bool,
    /// The mint.
    pub mint: Address,
    /// The wallet that can thaw, freeze and change the configuration.
    pub authority: Address,
    /// The program that is asked.
    pub gate: Address,
}

impl MintConfig {
    /// Reads a configuration. The caller checks the owner of the account, or writes it, which only its owner can do.
    pub fn read(account: &AccountView) -> Result<Self> {
        let data = account.try_borrow().map_err(|_| Error::AccountBorrowFailed)?;
        let data: &[u8; SPACE as usize] = data.as_ref().try_into().map_err(|_| Error::InvalidMintConfig)?;
        let (&[kind, bump, thaw, freeze], addresses) = data.split_first_chunk().ok_or(Error::InvalidMintConfig)?;
        require(kind == TYPE, Error::InvalidMintConfig)?;
        let address = |index: usize| {
            let chunk = addresses.as_chunks::<32>().0.get(index).ok_or(Error::InvalidMintConfig)?;
            Ok(Address::new_from_array(*chunk))
        };
        let (can_thaw, can_freeze) = (thaw != 0, freeze != 0);
        Ok(Self { bump, can_thaw, can_freeze, mint: address(0)?, authority: address(1)?, gate: address(2)? })
    }

    /// Reads a configuration after a check that the authority of the instruction is its authority.
    pub fn by_authority(account: &AccountView, authority: &AccountView) -> Result<Self> {
        require(authority.is_signer(), Error::InvalidAuthority)?;
        let config = Self::read(account)?;
        require(&config.authority == authority.address(), Error::InvalidAuthority)?;
        Ok(config)
    }

    /// Writes all fields.
    pub fn write(&self, account: &mut AccountView) -> Result {
        let mut data = account.try_borrow_mut().map_err(|_| Error::AccountBorrowFailed)?;
        let (head, addresses) = data.split_first_chunk_mut().ok_or(Error::InvalidMintConfig)?;
        *head = [TYPE, self.bump, u8::from(self.can_thaw), u8::from(self.can_freeze)];
        let fields = [&self.mint, &self.authority, &self.gate];
        for (to, from) in addresses.as_chunks_mut::<32>().0.iter_mut().zip(fields) {
            *to = *from.as_array();
        }
        Ok(())
    }
}
