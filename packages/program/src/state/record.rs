//! What all accounts of the program share.

use super::{plain_struct, Plain};
use crate::error::{Error, Result};
use core::mem::size_of;
use pinocchio::account::{Ref, RefMut};
use pinocchio::{AccountView, Address};

const VERSION: u8 = 1;

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
    let data = account.try_borrow_mut().map_err(|_| Error::DuplicateAccount)?;
    checked::<T>(&data).ok_or(Error::WrongAccountType)?;
    front_mut(data)
}

/// Writes the header of an account that was just created, and borrows it. All other bytes are zero.
pub fn initialize<T: Record>(account: &mut AccountView, bump: u8) -> Result<RefMut<'_, T>> {
    let mut data = account.try_borrow_mut().map_err(|_| Error::DuplicateAccount)?;
    let header = Header::at_front_mut(&mut data).ok_or(Error::WrongAccountType)?;
    *header = Header { account_type: T::TYPE, version: VERSION, bump };
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
    let expected = header.account_type == T::TYPE && header.version == VERSION && bytes.len() == record.space();
    expected.then_some(record)
}

#[inline(always)]
fn front_mut<T: Record>(data: RefMut<'_, [u8]>) -> Result<RefMut<'_, T>> {
    RefMut::filter_map(data, |bytes| T::at_front_mut(bytes)).map_err(|_| Error::WrongAccountType)
}
