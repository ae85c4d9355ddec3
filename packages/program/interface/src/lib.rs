//! Lets a Solana program admit only holders of passes of the Rule-Set and Pass Service.
//!
//! Your instruction takes two more accounts: the pass of the wallet, and Config. [`Pass::read`] and [`Config::read`] check
//! that they belong to the program that you pin. [`is_live`] says whether the wallet may enter now.
//!
//! ```
//! use rule_set_pass_interface::{is_live, Config, Key, Pass};
//!
//! /// The deployment that you trust: the `program` of its `deployment.json`.
//! const PASSES: Key = [7; 32];
//!
//! /// `now`: Unix seconds of the Clock sysvar. `rule`: the rule set that you chose. `wallet`: an account that signed.
//! fn may_enter(pass: (&Key, &[u8]), config: (&Key, &[u8]), now: u64, rule: &Key, wallet: &Key) -> bool {
//!     let (Ok(pass), Ok(config)) = (Pass::read(&PASSES, pass.0, pass.1), Config::read(&PASSES, config.0, config.1)) else {
//!         return false;
//!     };
//!     is_live(&pass, &config, now, rule, wallet)
//! }
//! # assert!(!may_enter((&PASSES, &[]), (&PASSES, &[]), 0, &[0; 32], &[0; 32]));
//! ```
//!
//! Ask in each instruction that a pass is needed for. A pass ends at any time: it expires, governance ends it, the creator of
//! the rule set suspends it, or its credential is revoked. A program that compares only `expires_at` misses the others.
//!
//! The crate has no dependency, no allocation and no unsafe code. The program itself decides by [`standing`].

#![no_std]

mod binding;
mod config;
mod layout;
mod pass;
mod rule_set;
pub mod seeds;
mod standing;

pub use binding::MintBinding;
pub use config::Config;
pub use layout::Unreadable;
pub use pass::Pass;
pub use rule_set::RuleSet;
pub use standing::{is_live, standing, Standing};

/// The 32 bytes of an address: `address.as_array()` or `pubkey.as_array()`.
pub type Key = [u8; 32];
