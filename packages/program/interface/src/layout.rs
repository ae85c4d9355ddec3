//! What all accounts of the program have in common.

use crate::Key;

/// Why an account cannot be read. Treat each as "no pass".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Another program owns the account. The system program owns an account that does not exist.
    Owner,
    /// The account has another type, a size that does not fit, or a version that this crate does not know.
    Layout,
}

/// Reads the fields of an account from front to back.
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Starts after the header. Checks owner, size, type and version.
    ///
    /// Rejects a newer version, because it may end passes for reasons that this crate does not know.
    #[inline(always)]
    pub(crate) fn of(
        owned: bool,
        data: &'a [u8],
        size: usize,
        account_type: u8,
        newest_version: u8,
    ) -> Result<Self, Unreadable> {
        if !owned {
            return Err(Unreadable::Owner);
        }
        match data {
            [kind, version, _bump, rest @ ..]
                if data.len() == size && *kind == account_type && (1..=newest_version).contains(version) =>
            {
                Ok(Self { rest })
            }
            _ => Err(Unreadable::Layout),
        }
    }

    /// Reads the next `N` bytes.
    #[inline(always)]
    pub(crate) fn bytes<const N: usize>(&mut self) -> Result<&'a [u8; N], Unreadable> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Unreadable::Layout)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads an address.
    #[inline(always)]
    pub(crate) fn key(&mut self) -> Result<&'a Key, Unreadable> {
        self.bytes()
    }

    /// Reads a number of 8 bytes, little-endian.
    #[inline(always)]
    pub(crate) fn number(&mut self) -> Result<u64, Unreadable> {
        Ok(u64::from_le_bytes(*self.bytes()?))
    }

    /// Reads a boolean.
    #[inline(always)]
    pub(crate) fn flag(&mut self) -> Result<bool, Unreadable> {
        Ok(self.bytes()? != &[0])
    }
    /// Reads an address that may be missing: a byte, then the address or zeros.
    #[inline(always)]
    pub(crate) fn optional_key(&mut self) -> Result<Option<&'a Key>, Unreadable> {
        let (present, key) = (self.flag()?, self.key()?);
        Ok(present.then_some(key))
    }
}
