//! Assertions about an account: its balance, owner, flags and data.

use crate::addresses::KNOWN_OWNERS;
use crate::assertion::Assertion;
use crate::error::{Error, Result};
use crate::operator::{Comparison, Equality};
use crate::reader::Reader;
use crate::syscalls::keccak256;
use pinocchio::{AccountView, Address};

/// The runtime shows this rent epoch of every account to programs.
const RENT_EPOCH: u64 = u64::MAX;

/// An assertion about an account. The order is that of their numbers.
#[derive(Debug, PartialEq, Eq)]
pub enum AccountInfoAssertion {
    /// About the lamports.
    Lamports(u64, Comparison),
    /// About the number of bytes of data.
    DataLength(u64, Comparison),
    /// About the program that owns the account.
    Owner(Address, Equality),
    /// The same, with a number of [`KNOWN_OWNERS`].
    KnownOwner(Address, Equality),
    /// About the rent epoch.
    RentEpoch(u64, Comparison),
    /// About whether the account signs.
    IsSigner(bool, Equality),
    /// About whether the instruction may write to the account.
    IsWritable(bool, Equality),
    /// About whether the account is a program.
    Executable(bool, Equality),
    /// Keccak-256 of some bytes of the data.
    DataHash {
        /// The expected hash.
        hash: [u8; 32],
        /// The first byte.
        start: u64,
        /// The number of bytes.
        length: u64,
    },
}

impl Assertion for AccountInfoAssertion {
    fn read(reader: &mut Reader) -> Result<Self> {
        Ok(match reader.byte()? {
            0 => Self::Lamports(reader.u64()?, Comparison::read(reader)?),
            1 => Self::DataLength(reader.u64()?, Comparison::read(reader)?),
            2 => Self::Owner(Address::new_from_array(reader.bytes()?), Equality::read(reader)?),
            3 => {
                let number = usize::from(reader.byte()?);
                let owner = KNOWN_OWNERS.get(number).ok_or(Error::InvalidInstructionData)?;
                Self::KnownOwner(*owner, Equality::read(reader)?)
            }
            4 => Self::RentEpoch(reader.u64()?, Comparison::read(reader)?),
            5 => Self::IsSigner(reader.bool()?, Equality::read(reader)?),
            6 => Self::IsWritable(reader.bool()?, Equality::read(reader)?),
            7 => Self::Executable(reader.bool()?, Equality::read(reader)?),
            8 => Self::DataHash { hash: reader.bytes()?, start: reader.compact()?, length: reader.compact()? },
            _ => return Err(Error::InvalidInstructionData),
        })
    }

    fn check_account(_account: &AccountView) -> Result {
        Ok(())
    }

    fn holds(&self, account: &AccountView) -> Result<bool> {
        Ok(match self {
            Self::Lamports(expected, comparison) => comparison.holds(account.lamports(), *expected),
            Self::DataLength(expected, comparison) => comparison.holds(account.data_len() as u64, *expected),
            Self::Owner(expected, equality) | Self::KnownOwner(expected, equality) => {
                equality.holds(&account.owner(), expected)
            }
            Self::RentEpoch(expected, comparison) => comparison.holds(RENT_EPOCH, *expected),
            Self::IsSigner(expected, equality) => equality.holds(&account.is_signer(), expected),
            Self::IsWritable(expected, equality) => equality.holds(&account.is_writable(), expected),
            Self::Executable(expected, equality) => equality.holds(&account.executable(), expected),
            Self::DataHash { hash, start, length } => {
                let data = account.try_borrow().map_err(|_| Error::AccountBorrowFailed)?;
                let end = start.checked_add(*length).ok_or(Error::RangeOutOfBounds)?;
                let bytes = data.get(*start as usize..end as usize).ok_or(Error::RangeOutOfBounds)?;
                keccak256(bytes) == *hash
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_what_no_assertion_says() {
        let read = |data: &[u8]| AccountInfoAssertion::read(&mut Reader::new(data));
        assert_eq!(read(&[3, 8, 1]), Ok(AccountInfoAssertion::KnownOwner(KNOWN_OWNERS[8], Equality::NotEqual)));
        assert_eq!(read(&[3, 9, 0]), Err(Error::InvalidInstructionData));
        assert_eq!(read(&[5, 1, 0]), Ok(AccountInfoAssertion::IsSigner(true, Equality::Equal)));
        assert_eq!(read(&[5, 2, 0]), Err(Error::InvalidInstructionData));
        assert_eq!(read(&[9, 0, 0]), Err(Error::InvalidInstructionData));
    }
}
