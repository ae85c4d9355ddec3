//! A circuit.

use super::{plain_struct, Flag, Header, Maybe, Record, U64};
use crate::error::{Error, Result};
use crate::name::Name;

/// Bytes of a verifying key: alpha, beta, gamma, delta and the two points of the one public input.
pub const VERIFYING_KEY_SIZE: usize = 64 + 3 * 128 + 2 * 64;

/// Longest grace period of a circuit that is replaced or retired.
const MAX_GRACE_SECONDS: u64 = 30 * 86_400;

plain_struct! {
    /// A circuit. Its proofs are accepted until it is retired.
    pub struct Circuit {
        /// Type, version, bump.
        pub header: Header,
        /// The circuit id of the artifact manifest.
        pub id: Name,
        /// SHA-256 of the canonical artifact manifest.
        pub artifacts_digest: [u8; 32],
        /// Unix seconds from which its proofs are rejected.
        pub retired_at: Maybe<U64>,
        /// Whether it was retired as unsound.
        pub unsound: Flag,
        /// alpha | beta | gamma | delta | IC0 | IC1, as the `alt_bn128` syscalls take points.
        pub verifying_key: [u8; VERIFYING_KEY_SIZE],
        reserved: [u8; 32],
    }
}

impl Circuit {
    /// First seed of its address. The id follows.
    pub const SEED: &'static [u8] = b"circuit";

    /// Returns whether proofs are rejected at `now`.
    pub fn is_retired(&self, now: u64) -> bool {
        self.unsound.get() || self.retired_at.get().is_some_and(|at| at.get() <= now)
    }

    /// Returns when a grace period of `grace` seconds ends; rejects one above the limit.
    pub fn end_of_grace(now: u64, grace: u64) -> Result<u64> {
        if grace > MAX_GRACE_SECONDS {
            return Err(Error::GraceInvalid);
        }
        now.checked_add(grace).ok_or(Error::Overflow)
    }

    /// Sets the time of retirement, unless an earlier one is set.
    pub fn retire_at(&mut self, at: u64) {
        let earliest = self.retired_at.get().map_or(at, |before| before.get().min(at));
        self.retired_at.set(Some(U64::new(earliest)));
    }
}

impl Record for Circuit {
    const TYPE: u8 = 4;
}
