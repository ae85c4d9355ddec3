//! `#[error_code]`: the errors, from 6000.

use pinocchio::error::ProgramError;

/// An error of the program.
#[derive(Clone, Copy)]
pub enum ErrorCode {
    /// The data or the accounts fit no instruction.
    InvalidInstruction = 6000,
    /// An account that must sign did not.
    NotSigned,
    /// An account is not what its constraints say.
    ConstraintViolated,
    /// The account is no pass of the depositor for the rule set of the mint.
    PassMissing,
    /// The pass is not live: it has expired, or was ended, suspended, or granted without a proof.
    PassNotLive,
    /// The amount is more than the depositor has in the vault.
    AmountTooHigh,
}

impl From<ErrorCode> for ProgramError {
    fn from(error: ErrorCode) -> Self {
        Self::Custom(error as u32)
    }
}
