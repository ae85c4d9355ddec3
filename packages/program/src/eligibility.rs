//! The statement of an eligibility proof: one hash over all that the proof is bound to.

use crate::date_code;
use crate::error::{Error, Result};
use crate::field;
use crate::poseidon;
use pinocchio::Address;

/// What an eligibility proof is bound to, every part read from accounts or the instruction.
pub struct Context<'a> {
    /// The commitment of the credential.
    pub commitment: &'a [u8; 32],
    /// The hash of the rule set's clauses.
    pub rule_hash: &'a [u8; 32],
    /// The wallet that proves.
    pub wallet: &'a Address,
    /// Unix seconds at which the pass would end.
    pub expires_at: u64,
    /// Longest life of a pass of the rule set in seconds.
    pub max_pass_age_seconds: u64,
}

impl Context<'_> {
    /// The one public input of the circuit: Poseidon of commitment, rule hash, wallet in two halves, end, as-of date.
    ///
    /// Age counts as of the day on which the longest pass with this end would have begun: never later than now.
    pub fn hash(&self) -> Result<[u8; 32]> {
        let as_of = self.expires_at.checked_sub(self.max_pass_age_seconds).ok_or(Error::Overflow)?;
        let as_of = field::from_u64(u64::from(date_code::of_moment(as_of)?));
        let (high, low) = field::halves(self.wallet.as_array());
        poseidon::hash([self.commitment, self.rule_hash, &high, &low, &field::from_u64(self.expires_at), &as_of])
    }
}
