//! The two lists of a gated mint: what this program stores to answer the questions of Token ACL (sRFC 37).
//!
//! A list has two entries of type, length and value. The first is the list of the interface, with which any client finds
//! the accounts of a question. The second names the rule set.

use super::extra_account_meta_list::{byte, length, ExtraAccountMeta};
use super::{is_missing, plain_struct, Flag, Pass, Plain};
use crate::error::{Error, Result};
use core::mem::{offset_of, size_of};
use pinocchio::account::Ref;
use pinocchio::{AccountView, Address};

/// First 8 bytes of SHA-256("service:v1:gate"): type of the second entry.
const GATE_DISCRIMINATOR: [u8; 8] = [0x99, 0xef, 0x82, 0xec, 0xf1, 0xd5, 0x51, 0x1b];
/// The newest version, as [`Record::VERSION`](super::Record::VERSION).
const VERSION: u8 = 1;

/// Places of accounts in a question.
mod place {
    pub const OWNER: u8 = 3;
    pub const LIST: u8 = 5;
}

/// A question of Token ACL to a gate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether anyone may thaw a token account.
    CanThaw,
    /// Whether anyone may freeze a token account.
    CanFreeze,
}

impl Question {
    /// First 8 bytes of SHA-256("efficient-allow-block-list-standard:can-thaw-permissionless"): the whole data of the
    /// instruction, and the type of the first entry of its list. The other question is
    /// "…:can-freeze-permissionless".
    pub const fn discriminator(self) -> &'static [u8; 8] {
        match self {
            Self::CanThaw => &[0x08, 0xaf, 0xa9, 0x81, 0x89, 0x4a, 0x3d, 0xf1],
            Self::CanFreeze => &[0xd6, 0x8d, 0x6d, 0x4b, 0xf8, 0x01, 0x2d, 0x1d],
        }
    }

    /// First seed of the address of its list. The mint follows.
    pub const fn seed(self) -> &'static [u8] {
        match self {
            Self::CanThaw => b"thaw_extra_account_metas",
            Self::CanFreeze => b"freeze_extra_account_metas",
        }
    }
}

plain_struct! {
    /// The value of the second entry.
    #[derive(Clone, Copy)]
    pub struct Gate {
        version: u8,
        /// The canonical bump of the list's address.
        pub bump: u8,
        /// Whether granted passes count.
        pub honours_granted: Flag,
        /// The gated mint.
        pub mint: Address,
        /// Address of the rule set.
        pub rule: Address,
        reserved: [u8; 64],
    }
}

plain_struct! {
    /// The whole account: the metas are Config and the pass of the owner of the token account.
    pub struct GateList {
        list_type: [u8; 8],
        list_length: [u8; 4],
        count: [u8; 4],
        metas: [ExtraAccountMeta; 2],
        gate_type: [u8; 8],
        gate_length: [u8; 4],
        gate: Gate,
    }
}

// The list of can-thaw begins with the type of a pass.
const _: () = assert!(size_of::<GateList>() != size_of::<Pass>());

impl Gate {
    /// Bytes of a list.
    pub const SPACE: usize = size_of::<GateList>();

    /// What [`set-gate`](crate::instructions) stores.
    pub fn new(bump: u8, mint: &Address, rule: &Address, honours_granted: bool) -> Self {
        let honours_granted = Flag::new(honours_granted);
        Self { version: VERSION, bump, honours_granted, mint: *mint, rule: *rule, reserved: [0; 64] }
    }

    /// Writes the list of a question, with this entry.
    pub fn write(self, account: &mut AccountView, question: Question, config: &Address) -> Result {
        const RULE_OFFSET: u8 = byte(offset_of!(GateList, gate) + offset_of!(Gate, rule));
        const METAS: usize = 2;
        let mut data = account.try_borrow_mut().map_err(|_| Error::DuplicateAccount)?;
        *GateList::at_front_mut(&mut data).ok_or(Error::WrongAccountType)? = GateList {
            list_type: *question.discriminator(),
            list_length: const { length(4 + size_of::<[ExtraAccountMeta; METAS]>()) },
            count: const { length(METAS) },
            metas: [
                ExtraAccountMeta::literal(config),
                ExtraAccountMeta::pass_of_wallet(place::OWNER, place::LIST, RULE_OFFSET),
            ],
            gate_type: GATE_DISCRIMINATOR,
            gate_length: const { length(size_of::<Self>()) },
            gate: self,
        };
        Ok(())
    }

    /// Borrows the second entry of the list of a question after checking owner, type, version and size.
    pub fn load<'a>(account: &'a AccountView, question: Question, program_id: &Address) -> Result<Ref<'a, Self>> {
        if is_missing(account, program_id) {
            return Err(Error::WrongOwner);
        }
        let data = account.try_borrow().map_err(|_| Error::DuplicateAccount)?;
        Ref::filter_map(data, |data| Self::checked(data, question)).map_err(|_| Error::WrongAccountType)
    }

    fn checked(data: &[u8], question: Question) -> Option<&Self> {
        let list = GateList::at_front(data)?;
        let is_list = data.len() == Self::SPACE && &list.list_type == question.discriminator();
        let has_version = list.gate.version != 0 && list.gate.version <= VERSION;
        (is_list && list.gate_type == GATE_DISCRIMINATOR && has_version).then_some(&list.gate)
    }
}
