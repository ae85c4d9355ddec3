//! A mint binding.

use super::{plain_struct, Flag, Header, Record};
use pinocchio::Address;

plain_struct! {
    /// Binds a mint to a rule set. Its address is the mint authority.
    pub struct MintBinding {
        /// Type, version, bump.
        pub header: Header,
        /// The bound Token-2022 mint.
        pub mint: Address,
        /// Address of the rule set.
        pub rule: Address,
        /// The wallet that may issue tokens.
        pub issuer: Address,
        /// Whether the owner of the source needs a valid pass too.
        pub require_source: Flag,
        /// Whether granted passes count for this mint.
        pub honours_granted: Flag,
        reserved: [u8; 95],
    }
}

impl MintBinding {
    /// First seed of its address. The mint follows.
    pub const SEED: &'static [u8] = b"binding";
}

impl Record for MintBinding {
    const TYPE: u8 = 7;
    const VERSION: u8 = 2;
}
