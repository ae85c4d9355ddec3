//! `ProgramData`, the loader's account with a program's code and its upgrade authority.

use crate::addresses::UPGRADEABLE_LOADER;
use crate::error::{Error, Result};
use crate::program_address;
use pinocchio::{AccountView, Address};

/// Variant of the loader's state, slot, option of the upgrade authority.
const HEADER_SIZE: usize = 4 + 8 + 1 + 32;
const PROGRAM_DATA_VARIANT: u32 = 3;

/// Returns the upgrade authority of this program, or none when nobody can upgrade it any more.
///
/// Rejects an account whose address, owner or content is not that of this program's `ProgramData`.
pub fn upgrade_authority(program_id: &Address, account: &AccountView) -> Result<Option<Address>> {
    let (expected, _) = program_address::find([program_id.as_ref(), &[], &[]], &UPGRADEABLE_LOADER)?;
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
