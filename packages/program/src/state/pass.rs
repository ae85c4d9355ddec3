//! A pass.

use super::{plain_struct, Header, Record, U64};
use crate::error::{Error, Result};
use pinocchio::Address;

plain_struct! {
    /// A time-limited pass: live while it expires later than the chain time.
    pub struct Pass {
        /// Type, version, bump.
        pub header: Header,
        /// Address of the rule set that was proved.
        pub rule: Address,
        /// The wallet that proved it.
        pub wallet: Address,
        /// Unix seconds.
        pub expires_at: U64,
        /// Unix seconds of the last prove.
        pub issued_at: U64,
        /// The circuit of the last proof.
        pub circuit: Address,
        /// The verifier of the credential that was proved.
        pub verifier: Address,
        /// The commitment that was proved.
        pub commitment: [u8; 32],
    }
}

impl Pass {
    /// First seed of its address; then rule set and wallet.
    pub const SEED: &'static [u8; 4] = b"pass";

    /// Whether it is this wallet's pass for this rule set.
    pub fn is_of(&self, rule: &Address, wallet: &Address) -> bool {
        &self.rule == rule && &self.wallet == wallet
    }

    /// From when it may be renewed with the same credential: after half of the longest life, which is in seconds.
    pub fn renewable_at(&self, max_age: u64) -> Result<u64> {
        self.issued_at.get().checked_add(max_age / 2).ok_or(Error::Overflow)
    }

    /// Whether it has expired at `now`.
    pub fn is_expired(&self, now: u64) -> bool {
        self.expires_at.get() <= now
    }
}

impl Record for Pass {
    const TYPE: u8 = 8;
}
