//! The memory layouts of the program's accounts, and how accounts are created.
//!
//! Every account begins with type, version and canonical bump, and stores its own seeds. Later checks compare owner,
//! type and stored fields, and never derive an address again.

mod circuit;
mod config;
mod create;
mod credential;
mod extra_account_meta_list;
mod gate;
mod mint_binding;
mod pass;
mod place;
mod plain;
mod record;
mod rule_set;
mod verifier;

#[cfg(test)]
mod interface_tests;

pub use circuit::{Circuit, VERIFYING_KEY_SIZE};
pub use config::{Config, Treasury};
pub use create::{create, Creation};
pub use credential::{Credential, Opening};
pub use extra_account_meta_list::{BoundMint, EXECUTE_DISCRIMINATOR};
pub use gate::{Gate, Question};
pub use mint_binding::MintBinding;
pub use pass::{Pass, PassOpening, LEAST_SECONDS};
pub use place::Place;
pub(crate) use plain::plain_struct;
pub use plain::{Flag, Maybe, Plain, Seconds, U64};
pub use record::{initialize, is_missing, load, load_mut, Header, Record};
pub use rule_set::{Clause, RuleSet, MAX_CLAUSES};
pub use verifier::Verifier;
