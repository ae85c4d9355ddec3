//! The configuration of governance.

use crate::layout::{Fields, Unreadable};
use crate::Key;

/// What governance decides about passes. There is one account for each program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether the protocol is paused. The program then rejects proofs and transfers of bound mints. Passes stay live.
    pub paused: bool,
    /// Unix seconds. Passes that were issued before are not live.
    pub passes_valid_from: u64,
}

impl Config {
    /// Bytes of the account.
    pub const SIZE: usize = 338;
    /// The first byte of the account.
    pub const TYPE: u8 = 1;
    /// The newest version of its layout, the second byte.
    pub const VERSION: u8 = 1;

    /// Reads Config of the program that you pin. `owner` and `data` are those of the account.
    ///
    /// Needs no check of the address, because the program creates one account of this type.
    ///
    /// # Errors
    /// [`Unreadable`] if it is not Config of this program.
    #[inline]
    pub fn read(program: &Key, owner: &Key, data: &[u8]) -> Result<Self, Unreadable> {
        let mut fields = Fields::of(owner == program, data, Self::SIZE, Self::TYPE, Self::VERSION)?;
        let _genesis_hash = fields.key()?;
        let _authority = fields.key()?;
        let paused = fields.flag()?;
        let _fees = fields.bytes::<{ 9 + 9 + 8 + 9 }>()?;
        let _circuit_nominee_guardian = fields.bytes::<{ 3 * 33 }>()?;
        Ok(Self { paused, passes_valid_from: fields.number()? })
    }
}
