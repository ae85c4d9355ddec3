//! The validation account of a bound mint, by the transfer-hook interface.
//!
//! It has two entries of type, length and value. The first is the interface's list, with which any wallet finds the
//! accounts of a transfer. The second holds what the hook needs from the binding, so that a transfer needs one account
//! less.

use super::{is_missing, plain_struct, Flag, MintBinding, Pass, Plain};
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
        reserved: [u8; 63],
    }
}

plain_struct! {
    /// The whole account, with the metas `M`.
    pub struct ExtraAccountMetaList<M> {
        list_type: [u8; 8],
        list_length: [u8; 4],
        count: [u8; 4],
        metas: M,
        binding_type: [u8; 8],
        binding_length: [u8; 4],
        binding: BoundMint,
    }
}

/// The list when only the owner of the destination needs a pass: Config, that pass.
type WithDestination = ExtraAccountMetaList<[ExtraAccountMeta; 2]>;
/// The list when the owner of the source needs one too.
type WithBoth = ExtraAccountMetaList<[ExtraAccountMeta; 3]>;

const WITH_DESTINATION: usize = size_of::<WithDestination>();
const WITH_BOTH: usize = size_of::<WithBoth>();

/// Offset of the rule set's address in the second entry, from which the passes are derived.
const RULE_OFFSET: usize = offset_of!(BoundMint, rule);
const RULE_OFFSET_WITH_DESTINATION: u8 = byte(offset_of!(WithDestination, binding) + RULE_OFFSET);
const RULE_OFFSET_WITH_BOTH: u8 = byte(offset_of!(WithBoth, binding) + RULE_OFFSET);

pub(super) const fn byte(number: usize) -> u8 {
    assert!(number <= u8::MAX as usize);
    number as u8
}

pub(super) const fn length(number: usize) -> [u8; 4] {
    (number as u32).to_le_bytes()
}

impl<const N: usize> ExtraAccountMetaList<[ExtraAccountMeta; N]> {
    fn new(metas: [ExtraAccountMeta; N], binding: BoundMint) -> Self {
        Self {
            list_type: EXECUTE_DISCRIMINATOR,
            list_length: const { length(4 + size_of::<[ExtraAccountMeta; N]>()) },
            count: const { length(N) },
            metas,
            binding_type: BINDING_DISCRIMINATOR,
            binding_length: const { length(size_of::<BoundMint>()) },
            binding,
        }
    }
}

impl BoundMint {
    /// First seed of the account's address. The mint follows.
    pub const SEED: &'static [u8] = b"extra-account-metas";

    /// Bytes of the account.
    pub const fn space(require_source: bool) -> usize {
        if require_source {
            WITH_BOTH
        } else {
            WITH_DESTINATION
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
            reserved: [0; 63],
        }
    }

    /// Writes the list and this entry into an account that was just created.
    pub fn write(self, account: &mut AccountView, config: &Address) -> Result {
        let config = ExtraAccountMeta::literal(config);
        if self.require_source.get() {
            let pass = |place| ExtraAccountMeta::pass_of_owner(place, RULE_OFFSET_WITH_BOTH);
            let metas = [config, pass(place::DESTINATION), pass(place::SOURCE)];
            put(account, ExtraAccountMetaList::new(metas, self))
        } else {
            let pass = ExtraAccountMeta::pass_of_owner(place::DESTINATION, RULE_OFFSET_WITH_DESTINATION);
            put(account, ExtraAccountMetaList::new([config, pass], self))
        }
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
        // The entry ends the list, with either number of metas.
        let start = data.len().saturating_sub(size_of::<Self>());
        let mut binding = RefMut::filter_map(data, |data: &mut [u8]| Self::at_front_mut(data.get_mut(start..)?))
            .map_err(|_| Error::WrongAccountType)?;
        binding.version = VERSION;
        Ok(binding)
    }

    fn checked(data: &[u8]) -> Option<&Self> {
        let binding = match data.len() {
            WITH_DESTINATION => &WithDestination::at_front(data)?.binding,
            WITH_BOTH => &WithBoth::at_front(data)?.binding,
            _ => return None,
        };
        let is_list = data.first_chunk() == Some(&EXECUTE_DISCRIMINATOR);
        let has_size = data.len() == Self::space(binding.require_source.get());
        let has_version = binding.version != 0 && binding.version <= VERSION;
        (is_list && has_size && has_version).then_some(binding)
    }
}

fn put<T: Plain>(account: &mut AccountView, list: T) -> Result {
    let mut data = account.try_borrow_mut().map_err(|_| Error::DuplicateAccount)?;
    *T::at_front_mut(&mut data).ok_or(Error::WrongAccountType)? = list;
    Ok(())
}
