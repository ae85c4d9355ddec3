//! A rule set.

use crate::layout::{Fields, Unreadable};
use crate::Key;

/// Who may hold a pass of a rule set, and what its creator may do. None of this ever changes.
///
/// A program that lets others choose the rule set reads it once, when they choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet<'a> {
    /// The wallet that created it.
    pub creator: &'a Key,
    /// Number that the creator chose. It is part of the address.
    pub nonce: u64,
    /// Whether the creator may suspend passes.
    pub may_suspend: bool,
    /// Whether the creator may grant passes without a proof.
    pub may_grant: bool,
    /// The only verifier whose credentials prove it. None: any verifier.
    pub verifier: Option<&'a Key>,
    /// How many wallets of one person can prove it, as this verifier knows persons. Zero: any number.
    pub wallets_per_person: u8,
}

impl<'a> RuleSet<'a> {
    /// Bytes of the account without its clauses.
    pub const SIZE: usize = 444;
    /// Bytes of each clause. A rule set has one to eight.
    pub const CLAUSE_SIZE: usize = 37;
    /// The first byte of the account.
    pub const TYPE: u8 = 6;
    /// The newest version of its layout, the second byte.
    pub const VERSION: u8 = 2;

    /// Bit of the powers: the creator may suspend passes.
    const MAY_SUSPEND: u8 = 1;
    /// Bit of the powers: the creator may grant passes.
    const MAY_GRANT: u8 = 2;

    /// Reads a rule set of the program that you pin. `owner` and `data` are those of the account.
    ///
    /// # Errors
    /// [`Unreadable`] if it is no rule set of this program.
    #[inline]
    pub fn read(program: &Key, owner: &Key, data: &'a [u8]) -> Result<Self, Unreadable> {
        let clauses = data.get(Self::SIZE.wrapping_sub(1)).map_or(0, |count| usize::from(*count));
        let size = Self::SIZE.wrapping_add(clauses.wrapping_mul(Self::CLAUSE_SIZE));
        let mut fields = Fields::of(owner == program, data, size, Self::TYPE, Self::VERSION)?;
        let (creator, nonce) = (fields.key()?, fields.number()?);
        let _name_and_rule_hash = fields.bytes::<{ 2 * 32 }>()?;
        let _clause_hashes = fields.bytes::<{ 8 * 32 }>()?;
        let _longest_life_fees_and_limit = fields.bytes::<{ 3 * 8 }>()?;
        let [powers] = *fields.bytes()?;
        let (may_suspend, may_grant) = (powers & Self::MAY_SUSPEND != 0, powers & Self::MAY_GRANT != 0);
        let verifier = fields.optional_key()?;
        let [wallets_per_person] = *fields.bytes()?;
        Ok(Self { creator, nonce, may_suspend, may_grant, verifier, wallets_per_person })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: Key = [7; 32];
    const WITH_TWO_CLAUSES: usize = RuleSet::SIZE + 2 * RuleSet::CLAUSE_SIZE;

    fn bytes() -> [u8; WITH_TWO_CLAUSES] {
        let mut bytes = [0; WITH_TWO_CLAUSES];
        bytes[..3].copy_from_slice(&[RuleSet::TYPE, RuleSet::VERSION, 255]);
        bytes[3..35].copy_from_slice(&[1; 32]);
        bytes[35] = 9;
        bytes[387] = RuleSet::MAY_GRANT;
        bytes[RuleSet::SIZE - 1] = 2;
        bytes
    }

    #[test]
    fn reads_the_powers_the_verifier_and_the_limit() {
        let read = |bytes: &[u8]| RuleSet::read(&PROGRAM, &PROGRAM, bytes).map(|of| (of.may_suspend, of.may_grant));
        let mut changed = bytes();
        assert_eq!(read(&changed), Ok((false, true)));
        changed[387] = RuleSet::MAY_SUSPEND;
        assert_eq!(read(&changed), Ok((true, false)));
        changed[388] = 1;
        changed[389..421].copy_from_slice(&[5; 32]);
        changed[421] = 2;
        let found = RuleSet::read(&PROGRAM, &PROGRAM, &changed).expect("rule set");
        assert_eq!((found.creator, found.nonce, found.verifier), (&[1; 32], 9, Some(&[5; 32])));
        assert_eq!(found.wallets_per_person, 2);
        changed[388] = 0;
        assert_eq!(RuleSet::read(&PROGRAM, &PROGRAM, &changed).expect("rule set").verifier, None);
    }

    #[test]
    fn rejects_a_size_that_does_not_fit_its_clauses() {
        let good = bytes();
        for size in [0, 3, RuleSet::SIZE - 1, RuleSet::SIZE, WITH_TWO_CLAUSES - 1] {
            assert_eq!(RuleSet::read(&PROGRAM, &PROGRAM, &good[..size]), Err(Unreadable::Layout), "{size}");
        }
        assert_eq!(RuleSet::read(&PROGRAM, &[0; 32], &good), Err(Unreadable::Owner));
    }
}
