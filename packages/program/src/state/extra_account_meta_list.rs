//! The validation account of a bound mint, by the transfer-hook interface.
//!
//! It has two entries of type, length and value. The first is the interface's list, with which any wallet finds the
//! accounts of a transfer. The second holds what the hook needs from the binding, so that a transfer needs one account
//! less.

use super::{is_missing, plain_struct, Credential, Flag, MintBinding, Pass, Plain};
use crate::error::{Error, Result};
use core::mem::{offset_of, size_of};
use pinocchio::account::{Ref, RefMut};
use pinocchio::{AccountView, Address};

/// First 8 bytes of SHA-256("spl-transfer-hook-interface:execute"): type of the first entry, and of the instruction.
pub const EXECUTE_DISCRIMINATOR: [u8; 8] = [0x69, 0x25, 0x65, 0xc5, 0x4b, 0xfb, 0x66, 0x1a];
/// First 8 bytes of SHA-256("service:v1:binding"): type of the second entry.
const BINDING_DISCRIMINATOR: [u8; 8] = [0x1c, 0xe0, 0x92, 0xe7, 0xd4, 0xb3, 0xcf, 0x88];
/// The newest version, as [`Record::VERSION`](super::Record::VERSION).
const VERSION: u8 = 2;

/// Places of accounts in the instruction `execute`.
mod place {
    pub const SOURCE: u8 = 0;
    pub const DESTINATION: u8 = 2;
    pub const LIST: u8 = 4;
}

/// Offset of the owner in a token account.
const OWNER_OFFSET: u8 = 32;
const ADDRESS_SIZE: u8 = 32;
/// Kinds of seeds of an address that is derived.
const LITERAL: u8 = 1;
const ACCOUNT_ADDRESS: u8 = 3;
const ACCOUNT_DATA: u8 = 4;
/// How an address is given: derived for the program that the list is for.
const ADDRESS_OF_THIS_PROGRAM: u8 = 1;

plain_struct! {
    /// One account that a transfer needs in addition to those of the interface; neither signer nor writable.
    #[derive(Clone, Copy)]
    pub struct ExtraAccountMeta {
        discriminator: u8,
        address_config: [u8; 32],
        is_signer: Flag,
        is_writable: Flag,
    }
}

impl ExtraAccountMeta {
    /// Names an account by its address.
    pub(super) fn literal(address: &Address) -> Self {
        Self::read_only(0, *address.as_array())
    }

    /// Names the pass of the owner of the token account at `place`, for the rule set in the list's second entry.
    fn pass_of_owner(place: u8, rule_offset: u8) -> Self {
        let mut seeds = Self::pass_of_rule(place::LIST, rule_offset);
        seeds[10..14].copy_from_slice(&[ACCOUNT_DATA, place, OWNER_OFFSET, ADDRESS_SIZE]);
        Self::read_only(ADDRESS_OF_THIS_PROGRAM, seeds)
    }

    /// Names the pass of the wallet at `place`, for the rule set at an offset of the list at `list`.
    pub(super) fn pass_of_wallet(place: u8, list: u8, rule_offset: u8) -> Self {
        let mut seeds = Self::pass_of_rule(list, rule_offset);
        seeds[10..12].copy_from_slice(&[ACCOUNT_ADDRESS, place]);
        Self::read_only(ADDRESS_OF_THIS_PROGRAM, seeds)
    }

    /// Returns the first two seeds of a pass: its literal, and the rule set. They take ten bytes.
    fn pass_of_rule(list: u8, rule_offset: u8) -> [u8; 32] {
        let [p, a, s1, s2] = *Pass::SEED;
        let mut seeds = [0; 32];
        seeds[..6].copy_from_slice(&[LITERAL, 4, p, a, s1, s2]);
        seeds[6..10].copy_from_slice(&[ACCOUNT_DATA, list, rule_offset, ADDRESS_SIZE]);
        seeds
    }

    /// Names the credential of the owner of the token account at `place`.
    fn credential_of_owner(place: u8) -> Self {
        const SIZE: usize = Credential::SEED.len();
        let mut seeds = [0; 32];
        seeds[..2].copy_from_slice(&[LITERAL, const { byte(SIZE) }]);
        seeds[2..2 + SIZE].copy_from_slice(Credential::SEED);
        seeds[2 + SIZE..6 + SIZE].copy_from_slice(&[ACCOUNT_DATA, place, OWNER_OFFSET, ADDRESS_SIZE]);
        Self::read_only(ADDRESS_OF_THIS_PROGRAM, seeds)
    }

    fn read_only(discriminator: u8, address_config: [u8; 32]) -> Self {
        Self { discriminator, address_config, is_signer: Flag::new(false), is_writable: Flag::new(false) }
    }
}

plain_struct! {
    /// The value of the second entry.
    #[derive(Clone, Copy)]
    pub struct BoundMint {
        version: u8,
        /// The canonical bump of the list's address.
        pub bump: u8,
        /// Whether the owner of the source needs a valid pass too.
        pub require_source: Flag,
        /// The bound mint.
        pub mint: Address,
        /// Address of the rule set.
        pub rule: Address,
        /// The wallet that may issue tokens.
        pub issuer: Address,
        /// Whether granted passes count for this mint.
        pub honours_granted: Flag,
        /// Whether a proved pass counts only while the credential of its wallet supports it.
        pub reads_credential: Flag,
        reserved: [u8; 62],
    }
}

plain_struct! {
    /// The front of the first entry. The metas follow, and then the second entry.
    pub struct Head {
        list_type: [u8; 8],
        list_length: [u8; 4],
        count: [u8; 4],
    }
}

