//! A pass.

use super::{plain_struct, Header, Record, U64};
use crate::error::{Error, Result};
use pinocchio::Address;

plain_struct! {
    /// A time-limited pass. It is valid while it expires later than the chain time.
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
        /// Unix seconds at which that credential was issued. A later credential may renew the pass at once.
        pub credential_issued_at: U64,
        reserved: [u8; 16],
    }
}

impl Pass {
    /// First seed of its address. Rule set and wallet follow.
    pub const SEED: &'static [u8; 4] = b"pass";

    /// Returns whether it is this wallet's pass for this rule set.
    pub fn is_of(&self, rule: &Address, wallet: &Address) -> bool {
        &self.rule == rule && &self.wallet == wallet
    }

    /// Returns the Unix seconds from which the same credential may renew it: after half of the longest life in seconds.
    pub fn renewable_at(&self, max_age: u64) -> Result<u64> {
        self.issued_at.get().checked_add(max_age / 2).ok_or(Error::Overflow)
    }

    /// Returns whether it has expired at `now`.
    pub fn is_expired(&self, now: u64) -> bool {
        self.expires_at.get() <= now
    }
}

impl Record for Pass {
    const TYPE: u8 = 8;
}
