//! The statement of an eligibility proof: one hash over everything that the proof is bound to.

use crate::crypto::field;
use crate::crypto::poseidon;
use crate::crypto::sha256;
use crate::error::Result;
use crate::state::MAX_CLAUSES;
use pinocchio::Address;

/// First bytes of the input of the pass hash.
const PASS_TAG: [u8; 15] = *b"service:v1:pass";

/// What an eligibility proof is bound to. Every part comes from accounts or from the instruction.
pub struct Context<'a> {
    /// The hashes of the rule set's clauses, including those of unused slots.
    pub clause_hashes: &'a [[u8; 32]; MAX_CLAUSES],
    /// The commitment of the credential.
    pub commitment: &'a [u8; 32],
    /// The rule set.
    pub rule: &'a Address,
    /// The wallet that sends the proof.
    pub wallet: &'a Address,
    /// Unix seconds at which the pass would expire.
    pub expires_at: u64,
    /// Date code of the day on which age is counted.
    pub as_of: u32,
}

impl Context<'_> {
    /// Computes the one public input of the circuit: Poseidon of clause hashes, commitment, as-of date and pass hash.
    pub fn hash(&self) -> Result<[u8; 32]> {
        let as_of = field::from_u64(u64::from(self.as_of));
        let pass_hash = self.pass_hash()?;
        let [a, b, c, d, e, f, g, h] = self.clause_hashes.each_ref();
        poseidon::hash([a, b, c, d, e, f, g, h, self.commitment, &as_of, &pass_hash])
    }

    /// Hashes rule set, wallet and expiry with SHA-256. It clears the three highest bits, so that the hash is a field
    /// element.
    fn pass_hash(&self) -> Result<[u8; 32]> {
        let end = self.expires_at.to_le_bytes();
        let mut hash = sha256::hash([PASS_TAG.as_slice(), self.rule.as_ref(), self.wallet.as_ref(), &end])?;
        hash[0] &= 0x1f;
        Ok(hash)
    }
}
