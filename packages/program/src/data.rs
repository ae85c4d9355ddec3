//! Reads instruction data from front to back, and rejects data that is left over.

use crate::error::{Error, Result};
use crate::name::Name;
use crate::state::Clause;
use core::mem::size_of;
use pinocchio::Address;

/// A position in the data of an instruction. Every failed read returns [`Error::InvalidInstructionData`].
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts after the instruction's number.
    pub const fn new(data: &'a [u8]) -> Self {
        Self { rest: data }
    }

    /// Reads the next `N` bytes.
    #[inline(always)]
    pub fn bytes<const N: usize>(&mut self) -> Result<&'a [u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Error::InvalidInstructionData)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads one byte.
    #[inline(always)]
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.bytes::<1>()?[0])
    }

    /// Reads a little-endian number of 4 bytes.
    #[inline(always)]
    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(*self.bytes()?))
    }

    /// Reads a little-endian number of 8 bytes.
    #[inline(always)]
    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(*self.bytes()?))
    }

    /// Reads one byte, 0 or 1.
    #[inline(always)]
    pub fn bool(&mut self) -> Result<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Error::InvalidInstructionData),
        }
    }

    /// Reads one byte, 0 or 1, and a number, which must be zero after a 0.
    pub fn optional_u64(&mut self) -> Result<Option<u64>> {
        match (self.bool()?, self.u64()?) {
            (true, value) => Ok(Some(value)),
            (false, 0) => Ok(None),
            (false, _) => Err(Error::InvalidInstructionData),
        }
    }

    /// Reads one byte, 0 or 1, and an address, which must be zeros after a 0.
    pub fn optional_address(&mut self) -> Result<Option<Address>> {
        match (self.bool()?, *self.bytes()?) {
            (true, address) => Ok(Some(Address::new_from_array(address))),
            (false, address) if address == [0; 32] => Ok(None),
            (false, _) => Err(Error::InvalidInstructionData),
        }
    }

    /// Reads one byte of length and a name; rejects an invalid name with [`Error::NameInvalid`].
    pub fn name(&mut self) -> Result<Name> {
        let length = usize::from(self.u8()?);
        let (text, rest) = self.rest.split_at_checked(length).ok_or(Error::InvalidInstructionData)?;
        self.rest = rest;
        Name::new(text)
    }

    /// Reads `count` clauses.
    pub fn clauses(&mut self, count: usize) -> Result<&'a [Clause]> {
        let (bytes, rest) =
            self.rest.split_at_checked(count.wrapping_mul(size_of::<Clause>())).ok_or(Error::InvalidInstructionData)?;
        self.rest = rest;
        // SAFETY: a clause is plain, and the slice has exactly the bytes of the clauses.
        Ok(unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), count) })
    }

    /// Returns whether nothing is left, so that arguments that may be missing at the end are.
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Rejects data after the last argument.
    #[inline(always)]
    pub fn finish(self) -> Result {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::InvalidInstructionData)
        }
    }
}
