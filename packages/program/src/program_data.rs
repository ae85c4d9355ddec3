//! `ProgramData`, the account in which the loader keeps a program's code and its upgrade authority.

use crate::addresses::UPGRADEABLE_LOADER;
use crate::error::{Error, Result};
use crate::program_address;
use pinocchio::{AccountView, Address};

/// Variant of the loader's state, slot, option of the upgrade authority.
const HEADER_SIZE: usize = 4 + 8 + 1 + 32;
const PROGRAM_DATA_VARIANT: u32 = 3;

/// The upgrade authority of this program, none when it cannot be upgraded any more.
///
/// Refuses an account that is not this program's `ProgramData`: by address, by owner, by content.
pub fn upgrade_authority(program_id: &Address, account: &AccountView) -> Result<Option<Address>> {
    let (expected, _) = program_address::find(&[program_id.as_ref()], &UPGRADEABLE_LOADER)?;
    if account.address() != &expected {
        return Err(Error::WrongAddress);
    }
    if !account.owned_by(&UPGRADEABLE_LOADER) {
        return Err(Error::WrongOwner);
    }
    let data = account.try_borrow().map_err(|_| Error::DuplicateAccount)?;
    let header: &[u8; HEADER_SIZE] = data.first_chunk().ok_or(Error::WrongAccountType)?;
    if header[..4] != PROGRAM_DATA_VARIANT.to_le_bytes() {
        return Err(Error::WrongAccountType);
    }
    match (header[12], header.last_chunk::<32>()) {
        (0, _) => Ok(None),
        (1, Some(authority)) => Ok(Some(Address::new_from_array(*authority))),
        _ => Err(Error::WrongAccountType),
    }
}
