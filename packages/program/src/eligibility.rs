//! The statement of an eligibility proof: one hash over everything that the proof is bound to.

use crate::crypto::field;
use crate::crypto::poseidon;
use crate::crypto::sha256;
use crate::error::Result;
use crate::state::MAX_CLAUSES;
use pinocchio::Address;

/// First bytes of the input of the pass hash.
const PASS_TAG: [u8; 15] = *b"service:v1:pass";

/// First bytes of the input of the scope.
const SCOPE_TAG: [u8; 17] = *b"service:v1:person";

/// The circuit adds this to the day if the proof takes a place. No date code has this bit.
const LIMITED: u32 = 1 << 20;

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
    /// The place that the proof takes, only if the rule set limits the wallets of each person. It has at most six clauses
    /// then.
    pub claim: Option<&'a Claim<'a>>,
}

/// A place of a person in a rule set, as the data of `prove` name it.
pub struct Claim<'a> {
    /// The number of the place, from zero.
    pub number: u8,
    /// The tag, which the proof shows to be Poseidon of the person and of the scope of the place.
    pub tag: &'a [u8; 32],
}

impl Context<'_> {
    /// Computes the one public input of the circuit: Poseidon of clause hashes, commitment, as-of date and pass hash. If the
    /// proof takes a place, its scope and its tag are in the last two slots, and the day says so.
    ///
    /// The syscall rejects a tag that is not below the field's order. So a tag has one form, and one account.
    pub fn hash(&self) -> Result<[u8; 32]> {
        let pass_hash = self.pass_hash()?;
        let [a, b, c, d, e, f, mut g, mut h] = self.clause_hashes.each_ref();
        let (scope, mut day) = (&mut [0; 32], self.as_of);
        if let Some(Claim { number, tag }) = self.claim {
            *scope = self.scope(*number)?;
            (g, h, day) = (scope, tag, day | LIMITED);
        }
        let as_of = field::from_u64(u64::from(day));
        poseidon::hash([a, b, c, d, e, f, g, h, self.commitment, &as_of, &pass_hash])
    }

    /// Hashes the rule set and the number of a place with SHA-256. It clears the three highest bits, so that the hash is a
    /// field element.
    fn scope(&self, place: u8) -> Result<[u8; 32]> {
        let mut hash = sha256::hash([SCOPE_TAG.as_slice(), self.rule.as_ref(), &[place]])?;
        hash[0] &= 0x1f;
        Ok(hash)
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