plain_struct! {
    /// The second entry.
    pub struct BindingEntry {
        binding_type: [u8; 8],
        binding_length: [u8; 4],
        binding: BoundMint,
    }
}

/// Bytes of an account with so many metas.
const fn space_with(metas: usize) -> usize {
    const ENTRIES: usize = size_of::<Head>() + size_of::<BindingEntry>();
    metas.wrapping_mul(size_of::<ExtraAccountMeta>()).wrapping_add(ENTRIES)
}

pub(super) const fn byte(number: usize) -> u8 {
    assert!(number <= u8::MAX as usize);
    number as u8
}

pub(super) const fn length(number: usize) -> [u8; 4] {
    (number as u32).to_le_bytes()
}

impl BoundMint {
    /// First seed of the account's address. The mint follows.
    pub const SEED: &'static [u8] = b"extra-account-metas";

    /// Bytes of the account. It lists Config and, for each owner that needs a pass, the pass and maybe the credential.
    pub const fn space(require_source: bool, reads_credential: bool) -> usize {
        match (require_source, reads_credential) {
            (false, false) => const { space_with(2) },
            (true, false) | (false, true) => const { space_with(3) },
            (true, true) => const { space_with(5) },
        }
    }

    /// What [`bind-mint`](crate::instructions) stores.
    pub fn new(bump: u8, binding: &MintBinding) -> Self {
        Self {
            version: VERSION,
            bump,
            require_source: binding.require_source,
            mint: binding.mint,
            rule: binding.rule,
            issuer: binding.issuer,
            honours_granted: binding.honours_granted,
            reads_credential: binding.reads_credential,
            reserved: [0; 62],
        }
    }

    /// Writes the list and this entry into an account that was just created.
    pub fn write(self, account: &mut AccountView, config: &Address) -> Result {
        let mut data = account.try_borrow_mut().map_err(|_| Error::DuplicateAccount)?;
        let reads_credential = self.reads_credential.get();
        let owners: &[u8] =
            if self.require_source.get() { &[place::DESTINATION, place::SOURCE] } else { &[place::DESTINATION] };
        let records = if reads_credential { 2 } else { 1 };
        let count = owners.len().wrapping_mul(records).wrapping_add(1);
        let head = Head {
            list_type: EXECUTE_DISCRIMINATOR,
            list_length: length(count.wrapping_mul(size_of::<ExtraAccountMeta>()).wrapping_add(4)),
            count: length(count),
        };
        // The passes are derived from the address of the rule set in the second entry.
        let rule_offset = data.len().checked_sub(const { size_of::<Self>() - offset_of!(Self, rule) });
        let rule_offset = rule_offset.and_then(|at| u8::try_from(at).ok()).ok_or(Error::WrongAccountType)?;
        let rest = put(&mut data, head)?;
        let mut rest = put(rest, ExtraAccountMeta::literal(config))?;
        for &place in owners {
            rest = put(rest, ExtraAccountMeta::pass_of_owner(place, rule_offset))?;
            if reads_credential {
                rest = put(rest, ExtraAccountMeta::credential_of_owner(place))?;
            }
        }
        put(
            rest,
            BindingEntry {
                binding_type: BINDING_DISCRIMINATOR,
                binding_length: const { length(size_of::<Self>()) },
                binding: self,
            },
        )
        .map(drop)
    }

    /// Borrows the second entry of a list of this program after checking owner, type, version and size.
    pub fn load<'a>(account: &'a AccountView, program_id: &Address) -> Result<Ref<'a, Self>> {
        if is_missing(account, program_id) {
            return Err(Error::WrongOwner);
        }
        let data = account.try_borrow().map_err(|_| Error::DuplicateAccount)?;
        Ref::filter_map(data, Self::checked).map_err(|_| Error::WrongAccountType)
    }

    /// Like [`BoundMint::load`], but mutable; rejects an account that is not writable, and the list of another mint.
    pub fn load_mut<'a>(
        account: &'a mut AccountView,
        mint: &Address,
        program_id: &Address,
    ) -> Result<RefMut<'a, Self>> {
        if is_missing(account, program_id) {
            return Err(Error::WrongOwner);
        }
        crate::checks::writable(account)?;
        let data = account.try_borrow_mut().map_err(|_| Error::DuplicateAccount)?;
        if &Self::checked(&data).ok_or(Error::WrongAccountType)?.mint != mint {
            return Err(Error::BindingMismatch);
        }
        // The entry ends the list, with any number of metas.
        let start = data.len().saturating_sub(size_of::<Self>());
        let mut binding = RefMut::filter_map(data, |data: &mut [u8]| Self::at_front_mut(data.get_mut(start..)?))
            .map_err(|_| Error::WrongAccountType)?;
        binding.version = VERSION;
        Ok(binding)
    }

    fn checked(data: &[u8]) -> Option<&Self> {
        // The entry ends the list. Which accounts it lists follows from the entry, and so does its size.
        let binding = Self::at_front(data.get(data.len().checked_sub(size_of::<Self>())?..)?)?;
        let is_list = data.first_chunk() == Some(&EXECUTE_DISCRIMINATOR);
        let has_size = data.len() == Self::space(binding.require_source.get(), binding.reads_credential.get());
        let has_version = binding.version != 0 && binding.version <= VERSION;
        (is_list && has_size && has_version).then_some(binding)
    }
}

/// Writes a value to the front of the bytes. Returns the bytes after it.
fn put<T: Plain>(bytes: &mut [u8], value: T) -> Result<&mut [u8]> {
    let (front, rest) = bytes.split_at_mut_checked(size_of::<T>()).ok_or(Error::WrongAccountType)?;
    *T::at_front_mut(front).ok_or(Error::WrongAccountType)? = value;
    Ok(rest)
}
