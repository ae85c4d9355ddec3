//! The events. Each is one item of `sol_log_data`: one byte of number, then the fields.
//!
//! They help people who read logs. An indexer must not trust them; it reads accounts.

use crate::state::{plain_struct, Plain, U64};
use crate::syscalls;
use pinocchio::Address;

/// Writes an event to the transaction's log.
pub fn emit<E: Plain>(event: &E) {
    syscalls::log_data(event.as_bytes());
}

macro_rules! events {
    ($($(#[$doc:meta])* $number:literal $name:ident { $($field:ident: $kind:ty),* $(,)? })*) => {
        $(
            plain_struct! {
                $(#[$doc])*
                pub struct $name {
                    number: u8,
                    $($field: $kind,)*
                }
            }

            impl $name {
                /// Takes the fields in the order of the IDL.
                pub const fn new($($field: $kind),*) -> Self {
                    Self { number: $number, $($field),* }
                }
            }
        )*
    };
}

events! {
    /// Config was created or changed.
    1 GovernanceSet { config: Address }
    /// A verifier was created or changed.
    2 VerifierSet { verifier: Address }
    /// A circuit became the active one.
    3 CircuitSet { circuit: Address }
    /// A credential was issued.
    4 CredentialIssued { credential: Address, wallet: Address, verifier: Address, commitment: [u8; 32] }
    /// A rule set was created.
    5 RuleSetCreated { rule_set: Address, creator: Address }
    /// A mint was bound.
    6 MintBound { mint: Address, rule: Address, issuer: Address }
    /// A pass was created or renewed.
    7 PassProved { pass: Address, rule: Address, wallet: Address, expires_at: U64, fee: U64 }
    /// Tokens were issued.
    8 TokensIssued { mint: Address, destination: Address, amount: U64 }
    /// A circuit got its time of retirement, or was marked as unsound.
    9 CircuitRetired { circuit: Address }
    /// A credential was revoked by its verifier or discarded by its wallet.
    10 CredentialRevoked { credential: Address, wallet: Address }
    /// A pass was closed, or ended before its time.
    11 PassClosed { pass: Address, rule: Address, wallet: Address }
    /// Lamports were withdrawn from the treasury or from the pass funds of a rule set.
    12 FundsWithdrawn { from: Address, recipient: Address, lamports: U64 }
    /// The pass fees of a rule set were moved to the treasury.
    13 FeesCollected { rule_set: Address, lamports: U64 }
    /// The creator of a rule set set the highest pass fee that its pass funds pay.
    14 MaxPassFeeSet { rule_set: Address, lamports: U64 }
    /// The issuer moved tokens from one token account to another without the owner.
    15 TokensRecovered { mint: Address, source: Address, destination: Address, amount: U64, reason: u8 }
    /// The issuer burned tokens of a token account without the owner.
    16 TokensRedeemed { mint: Address, source: Address, amount: U64, reason: u8 }
    /// The next issuer of a mint was nominated. Zeros: the nomination was withdrawn.
    17 IssuerNominated { mint: Address, nominee: Address }
    /// A mint has another issuer. An announced rule set was cancelled.
    18 IssuerChanged { mint: Address, issuer: Address }
    /// The issuer announced another rule set for a mint, from a time on. 0: the announcement was cancelled.
    19 RuleAnnounced { mint: Address, rule: Address, from: U64 }
    /// A mint has another rule set.
    20 RuleChanged { mint: Address, rule: Address }
    /// The creator of a rule set suspended a pass, or lifted its suspension.
    21 PassSuspended { pass: Address, rule: Address, wallet: Address, until: U64 }
    /// The creator of a rule set granted a pass.
    22 PassGranted { pass: Address, rule: Address, wallet: Address, expires_at: U64, fee: U64 }
    /// This program was made the gate of a mint of Token ACL, or its rule set was changed.
    23 GateSet { mint: Address, rule: Address, authority: Address }
    /// A wallet took a place of a person from another one, whose pass ended.
    24 PlaceTaken { rule: Address, tag: [u8; 32], old_wallet: Address, new_wallet: Address }
}
