//! A mint binding.

use super::{plain_struct, Flag, Header, Record, U64};
use crate::error::{Error, Result};
use pinocchio::cpi::Seed;
use pinocchio::Address;
use rule_set_pass_interface::seeds;

plain_struct! {
    /// Binds a mint to a rule set. Its address is the mint authority, and the permanent delegate if the mint has one.
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
        /// Becomes the issuer when it accepts. Zeros: none, as in version 1.
        nominee: Address,
        /// The rule set that the issuer announced. Zeros: none, as in version 1.
        next_rule: Address,
        /// Unix seconds from which anyone can apply the announced rule set; 0 without one.
        next_rule_from: U64,
        /// Whether a proved pass counts only while the credential of its wallet supports it.
        pub reads_credential: Flag,
        reserved: [u8; 22],
    }
}

impl MintBinding {
    /// First seed of its address. The mint follows.
    pub const SEED: &'static [u8] = seeds::MINT_BINDING;

    /// Returns the seeds with which the binding of a mint signs.
    #[inline(always)]
    pub fn seeds<'a>(mint: &'a Address, bump: &'a [u8; 1]) -> [Seed<'a>; 3] {
        [Seed::from(Self::SEED), Seed::from(mint.as_ref()), Seed::from(bump)]
    }

    /// Nominates the next issuer, or withdraws the nomination.
    pub fn nominate(&mut self, nominee: Option<Address>) {
        self.nominee = nominee.unwrap_or_default();
    }

    /// Makes the nominee the issuer. An announced rule set is forgotten: the new issuer answers only for what it announces
    /// itself, and a stolen key of the issuer before leaves nothing that takes effect later.
    pub fn accept(&mut self, signer: &Address) -> Result {
        if self.nominee == Address::default() || &self.nominee != signer {
            return Err(Error::NotIssuerNominee);
        }
        self.issuer = self.nominee;
        self.nominee = Address::default();
        self.forget_announcement();
        Ok(())
    }

    /// Announces a rule set from a time on. The present one cancels the announcement. Returns the time, or 0.
    pub fn announce(&mut self, rule: &Address, from: u64) -> U64 {
        if rule == &self.rule {
            self.forget_announcement();
        } else {
            self.next_rule = *rule;
            self.next_rule_from = U64::new(from);
        }
        self.next_rule_from
    }

    /// Makes the announced rule set that of the mint.
    pub fn apply(&mut self, now: u64) -> Result {
        if self.next_rule == Address::default() {
            return Err(Error::RuleChangeMissing);
        }
        if now < self.next_rule_from.get() {
            return Err(Error::RuleChangeTooEarly);
        }
        self.rule = self.next_rule;
        self.forget_announcement();
        Ok(())
    }

    fn forget_announcement(&mut self) {
        self.next_rule = Address::default();
        self.next_rule_from = U64::new(0);
    }
}

impl Record for MintBinding {
    const TYPE: u8 = 7;
    const VERSION: u8 = 2;
}
