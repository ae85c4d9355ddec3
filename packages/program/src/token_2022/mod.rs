//! Mints and token accounts of Token-2022: what this program reads from them, and the calls that it makes.

mod account;
mod extensions;
mod instructions;
mod mint;

pub use account::TokenAccount;
pub use extensions::Extensions;
pub use instructions::{burn, mint_to, remove_authority, set_authority, set_hook_program, Authority};
pub use mint::{check_binding_profile, check_frozen_by_default, check_recovery};
