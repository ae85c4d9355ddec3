//! A credential.

use super::{plain_struct, Flag, Header, Record, U64};
use pinocchio::Address;

plain_struct! {
    /// The credential of a wallet: a commitment to its attributes, signed by a verifier.
    pub struct Credential {
        /// Type, version, bump.
        pub header: Header,
        /// The wallet that it was issued for.
        pub wallet: Address,
        /// Address of the Verifier account that issued it.
        pub verifier: Address,
        /// Field element, big-endian.
        pub commitment: [u8; 32],
        /// Unix seconds.
        pub issued_at: U64,
        /// Unix seconds.
        pub expires_at: U64,
        /// Whether its verifier revoked it.
        pub revoked: Flag,
        reserved: [u8; 16],
    }
}

impl Credential {
    /// First seed of its address. The wallet follows.
    pub const SEED: &'static [u8] = b"credential";

    /// Returns whether it has expired at `now`.
    pub fn is_expired(&self, now: u64) -> bool {
        self.expires_at.get() <= now
    }
}

impl Record for Credential {
    const TYPE: u8 = 5;
}
