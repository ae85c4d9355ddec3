//! A place of a person in a rule set.

use super::{plain_struct, Header, Record, U64};
use pinocchio::Address;

plain_struct! {
    /// One of the places that a person has in a rule set that limits the wallets of each person. One wallet holds it.
    ///
    /// It is never closed, because it keeps since when its wallet holds it.
    pub struct Place {
        /// Type, version, bump.
        pub header: Header,
        /// Address of the rule set.
        pub rule: Address,
        /// The tag of the person for this rule set and place, a field element, big-endian.
        pub tag: [u8; 32],
        /// The wallet that holds it.
        pub wallet: Address,
        /// Address of the pass of this wallet.
        pub pass: Address,
        /// Unix seconds since when the wallet holds it.
        pub since: U64,
        reserved: [u8; 24],
    }
}

impl Place {
    /// First seed of its address. Rule set and tag follow.
    pub const SEED: &'static [u8] = b"place";
}

impl Record for Place {
    const TYPE: u8 = 9;
}
