//! The errors of the vault.

use pinocchio::error::ProgramError;

/// The number of an error is its place, from 0.
#[derive(Clone, Copy)]
pub enum VaultError {
    /// The data or the accounts fit no instruction.
    UnknownInstruction,
    /// The depositor did not sign.
    NotSigned,
    /// The account is no pass of the depositor for the rule set of the mint.
    PassMissing,
    /// The pass has expired, or was ended.
    PassExpired,
    /// The creator of the rule set suspended the pass.
    PassSuspended,
    /// The pass was granted without a proof. The vault takes only holders who proved the rule set.
    PassGranted,
    /// The binding is not that of the mint, or does not honour granted passes, so the vault could hold no tokens.
    BindingInvalid,
    /// The account is not the vault, not the record of this depositor, or not a token account of the vault.
    AccountInvalid,
    /// The amount is more than the depositor has in the vault.
    AmountTooHigh,
}

impl From<VaultError> for ProgramError {
    fn from(error: VaultError) -> Self {
        Self::Custom(error as u32)
    }
}
