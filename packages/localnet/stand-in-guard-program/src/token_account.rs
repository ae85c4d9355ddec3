//! Assertions about the fields of a token account.

use crate::addresses::{TOKEN_2022_PROGRAM, TOKEN_PROGRAM};
use crate::assertion::Assertion;
use crate::error::{Error, Result};
use crate::operator::{Comparison, Equality};
use crate::reader::Reader;
use crate::syscalls::associated_token_account;
use pinocchio::AccountView;

/// Offsets of the fields of a token account.
mod offset {
    pub const MINT: usize = 0;
    pub const OWNER: usize = 32;
    pub const AMOUNT: usize = 64;
    pub const DELEGATE: usize = 72;
    pub const STATE: usize = 108;
    pub const IS_NATIVE: usize = 109;
    pub const DELEGATED_AMOUNT: usize = 121;
    pub const CLOSE_AUTHORITY: usize = 129;
}

/// An assertion about a token account. The order is that of their numbers.
#[derive(Debug, PartialEq, Eq)]
pub enum TokenAccountAssertion {
    /// About the mint.
    Mint([u8; 32], Equality),
    /// About the wallet that owns the tokens.
    Owner([u8; 32], Equality),
    /// About the number of tokens.
    Amount(u64, Comparison),
    /// About the delegate.
    Delegate(Option<[u8; 32]>, Equality),
    /// About the state: 0 uninitialized, 1 initialized, 2 frozen.
    State(u8, Comparison),
    /// About the rent reserve of an account of wrapped SOL.
    IsNative(Option<u64>, Equality),
    /// About the number of tokens that the delegate may move.
    DelegatedAmount(u64, Comparison),
    /// About the close authority.
    CloseAuthority(Option<[u8; 32]>, Equality),
    /// The account is the associated token account of its owner.
    OwnerIsDerived,
}

impl Assertion for TokenAccountAssertion {
    fn read(reader: &mut Reader) -> Result<Self> {
        Ok(match reader.byte()? {
            0 => Self::Mint(reader.bytes()?, Equality::read(reader)?),
            1 => Self::Owner(reader.bytes()?, Equality::read(reader)?),
            2 => Self::Amount(reader.u64()?, Comparison::read(reader)?),
            3 => Self::Delegate(reader.optional(Reader::bytes)?, Equality::read(reader)?),
            4 => Self::State(reader.byte()?, Comparison::read(reader)?),
            5 => Self::IsNative(reader.optional(Reader::u64)?, Equality::read(reader)?),
            6 => Self::DelegatedAmount(reader.u64()?, Comparison::read(reader)?),
            7 => Self::CloseAuthority(reader.optional(Reader::bytes)?, Equality::read(reader)?),
            8 => Self::OwnerIsDerived,
            _ => return Err(Error::InvalidInstructionData),
        })
    }

    fn check_account(account: &AccountView) -> Result {
        if account.owned_by(&TOKEN_PROGRAM) || account.owned_by(&TOKEN_2022_PROGRAM) {
            Ok(())
        } else {
            Err(Error::AccountOwnerMismatch)
        }
    }

    fn holds(&self, account: &AccountView) -> Result<bool> {
        let data = account.try_borrow().map_err(|_| Error::AccountBorrowFailed)?;
        Ok(match self {
            Self::Mint(expected, equality) => equality.holds(&field(&data, offset::MINT)?, expected),
            Self::Owner(expected, equality) => equality.holds(&field(&data, offset::OWNER)?, expected),
            Self::Amount(expected, comparison) => comparison.holds(number(&data, offset::AMOUNT)?, *expected),
            Self::Delegate(expected, equality) => equality.holds(&optional(&data, offset::DELEGATE)?, expected),
            Self::State(expected, comparison) => {
                let [state] = field(&data, offset::STATE)?;
                comparison.holds(u64::from(state), u64::from(*expected))
            }
            Self::IsNative(expected, equality) => {
                equality.holds(&optional(&data, offset::IS_NATIVE)?.map(u64::from_le_bytes), expected)
            }
            Self::DelegatedAmount(expected, comparison) => {
                comparison.holds(number(&data, offset::DELEGATED_AMOUNT)?, *expected)
            }
            Self::CloseAuthority(expected, equality) => {
                equality.holds(&optional(&data, offset::CLOSE_AUTHORITY)?, expected)
            }
            Self::OwnerIsDerived => {
                let (mint, owner) = (field(&data, offset::MINT)?, field(&data, offset::OWNER)?);
                associated_token_account(&owner, &account.owner(), &mint).as_ref() == Some(account.address())
            }
        })
    }
}

/// Returns `N` bytes of the account.
fn field<const N: usize>(data: &[u8], offset: usize) -> Result<[u8; N]> {
    let from = data.get(offset..).ok_or(Error::RangeOutOfBounds)?;
    from.first_chunk().copied().ok_or(Error::RangeOutOfBounds)
}

fn number(data: &[u8], offset: usize) -> Result<u64> {
    field(data, offset).map(u64::from_le_bytes)
}

/// Returns a field that has a tag of four bytes before it.
fn optional<const N: usize>(data: &[u8], offset: usize) -> Result<Option<[u8; N]>> {
    let from = data.get(offset..).ok_or(Error::FailedToDeserialize)?;
    let (tag, body) = from.split_first_chunk::<4>().ok_or(Error::FailedToDeserialize)?;
    let body = body.first_chunk().copied().ok_or(Error::FailedToDeserialize)?;
    match tag {
        [0, 0, 0, 0] => Ok(None),
        [1, 0, 0, 0] => Ok(Some(body)),
        _ => Err(Error::FailedToDeserialize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fields_of_an_account() {
        let mut data = [0; 165];
        data[offset::AMOUNT] = 7;
        data[offset::DELEGATE] = 1;
        data[offset::CLOSE_AUTHORITY] = 2;
        assert_eq!(number(&data, offset::AMOUNT), Ok(7));
        assert_eq!(optional(&data, offset::DELEGATE), Ok(Some([0; 32])));
        assert_eq!(optional::<8>(&data, offset::IS_NATIVE), Ok(None));
        assert_eq!(optional::<32>(&data, offset::CLOSE_AUTHORITY), Err(Error::FailedToDeserialize));
        assert_eq!(optional::<32>(&data[..164], offset::CLOSE_AUTHORITY), Err(Error::FailedToDeserialize));
        assert_eq!(number(&data[..71], offset::AMOUNT), Err(Error::RangeOutOfBounds));
    }

    #[test]
    fn rejects_what_no_assertion_says() {
        let read = |data: &[u8]| TokenAccountAssertion::read(&mut Reader::new(data));
        assert_eq!(read(&[3, 0, 0]), Ok(TokenAccountAssertion::Delegate(None, Equality::Equal)));
        assert_eq!(read(&[3, 2, 0]), Err(Error::InvalidInstructionData));
        assert_eq!(read(&[4, 9, 0]), Ok(TokenAccountAssertion::State(9, Comparison::Equal)));
        assert_eq!(read(&[9]), Err(Error::InvalidInstructionData));
    }
}
