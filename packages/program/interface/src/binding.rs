//! The binding of a mint.

use crate::layout::{Fields, Unreadable};
use crate::Key;

/// Binds a Token-2022 mint to a rule set: only holders of passes of this rule set receive the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MintBinding<'a> {
    /// The mint.
    pub mint: &'a Key,
    /// Address of the rule set.
    pub rule: &'a Key,
    /// The wallet that issues the tokens.
    pub issuer: &'a Key,
    /// Whether the owner of the source of a transfer needs a pass too.
    pub require_source: bool,
    /// Whether a granted pass counts for transfers of the mint.
    pub honours_granted: bool,
    /// Whether a proved pass counts for transfers of the mint only while the credential of its wallet supports it. Each
    /// transfer then needs the credentials too.
    pub reads_credential: bool,
}

impl<'a> MintBinding<'a> {
    /// Bytes of the account.
    pub const SIZE: usize = 196;
    /// The first byte of the account.
    pub const TYPE: u8 = 7;
    /// The newest version of its layout, the second byte.
    pub const VERSION: u8 = 2;

    /// Reads the binding of a mint. `owner` and `data` are those of the account. Compare `mint` with yours.
    ///
    /// # Errors
    /// [`Unreadable`] if it is no binding of the program that you pin.
    #[inline]
    pub fn read(program: &Key, owner: &Key, data: &'a [u8]) -> Result<Self, Unreadable> {
        let mut fields = Fields::of(owner == program, data, Self::SIZE, Self::TYPE, Self::VERSION)?;
        let (mint, rule, issuer) = (fields.key()?, fields.key()?, fields.key()?);
        let (require_source, honours_granted) = (fields.flag()?, fields.flag()?);
        let _nominee_and_next_rule = fields.bytes::<{ 2 * 32 + 8 }>()?;
        let reads_credential = fields.flag()?;
        Ok(Self { mint, rule, issuer, require_source, honours_granted, reads_credential })
    }
}
