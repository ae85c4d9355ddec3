//! What all accounts of the program share.

use super::{plain_struct, Plain};
use crate::error::{Error, Result};
use core::mem::size_of;
use pinocchio::account::{Ref, RefMut};
use pinocchio::{AccountView, Address};

plain_struct! {
    /// The first three bytes of every account.
    pub struct Header {
        account_type: u8,
        version: u8,
        /// The canonical bump of the address.
        pub bump: u8,
    }
}

/// The layout of one type of account. It begins with [`Header`].
pub trait Record: Plain {
    /// The number of the type in the IDL.
    const TYPE: u8;
    /// The newest version of the layout, from 1. A version differs from the one before it only in reserved bytes to
    /// which it gives a meaning, and zeros there mean what the version before did. So an account of an older version
    /// is read as one of the newest, and becomes one when it is next written.
    const VERSION: u8 = 1;

    /// Returns the exact size that the account must have, in bytes.
    fn space(&self) -> usize {
        size_of::<Self>()
    }
}

/// Returns whether the account does not exist: the program owns nothing at its address.
#[inline(always)]
pub fn is_missing(account: &AccountView, program_id: &Address) -> bool {
    !account.owned_by(program_id)
}

/// Borrows an account of the program after checking owner, type, version and size.
#[inline(always)]
pub fn load<'a, T: Record>(account: &'a AccountView, program_id: &Address) -> Result<Ref<'a, T>> {
    owned(account, program_id)?;
    let data = account.try_borrow().map_err(|_| Error::DuplicateAccount)?;
    Ref::filter_map(data, |bytes| checked::<T>(bytes)).map_err(|_| Error::WrongAccountType)
}

/// Like [`load`], but mutable; rejects an account that is not writable.
#[inline(always)]
pub fn load_mut<'a, T: Record>(account: &'a mut AccountView, program_id: &Address) -> Result<RefMut<'a, T>> {
    owned(account, program_id)?;
    crate::checks::writable(account)?;
    let mut data = account.try_borrow_mut().map_err(|_| Error::DuplicateAccount)?;
    checked::<T>(&data).ok_or(Error::WrongAccountType)?;
    bring_forward::<T>(&mut data)?;
    front_mut(data)
}

/// Writes the header of an account that was just created, and borrows it. All other bytes are zero.
pub fn initialize<T: Record>(account: &mut AccountView, bump: u8) -> Result<RefMut<'_, T>> {
    let mut data = account.try_borrow_mut().map_err(|_| Error::DuplicateAccount)?;
    let header = Header::at_front_mut(&mut data).ok_or(Error::WrongAccountType)?;
    *header = Header { account_type: T::TYPE, version: T::VERSION, bump };
    front_mut(data)
}

#[inline(always)]
fn owned(account: &AccountView, program_id: &Address) -> Result {
    if is_missing(account, program_id) {
        Err(Error::WrongOwner)
    } else {
        Ok(())
    }
}

#[inline(always)]
fn checked<T: Record>(bytes: &[u8]) -> Option<&T> {
    let header = Header::at_front(bytes)?;
    let record = T::at_front(bytes)?;
    let has_version = header.version != 0 && header.version <= T::VERSION;
    let expected = header.account_type == T::TYPE && has_version && bytes.len() == record.space();
    expected.then_some(record)
}

#[inline(always)]
fn bring_forward<T: Record>(bytes: &mut [u8]) -> Result {
    Header::at_front_mut(bytes).ok_or(Error::WrongAccountType)?.version = T::VERSION;
    Ok(())
}

#[inline(always)]
fn front_mut<T: Record>(data: RefMut<'_, [u8]>) -> Result<RefMut<'_, T>> {
    RefMut::filter_map(data, |bytes| T::at_front_mut(bytes)).map_err(|_| Error::WrongAccountType)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::U64;
    use pinocchio::account::{RuntimeAccount, NOT_BORROWED};

    plain_struct! {
        /// A layout of which two versions exist.
        pub struct Older {
            header: Header,
            number: U64,
            reserved: [u8; 16],
        }
    }

    impl Record for Older {
        const TYPE: u8 = 9;
    }

    plain_struct! {
        /// Its second version uses half of the reserved bytes.
        pub struct Newer {
            header: Header,
            number: U64,
            limit: U64,
            reserved: [u8; 8],
        }
    }

    impl Record for Newer {
        const TYPE: u8 = 9;
        const VERSION: u8 = 2;
    }

    const OLDER: [u8; size_of::<Older>()] = {
        let mut bytes = [0; size_of::<Older>()];
        bytes[0] = 9;
        bytes[1] = 1;
        bytes[2] = 255;
        bytes[3] = 7;
        bytes
    };

    /// An account as the runtime lays it out for a program.
    #[repr(C)]
    struct Memory {
        account: RuntimeAccount,
        data: [u8; size_of::<Older>()],
    }

    fn account_of(owner: Address) -> RuntimeAccount {
        RuntimeAccount {
            borrow_state: NOT_BORROWED,
            is_signer: 0,
            is_writable: 1,
            executable: 0,
            padding: [0; 4],
            address: Address::new_from_array([2; 32]),
            owner,
            lamports: 1,
            data_len: size_of::<Older>() as u64,
        }
    }

    #[test]
    fn reads_an_older_version_as_the_newest() {
        let read = checked::<Newer>(&OLDER).expect("version 1");
        assert_eq!((read.number.get(), read.limit.get()), (7, 0));
    }

    #[test]
    fn brings_an_older_version_forward_when_it_is_written() {
        let program = Address::new_from_array([3; 32]);
        let mut memory = Memory { account: account_of(program), data: OLDER };
        // SAFETY: the data follow the account in memory, with the length that it states.
        let mut view = unsafe { AccountView::new_unchecked((&raw mut memory).cast()) };

        load_mut::<Newer>(&mut view, &program).expect("version 1").limit = U64::new(5);

        let read = checked::<Newer>(&memory.data).expect("version 2");
        assert_eq!((read.header.version, read.number.get(), read.limit.get()), (2, 7, 5));
        assert!(checked::<Older>(&memory.data).is_none(), "an older program rejects what it does not understand");
    }

    #[test]
    fn rejects_a_version_that_never_was() {
        for version in [0, 3, 255] {
            let mut bytes = OLDER;
            bytes[1] = version;
            assert!(checked::<Newer>(&bytes).is_none(), "{version}");
        }
    }
}
