//! Config and Treasury, one each.

use super::{plain_struct, Flag, Header, Maybe, Record, U64};
use pinocchio::Address;
use rule_set_pass_interface::{self as interface, seeds};

plain_struct! {
    /// Governance configuration.
    pub struct Config {
        /// Type, version, bump.
        pub header: Header,
        /// Genesis hash of the cluster. Credential signatures include it.
        pub genesis_hash: [u8; 32],
        /// The governance authority.
        pub authority: Address,
        /// While set, `create-rule-set`, `bind-mint`, `prove`, `issue-tokens`, `recover`, `redeem` and every transfer are
        /// rejected.
        pub paused: Flag,
        /// Lamports that each prove takes from the pass funds, unless the next pass fee has taken effect.
        pub pass_fee: Maybe<U64>,
        /// A raise of the pass fee.
        pub next_pass_fee: Maybe<U64>,
        /// Unix seconds from which the next pass fee holds; 0 without one.
        pub next_pass_fee_from: U64,
        /// The pass fee in lamports that governance unset; none while one is set.
        pub unset_pass_fee: Maybe<U64>,
        /// The newest circuit.
        pub active_circuit: Maybe<Address>,
        /// Becomes the governance authority when it accepts.
        pub nominee: Maybe<Address>,
        /// May pause the protocol.
        pub guardian: Maybe<Address>,
        /// Unix seconds. Passes that were issued before are not valid.
        pub passes_valid_from: U64,
        reserved: [u8; 128],
    }
}

impl Config {
    /// First seed of its address.
    pub const SEED: &'static [u8] = seeds::CONFIG;

    /// Returns the pass fee in lamports at `now`, in Unix seconds; none if it is not set.
    pub fn pass_fee_at(&self, now: u64) -> Option<u64> {
        let raised = if now >= self.next_pass_fee_from.get() { self.next_pass_fee.get() } else { None };
        raised.or(self.pass_fee.get()).map(U64::get)
    }
}

impl From<&Config> for interface::Config {
    fn from(config: &Config) -> Self {
        Self { paused: config.paused.get(), passes_valid_from: config.passes_valid_from.get() }
    }
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
