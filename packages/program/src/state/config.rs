//! Config and Treasury, one each.

use super::{plain_struct, Flag, Header, Maybe, Record, U64};
use pinocchio::Address;

plain_struct! {
    /// Governance configuration.
    pub struct Config {
        /// Type, version, bump.
        pub header: Header,
        /// Genesis hash of the cluster. Credential signatures include it.
        pub genesis_hash: [u8; 32],
        /// The governance authority.
        pub authority: Address,
        /// Upgrade authority of the program, recorded from `ProgramData`.
        pub upgrade_authority: Maybe<Address>,
        /// While set, `create-rule-set`, `bind-mint`, `prove`, `issue-tokens` and every transfer are rejected.
        pub paused: Flag,
        /// Lamports that each prove takes from the pass funds.
        pub pass_fee: Maybe<U64>,
        /// The newest circuit.
        pub active_circuit: Maybe<Address>,
        reserved: [u8; 128],
    }
}

impl Config {
    /// First seed of its address.
    pub const SEED: &'static [u8] = b"config";
}

impl Record for Config {
    const TYPE: u8 = 1;
}

plain_struct! {
    /// Its lamports above rent are the pass fees that were collected from rule sets and not withdrawn.
    pub struct Treasury {
        /// Type, version, bump.
        pub header: Header,
        /// Lamports of all pass fees ever collected from rule sets.
        pub fees_collected: U64,
        reserved: [u8; 32],
    }
}

impl Treasury {
    /// First seed of its address.
    pub const SEED: &'static [u8] = b"treasury";
}

impl Record for Treasury {
    const TYPE: u8 = 2;
}
