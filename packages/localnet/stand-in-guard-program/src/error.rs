//! The errors of Lighthouse that the stand-in can raise, with their numbers.

use pinocchio::error::ProgramError;

/// Why an instruction failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// 6000: the data is not an instruction that the stand-in can read.
    InvalidInstructionData,
    /// 6001: the assertion does not hold.
    AssertionFailed,
    /// 0x1900 plus an index: of several assertions, the one with this index does not hold.
    AssertionOfSeveralFailed(u32),
    /// 6005: the assertion is about bytes that the account does not have.
    RangeOutOfBounds,
    /// 6007: an optional field of a token account cannot be read.
    FailedToDeserialize,
    /// 6009: the account of an assertion about token accounts belongs to no token program.
    AccountOwnerMismatch,
    /// The instruction names no account. This is an error of the runtime's own.
    NotEnoughAccountKeys,
    /// Another borrow of the account's data is in progress.
    AccountBorrowFailed,
}

impl From<Error> for ProgramError {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidInstructionData => Self::Custom(6000),
            Error::AssertionFailed => Self::Custom(6001),
            Error::AssertionOfSeveralFailed(index) => Self::Custom(0x1900_u32.wrapping_add(index)),
            Error::RangeOutOfBounds => Self::Custom(6005),
            Error::FailedToDeserialize => Self::Custom(6007),
            Error::AccountOwnerMismatch => Self::Custom(6009),
            Error::NotEnoughAccountKeys => Self::NotEnoughAccountKeys,
            Error::AccountBorrowFailed => Self::AccountBorrowFailed,
        }
    }
}

/// The result of a function that can fail an instruction.
pub type Result<T = ()> = core::result::Result<T, Error>;
