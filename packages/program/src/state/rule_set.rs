//! A rule set and its clauses.

use super::{plain_struct, Header, Maybe, Record, U64};
use crate::crypto::field;
use crate::crypto::poseidon;
use crate::error::{Error, Result};
use crate::name::Name;
use core::mem::size_of;
use pinocchio::Address;
use rule_set_pass_interface::seeds;

/// Number of clause slots, in a rule set and in the circuit.
pub const MAX_CLAUSES: usize = 8;

/// The most clauses of a rule set that limits the wallets of each person. Scope and tag of a place take the other slots.
const MAX_LIMITED_CLAUSES: usize = MAX_CLAUSES - 2;

plain_struct! {
    /// The fixed part of a rule set. Its clauses follow. Its lamports above rent are its pass funds and its pass fees.
    pub struct RuleSet {
        /// Type, version, bump.
        pub header: Header,
        /// The wallet that created it.
        pub creator: Address,
        /// Nonce of the creator.
        pub nonce: U64,
        /// Display name.
        pub name: Name,
        /// SHA-256 of the eight clause hashes.
        pub rule_hash: [u8; 32],
        /// The hash of the clause in each slot, big-endian. An unused slot has the hash of the empty clause.
        pub clause_hashes: [[u8; 32]; MAX_CLAUSES],
        /// Longest life of a pass in seconds.
        pub max_pass_age_seconds: U64,
        /// Lamports of the pass fees that were taken from its pass funds and not collected yet.
        pub fees: U64,
        /// Highest pass fee in lamports that its pass funds pay.
        pub max_pass_fee: U64,
        /// What its creator may do with passes: [`MAY_SUSPEND`](Self::MAY_SUSPEND), [`MAY_GRANT`](Self::MAY_GRANT).
        pub powers: u8,
        /// The only verifier whose credentials prove it. None: any verifier.
        pub verifier: Maybe<Address>,
        /// How many wallets of one person can prove it. Zero: any number.
        pub wallets_per_person: u8,
        reserved: [u8; 21],
        /// Number of clauses that follow.
        pub clause_count: u8,
    }
}

impl RuleSet {
    /// First seed of its address. Creator and nonce follow.
    pub const SEED: &'static [u8] = seeds::RULE_SET;

    /// The creator may suspend passes.
    pub const MAY_SUSPEND: u8 = 1;
    /// The creator may grant passes.
    pub const MAY_GRANT: u8 = 2;

    /// Returns whether it has no other powers than those that exist.
    pub const fn has_known_powers(powers: u8) -> bool {
        powers & !(Self::MAY_SUSPEND | Self::MAY_GRANT) == 0
    }

    /// Rejects a limit of wallets for each person without a fixed verifier, because only one verifier can tell that two
    /// credentials are of one person, or with clauses in the two slots that the limit needs. Zero is no limit.
    pub const fn check_limit(wallets_per_person: u8, has_verifier: bool, clauses: usize) -> Result {
        if wallets_per_person == 0 || (has_verifier && clauses <= MAX_LIMITED_CLAUSES) {
            return Ok(());
        }
        Err(Error::WalletsPerPersonInvalid)
    }

    /// Takes a pass fee from the pass funds. The lamports of the account stay, until `collect-fees`. All are in lamports:
    /// the fee, what the account has, and its rent.
    pub fn take_fee(&mut self, fee: u64, lamports: u64, rent: u64) -> Result {
        if fee > self.max_pass_fee.get() {
            return Err(Error::PassFeeAboveLimit);
        }
        let fees = self.fees.get().checked_add(fee).ok_or(Error::Overflow)?;
        if lamports < rent.checked_add(fees).ok_or(Error::Overflow)? {
            return Err(Error::PassFundsTooLow);
        }
        self.fees = U64::new(fees);
        Ok(())
    }

    /// Rejects an expiry in Unix seconds that is not later than `now`, or later than the longest pass life allows.
    pub fn check_expiry(&self, expires_at: u64, now: u64) -> Result {
        let latest = now.checked_add(self.max_pass_age_seconds.get()).ok_or(Error::Overflow)?;
        if expires_at <= now || expires_at > latest {
            return Err(Error::PassExpiryInvalid);
        }
        Ok(())
    }

    /// Returns the size in bytes of a rule set with this number of clauses, at most [`MAX_CLAUSES`].
    pub const fn space_for(clauses: usize) -> usize {
        size_of::<Self>().wrapping_add(clauses.wrapping_mul(size_of::<Clause>()))
    }
}

impl Record for RuleSet {
    const TYPE: u8 = 6;
    const VERSION: u8 = 2;

    fn space(&self) -> usize {
        Self::space_for(usize::from(self.clause_count))
    }
}

plain_struct! {
    /// One clause. It holds for a region and a status in the masks and an age of at least `min_age` years.
    #[derive(Clone, Copy)]
    pub struct Clause {
        /// Bit i of the big-endian number allows region i.
        pub region_mask: [u8; 32],
        /// Bit i of the little-endian number allows status i.
        pub status_mask: [u8; 4],
        /// Minimum age in whole years.
        pub min_age: u8,
    }
}

impl Clause {
    /// The clause that holds for nobody. It fills the slots that a rule set does not use.
    pub const EMPTY: Self = Self { region_mask: [0; 32], status_mask: [0; 4], min_age: 0 };

    /// Rejects a clause that allows no region or no status, or a mask with more than the circuit's 253 regions.
    pub fn check(&self) -> Result {
        let beyond_last_region = self.region_mask[0] >> 5;
        let is_empty = self.region_mask == [0; 32] || self.status_mask == [0; 4];
        if is_empty || beyond_last_region != 0 {
            return Err(Error::ClauseInvalid);
        }
        Ok(())
    }

    /// Hashes the region mask and `statusMask + minAge * 2^32` with Poseidon.
    pub fn hash(&self) -> Result<[u8; 32]> {
        let statuses = u64::from(u32::from_le_bytes(self.status_mask));
        let status_and_age = field::from_u64(u64::from(self.min_age) << 32 | statuses);
        poseidon::hash([&self.region_mask, &status_and_age])
    }
}
