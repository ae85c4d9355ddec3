//! Mints and token accounts of Token-2022: what this program reads from them, and the two calls that it makes.

mod account;
mod extensions;
mod instructions;
mod mint;

pub use account::TokenAccount;
pub use extensions::Extensions;
pub use instructions::{mint_to, set_mint_authority};
pub use mint::check_binding_profile;
