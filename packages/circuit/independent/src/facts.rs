//! What a proof is for, from a person's attributes and a rule set to the public signal and to each clause that holds.

use crate::statement::{clause, commitment, context_hash, tag, Element, LIMITED_SLOTS, SLOTS};
use crate::HexBytes;
use ark_bn254::Fr;
use ark_ff::{BigInteger, PrimeField};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A person, a rule set and a pass.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    region: u32,
    status: u32,
    birth_date: Date,
    salt: Element,
    person: Element,
    clauses: Vec<Clause>,
    /// The day on which age is counted.
    as_of: Date,
    rule: HexBytes,
    wallet: HexBytes,
    /// Unix seconds in decimal.
    expires_at: String,
    /// The number of the place if the rule set limits the wallets of a person.
    place: Option<u8>,
}

/// Year, month and day. A date is less than a later one.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Date(u32, u32, u32);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Clause {
    region_mask: Element,
    status_mask: Element,
    min_age: u32,
}

/// The hashes in decimal, and the decision for each clause.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    commitment: String,
    pass_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    context_hash: String,
    /// `accepted`, or the code of the first requirement that the person does not meet.
    clauses: Vec<&'static str>,
}

/// Computes the hashes, and decides each clause by the calendar.
pub fn decide(facts: &Facts) -> Result<Decision, String> {
    let attributes = [facts.region, facts.status, facts.birth_date.code()].map(Fr::from);
    let commitment = commitment(attributes, facts.salt.0, facts.person.0);
    let expiry: u64 = facts.expires_at.parse().map_err(|_| "the expiry is not 64 bits")?;
    let pass = digest(&[b"service:v1:pass", &facts.rule.0, &facts.wallet.0, &expiry.to_le_bytes()]);
    let most = if facts.place.is_some() { LIMITED_SLOTS } else { SLOTS };
    if facts.clauses.is_empty() || facts.clauses.len() > most {
        return Err(format!("{} clauses, not 1 to {most}", facts.clauses.len()));
    }
    let mut slots = [clause(Fr::from(0), Fr::from(0), Fr::from(0)); SLOTS];
    for (slot, each) in slots.iter_mut().zip(&facts.clauses) {
        *slot = clause(each.region_mask.0, each.status_mask.0, Fr::from(each.min_age));
    }
    let placed = facts.place.map(|place| {
        let scope = digest(&[b"service:v1:person", &facts.rule.0, &[place]]);
        (scope, tag(facts.person.0, scope))
    });
    if let Some((scope, tag)) = placed {
        slots[LIMITED_SLOTS..].copy_from_slice(&[scope, tag]);
    }
    let day = Fr::from(facts.as_of.code());
    Ok(Decision {
        commitment: decimal(commitment),
        pass_hash: decimal(pass),
        tag: placed.map(|(_, tag)| decimal(tag)),
        context_hash: decimal(context_hash(slots, commitment, day, pass, placed.is_some())),
        clauses: facts.clauses.iter().map(|clause| facts.unmet(clause).unwrap_or("accepted")).collect(),
    })
}

impl Facts {
    /// Returns the code of the first requirement of a clause that the person does not meet.
    fn unmet(&self, clause: &Clause) -> Option<&'static str> {
        let Date(year, month, day) = self.birth_date;
        if !clause.region_mask.integer().bit(self.region.into()) {
            Some("REGION_NOT_ACCEPTED")
        } else if !clause.status_mask.integer().bit(self.status.into()) {
            Some("STATUS_NOT_ACCEPTED")
        } else if self.as_of < Date(year + clause.min_age, month, day) {
            Some("AGE_NOT_REACHED")
        } else {
            None
        }
    }
}

impl Date {
    /// Returns the number by which a credential and the context contain the date.
    fn code(&self) -> u32 {
        (self.0 - 1900) << 9 | self.1 << 5 | self.2
    }
}

/// Returns SHA-256 of the parts as a big-endian number without its three highest bits.
fn digest(parts: &[&[u8]]) -> Fr {
    let mut bytes: [u8; 32] = Sha256::digest(parts.concat()).into();
    bytes[0] &= 0x1f;
    Fr::from_be_bytes_mod_order(&bytes)
}

fn decimal(element: Fr) -> String {
    num_bigint::BigUint::from_bytes_be(&element.into_bigint().to_bytes_be()).to_string()
}
