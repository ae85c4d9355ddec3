//! The statement of the circuit, decided in plain integers.

use crate::poseidon;
use ark_bn254::Fr;
use ark_ff::{BigInteger, PrimeField};
use num_bigint::{BigInt, BigUint, Sign};
use serde::{Deserialize, Deserializer};

/// The slots of a rule set.
pub const SLOTS: usize = 8;
/// The slots for clauses if the rule set limits the wallets of a person. The next two hold scope and tag.
pub const LIMITED_SLOTS: usize = 6;

/// The bits of a region and of a mask of regions.
const REGION: (u64, u64) = (8, 253);
/// The bits of a status and of a mask of statuses.
const STATUS: (u64, u64) = (5, 32);

/// An element of the field. In JSON it is an integer in decimal, which can be negative or above the order.
#[derive(Clone, Copy)]
pub struct Element(pub Fr);

impl Element {
    /// Returns the integer from 0 to below the order.
    pub fn integer(self) -> BigUint {
        BigUint::from_bytes_be(&self.0.into_bigint().to_bytes_be())
    }
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number: BigInt = String::deserialize(from)?.parse().map_err(serde::de::Error::custom)?;
        let magnitude = Fr::from_be_bytes_mod_order(&number.magnitude().to_bytes_be());
        Ok(Element(if number.sign() == Sign::Minus { -magnitude } else { magnitude }))
    }
}

/// The signals of the circuit, each any element of the field.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Signals {
    context_hash: Element,
    region: Element,
    status: Element,
    birth_date: Element,
    salt: Element,
    person: Element,
    limited: Element,
    clause_hashes: [Element; SLOTS],
    region_mask: Element,
    status_mask: Element,
    min_age: Element,
    as_of: Element,
    pass_hash: Element,
}

/// Returns `accepted`, or the code of the first part of the statement that is false, in the order of the circuit. The codes
/// are those of the calculator in TypeScript.
pub fn decide(signals: &Signals) -> &'static str {
    first_false(signals).unwrap_or("accepted")
}

fn first_false(signals: &Signals) -> Option<&'static str> {
    let limited = match signals.limited.integer() {
        number if number == BigUint::from(0u8) => false,
        number if number == BigUint::from(1u8) => true,
        _ => return Some("LIMITED_RANGE"),
    };
    if context(signals, limited) != signals.context_hash.0 {
        return Some("CONTEXT_HASH");
    }
    let clauses = if limited { &signals.clause_hashes[..LIMITED_SLOTS] } else { &signals.clause_hashes[..] };
    let opened = clause(signals.region_mask.0, signals.status_mask.0, signals.min_age.0);
    if clauses.iter().all(|hash| hash.0 != opened) {
        return Some("CLAUSE_HASH");
    }
    let (min_age, birth_date) = (signals.min_age.integer(), signals.birth_date.integer());
    if min_age.bits() > 8 {
        return Some("MIN_AGE_RANGE");
    }
    let regions = ["REGION_RANGE", "REGION_MASK_RANGE", "REGION_NOT_ACCEPTED"];
    let statuses = ["STATUS_RANGE", "STATUS_MASK_RANGE", "STATUS_NOT_ACCEPTED"];
    let member = not_member(signals.region, signals.region_mask, REGION, regions)
        .or_else(|| not_member(signals.status, signals.status_mask, STATUS, statuses));
    if member.is_some() {
        return member;
    }
    if birth_date.bits() > 17 {
        return Some("BIRTH_DATE_RANGE");
    }
    // A day that is 18 bits or more after the birthday is one of the wrong kind of rule set.
    let first_day = birth_date + min_age * 512u32;
    let day = signals.as_of.integer();
    if day < first_day || (day - first_day).bits() > 18 {
        return Some("AGE_NOT_REACHED");
    }
    let [.., scope, last] = signals.clause_hashes;
    (limited && tag(signals.person.0, scope.0) != last.0).then_some("PERSON_TAG")
}

/// Returns the code of the first false part: the member has its bits, the mask has its bits, the member is in the mask.
fn not_member(
    member: Element,
    mask: Element,
    (member_bits, mask_bits): (u64, u64),
    [member_range, mask_range, absent]: [&'static str; 3],
) -> Option<&'static str> {
    let (member, mask) = (member.integer(), mask.integer());
    let Some(place) = u64::try_from(member).ok().filter(|place| place >> member_bits == 0) else {
        return Some(member_range);
    };
    if mask.bits() > mask_bits {
        return Some(mask_range);
    }
    (!mask.bit(place)).then_some(absent)
}

fn context(signals: &Signals, limited: bool) -> Fr {
    let commitment =
        commitment([signals.region.0, signals.status.0, signals.birth_date.0], signals.salt.0, signals.person.0);
    context_hash(signals.clause_hashes.map(|hash| hash.0), commitment, signals.as_of.0, signals.pass_hash.0, limited)
}

/// Returns the hash of a credential with the attributes region, status and birth date.
pub fn commitment([region, status, birth_date]: [Fr; 3], salt: Fr, person: Fr) -> Fr {
    let packed = region + status * power(8) + birth_date * power(13) + power(253);
    poseidon::of_elements([packed, salt, person])
}

/// Returns the hash of a clause.
pub fn clause(region_mask: Fr, status_mask: Fr, min_age: Fr) -> Fr {
    poseidon::of_elements([region_mask, status_mask + min_age * power(32)])
}

/// Returns the tag of a person for a scope.
pub fn tag(person: Fr, scope: Fr) -> Fr {
    poseidon::of_elements([person, scope])
}

/// Returns the public signal.
pub fn context_hash([a, b, c, d, e, f, g, h]: [Fr; SLOTS], commitment: Fr, day: Fr, pass: Fr, limited: bool) -> Fr {
    let day = if limited { day + power(20) } else { day };
    poseidon::of_elements([a, b, c, d, e, f, g, h, commitment, day, pass])
}

fn power(exponent: u32) -> Fr {
    Fr::from(BigUint::from(2u8).pow(exponent))
}
