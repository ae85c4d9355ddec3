//! A pass.

use super::{plain_struct, Header, Record, U64};
use crate::error::{Error, Result};
use pinocchio::Address;

/// Least time between two proofs of a wallet for a rule set, unless half of the longest pass life is less.
pub const LEAST_SECONDS: u64 = 3_600;

plain_struct! {
    /// A time-limited pass. It is valid while it expires later than the chain time, unless governance ended it.
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
        /// The commitment that was proved. Zeros: the pass was ended.
        pub commitment: [u8; 32],
        reserved: [u8; 24],
    }
}

impl Pass {
    /// First seed of its address. Rule set and wallet follow.
    pub const SEED: &'static [u8; 4] = b"pass";

    /// Returns whether it is this wallet's pass for this rule set.
    pub fn is_of(&self, rule: &Address, wallet: &Address) -> bool {
        &self.rule == rule && &self.wallet == wallet
    }

    /// Returns the Unix seconds from which a commitment may renew it: half of the longest life in seconds after the last
    /// proof, or an hour for another commitment than that of the pass, if that is earlier.
    pub fn renewable_at(&self, max_age: u64, commitment: &[u8; 32]) -> Result<u64> {
        let half = max_age / 2;
        let least = if commitment == &self.commitment { half } else { half.min(LEAST_SECONDS) };
        self.issued_at.get().checked_add(least).ok_or(Error::Overflow)
    }

    /// Returns whether governance ended it: it was issued before `valid_from`, in Unix seconds.
    pub fn predates(&self, valid_from: u64) -> bool {
        self.issued_at.get() < valid_from
    }

    /// Returns whether it has expired at `now`.
    pub fn is_expired(&self, now: u64) -> bool {
        self.expires_at.get() <= now
    }

    /// Returns whether it was ended before its time.
    pub fn is_ended(&self) -> bool {
        self.commitment == [0; 32]
    }
}

impl Record for Pass {
    const TYPE: u8 = 8;
}
