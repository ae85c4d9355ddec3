//! The errors of the stand-in. Those of Token ACL have its numbers.

use pinocchio::error::ProgramError;

/// Why an instruction failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// 0: the signer is not the authority, or did not sign.
    InvalidAuthority,
    /// 1: the account in the place of the system program is another one.
    InvalidSystemProgram,
    /// 2: the token program, or the owner of the mint, is not Token-2022.
    InvalidTokenProgram,
    /// 3: the mint does not have the extension or the freeze authority, or is not the mint of the configuration.
    InvalidTokenMint,
    /// 4: the account is not the configuration of a mint.
    InvalidMintConfig,
    /// 5: the gate is not the gate of the configuration.
    InvalidGatingProgram,
    /// 6: the configuration does not let everybody thaw.
    PermissionlessThawNotEnabled,
    /// 7: the configuration does not let everybody freeze.
    PermissionlessFreezeNotEnabled,
    /// 8: the wallet does not own the token account.
    InvalidTokenAccountOwner,
    /// 9: the flag is not at its address.
    InvalidFlagAccount,
    /// 2,724,315,840 of the library that resolves lists: an account of the list was not passed.
    IncorrectAccount,
    /// The list cannot be read. Token ACL has several numbers for this.
    ListInvalid,
    /// The data of the instruction is too short or too long.
    InvalidInstructionData,
    /// The instruction has too few accounts.
    NotEnoughAccountKeys,
    /// An account of Token-2022 cannot be read.
    InvalidAccountData,
    /// A sum overflows, or the price of rent is unknown.
    ArithmeticOverflow,
    /// Another borrow of the account's data is in progress.
    AccountBorrowFailed,
}

impl From<Error> for ProgramError {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidAuthority => Self::Custom(0),
            Error::InvalidSystemProgram => Self::Custom(1),
            Error::InvalidTokenProgram => Self::Custom(2),
            Error::InvalidTokenMint => Self::Custom(3),
            Error::InvalidMintConfig => Self::Custom(4),
            Error::InvalidGatingProgram => Self::Custom(5),
            Error::PermissionlessThawNotEnabled => Self::Custom(6),
            Error::PermissionlessFreezeNotEnabled => Self::Custom(7),
            Error::InvalidTokenAccountOwner => Self::Custom(8),
            Error::InvalidFlagAccount => Self::Custom(9),
            Error::IncorrectAccount => Self::Custom(2_724_315_840),
            Error::ListInvalid => Self::InvalidSeeds,
            Error::InvalidInstructionData => Self::InvalidInstructionData,
            Error::NotEnoughAccountKeys => Self::NotEnoughAccountKeys,
            Error::InvalidAccountData => Self::InvalidAccountData,
            Error::ArithmeticOverflow => Self::ArithmeticOverflow,
            Error::AccountBorrowFailed => Self::AccountBorrowFailed,
        }
    }
}

/// The result of a function that can fail an instruction.
pub type Result<T = ()> = core::result::Result<T, Error>;

/// Returns an error unless the condition holds.
pub fn require(holds: bool, error: Error) -> Result {
    if holds {
        Ok(())
    } else {
        Err(error)
    }
}
