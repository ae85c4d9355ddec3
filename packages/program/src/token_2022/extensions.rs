//! The extensions of a mint or token account: entries of type, length and value after the account's type.

/// Offset of the extensions in mints and token accounts: after 165 bytes and the account's type.
pub const EXTENSIONS_START: usize = 166;

/// Numbers of the extensions that this program knows.
pub mod kind {
    /// Nothing follows.
    pub const END: u16 = 0;
    /// The state in which token accounts are created.
    pub const DEFAULT_ACCOUNT_STATE: u16 = 6;
    /// The owner of the token account cannot be changed.
    pub const IMMUTABLE_OWNER: u16 = 7;
    /// The tokens cannot be transferred.
    pub const NON_TRANSFERABLE: u16 = 9;
    /// Wallets show amounts with interest.
    pub const INTEREST_BEARING: u16 = 10;
    /// Who can move and burn the tokens of every holder.
    pub const PERMANENT_DELEGATE: u16 = 12;
    /// The mint's transfer hook.
    pub const TRANSFER_HOOK: u16 = 14;
    /// The token account's flag for a transfer in progress.
    pub const TRANSFER_HOOK_ACCOUNT: u16 = 15;
    /// Where the mint's metadata is.
    pub const METADATA_POINTER: u16 = 18;
    /// The mint's metadata.
    pub const TOKEN_METADATA: u16 = 19;
    /// Where the group that the mint stands for is.
    pub const GROUP_POINTER: u16 = 20;
    /// The group that the mint stands for.
    pub const TOKEN_GROUP: u16 = 21;
    /// Where the mint's membership of a group is.
    pub const GROUP_MEMBER_POINTER: u16 = 22;
    /// The mint's membership of a group.
    pub const TOKEN_GROUP_MEMBER: u16 = 23;
    /// Wallets show amounts multiplied by a factor.
    pub const SCALED_UI_AMOUNT: u16 = 25;
    /// Who can pause issues, transfers and burns.
    pub const PAUSABLE: u16 = 26;
}

/// The bytes are not a list of extensions.
pub struct Malformed;

/// Iterates over the extensions in order, and ends in [`Malformed`] when an entry is truncated.
pub struct Extensions<'a> {
    rest: &'a [u8],
}

impl<'a> Extensions<'a> {
    /// Returns the extensions of an account; an account that is too short has none.
    pub fn of(account: &'a [u8]) -> Self {
        Self { rest: account.get(EXTENSIONS_START..).unwrap_or_default() }
    }

    /// Returns the extensions in the bytes after the type of an account.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Checks that the rest is unused space, which is zero.
    fn end(&mut self) -> Option<Result<(u16, &'a [u8]), Malformed>> {
        let unused = core::mem::take(&mut self.rest);
        unused.iter().any(|&byte| byte != 0).then_some(Err(Malformed))
    }
}

impl<'a> Iterator for Extensions<'a> {
    type Item = Result<(u16, &'a [u8]), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some((&[kind_low, kind_high, length_low, length_high], rest)) = self.rest.split_first_chunk() else {
            return self.end();
        };
        let kind = u16::from_le_bytes([kind_low, kind_high]);
        if kind == kind::END {
            return self.end();
        }
        let length = u16::from_le_bytes([length_low, length_high]);
        let Some((value, rest)) = rest.split_at_checked(length.into()) else {
            self.rest = &[];
            return Some(Err(Malformed));
        };
        self.rest = rest;
        Some(Ok((kind, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(bytes: &[u8]) -> Result<([u16; 4], usize), Malformed> {
        let (mut kinds, mut count) = ([0; 4], 0);
        for (extension, slot) in (Extensions { rest: bytes }).zip(&mut kinds) {
            *slot = extension?.0;
            count = usize::saturating_add(count, 1);
        }
        Ok((kinds, count))
    }

    #[test]
    fn walks_entries_to_the_end_or_to_unused_room() {
        assert!(matches!(kinds(&[]), Ok((_, 0))));
        assert!(matches!(kinds(&[7, 0, 0, 0, 15, 0, 1, 0, 1]), Ok(([7, 15, ..], 2))));
        assert!(matches!(kinds(&[7, 0, 0, 0, 0, 0, 0, 0, 0, 0]), Ok(([7, ..], 1))));
        assert!(matches!(kinds(&[7, 0, 0, 0, 0, 0]), Ok(([7, ..], 1))));
    }

    #[test]
    fn refuses_entries_that_are_cut_short_and_bytes_after_the_end() {
        for bytes in [&[7, 0, 1, 0][..], &[7], &[7, 0, 0], &[0, 0, 0, 0, 1], &[15, 0, 2, 0, 1], &[0, 0, 9, 0]] {
            assert!(kinds(bytes).is_err(), "{bytes:?}");
        }
    }
}
