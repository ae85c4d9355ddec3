//! A pass.

use crate::layout::{Fields, Unreadable};
use crate::Key;

/// The pass of a wallet for a rule set. Its fields say nothing about the wallet's owner.
///
/// [`standing`](crate::standing) decides whether it is live. Do not compare `expires_at` only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass<'a> {
    /// Address of the rule set.
    pub rule: &'a Key,
    /// The wallet that holds it.
    pub wallet: &'a Key,
    /// Unix seconds.
    pub expires_at: u64,
    /// Unix seconds of the last proof or grant. Zero: there was none.
    pub issued_at: u64,
    /// Address of the verifier whose credential was proved. Zeros: none was proved.
    pub verifier: &'a Key,
    /// Unix seconds until which the creator of the rule set suspended it. Zero: it is not suspended.
    pub suspended_until: u64,
    /// Whether the creator of the rule set granted it without a proof.
    pub granted: bool,
}

impl<'a> Pass<'a> {
    /// Bytes of the account.
    pub const SIZE: usize = 203;
    /// The first byte of the account.
    pub const TYPE: u8 = 8;
    /// The newest version of its layout, the second byte.
    pub const VERSION: u8 = 2;

    /// Reads a pass of the program that you pin. `owner` and `data` are those of the account.
    ///
    /// Needs no check of the address: the program stores one pass for each rule set and wallet, and names both in it.
    ///
    /// # Errors
    /// [`Unreadable`] if it is no pass of this program, such as one that was closed.
    #[inline]
    pub fn read(program: &Key, owner: &Key, data: &'a [u8]) -> Result<Self, Unreadable> {
        let mut fields = Fields::of(owner == program, data, Self::SIZE, Self::TYPE, Self::VERSION)?;
        let (rule, wallet) = (fields.key()?, fields.key()?);
        let (expires_at, issued_at) = (fields.number()?, fields.number()?);
        let _circuit = fields.key()?;
        let verifier = fields.key()?;
        let _commitment = fields.key()?;
        let (suspended_until, granted) = (fields.number()?, fields.flag()?);
        Ok(Self { rule, wallet, expires_at, issued_at, verifier, suspended_until, granted })
    }
}
