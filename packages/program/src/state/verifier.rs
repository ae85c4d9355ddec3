//! A verifier.

use super::{plain_struct, Flag, Header, Record};
use crate::name::Name;
use pinocchio::Address;

plain_struct! {
    /// A verifier whose authority signs credentials.
    pub struct Verifier {
        /// Type, version, bump.
        pub header: Header,
        /// The ed25519 key that signs credentials.
        pub authority: Address,
        /// Whether it can issue credentials, and whether its credentials can be proved.
        pub active: Flag,
        /// Display name.
        pub name: Name,
        reserved: [u8; 32],
    }
}

impl Verifier {
    /// First seed of its address. The authority follows.
    pub const SEED: &'static [u8] = b"verifier";
}

impl Record for Verifier {
    const TYPE: u8 = 3;
}
