//! A mint binding.

use super::{plain_struct, Flag, Header, Record};
use pinocchio::Address;

plain_struct! {
    /// Ties a mint to a rule set; its address is the mint authority.
    pub struct MintBinding {
        /// Type, version, bump.
        pub header: Header,
        /// The bound Token-2022 mint.
        pub mint: Address,
        /// Address of the rule set.
        pub rule: Address,
        /// The wallet that may issue tokens.
        pub issuer: Address,
        /// Whether the owner of the source needs a live pass too.
        pub require_source: Flag,
    }
}

impl MintBinding {
    /// First seed of its address; then the mint.
    pub const SEED: &'static [u8] = b"binding";
}

impl Record for MintBinding {
    const TYPE: u8 = 7;
}
