//! A pass.

use super::{create, initialize, is_missing, load_mut, plain_struct, Creation, Flag, Header, Record, Seconds, U64};
use crate::error::{Error, Result};
use crate::rent::Rent;
use core::mem::size_of;
use pinocchio::account::RefMut;
use pinocchio::{AccountView, Address};
use rule_set_pass_interface::seeds;

/// Least time between two pass fees for a wallet and a rule set, unless half of the longest pass life is less.
pub const LEAST_SECONDS: u64 = 3_600;

plain_struct! {
    /// A time-limited pass. It is valid while it expires later than the chain time, unless governance ended it or the
    /// creator of the rule set suspended it.
    ///
    /// Its rent belongs to the wallet once it was proved. Before that, it belongs to the creator of the rule set.
    pub struct Pass {
        /// Type, version, bump.
        pub header: Header,
        /// Address of the rule set that was proved, or for which it was granted or suspended.
        pub rule: Address,
        /// The wallet that holds it.
        pub wallet: Address,
        /// Unix seconds.
        pub expires_at: U64,
        /// Unix seconds of the last proof or grant. Zero: there was none.
        pub issued_at: U64,
        /// The circuit of the last proof. Zeros: the creator of the rule set opened it, and nobody has proved it.
        pub circuit: Address,
        /// The verifier of the credential that was proved.
        pub verifier: Address,
        /// The commitment that was proved. Zeros: the pass was ended, granted, or never proved.
        pub commitment: [u8; 32],
        /// Unix seconds until which the creator of the rule set suspended it. Zero: it did not.
        pub suspended_until: U64,
        /// Whether the creator of the rule set granted it without a proof.
        pub granted: Flag,
        /// Unix seconds of the last proof that took a fee. Zero in version 1, where it is that of the last proof.
        pub paid_at: Seconds,
        reserved: [u8; 11],
    }
}

/// What a pass is opened with.
pub struct PassOpening<'a> {
    /// Pays the rent.
    pub payer: &'a AccountView,
    /// The wallet that it is for.
    pub wallet: &'a Address,
    /// Address of the rule set.
    pub rule: &'a Address,
    /// The system program.
    pub system_program: &'a AccountView,
    /// This program.
    pub program_id: &'a Address,
    /// The price of its rent.
    pub rent: Rent,
}

impl Pass {
    /// First seed of its address. Rule set and wallet follow.
    pub const SEED: &'static [u8; 4] = match seeds::PASS.first_chunk() {
        Some(seed) if seeds::PASS.len() == 4 => seed,
        _ => panic!("the seed of a pass has four bytes"),
    };

    /// Borrows the pass of a wallet to change it. Opens it, without a proof, if it is missing.
    #[inline(always)]
    pub fn load_or_open<'a>(account: &'a mut AccountView, opening: &PassOpening) -> Result<RefMut<'a, Self>> {
        let PassOpening { payer, wallet, rule, system_program, program_id, rent } = *opening;
        if !is_missing(account, program_id) {
            let pass = load_mut::<Self>(account, program_id)?;
            return if pass.is_of(rule, wallet) { Ok(pass) } else { Err(Error::WrongAddress) };
        }
        let bump = create(&Creation {
            payer,
            account,
            system_program,
            program_id,
            seeds: [Self::SEED.as_slice(), rule.as_ref(), wallet.as_ref()],
            space: size_of::<Self>(),
            rent,
        })?;
        let mut pass = initialize::<Self>(account, bump)?;
        pass.rule = *rule;
        pass.wallet = *wallet;
        Ok(pass)
    }

    /// Returns whether it is this wallet's pass for this rule set.
    pub fn is_of(&self, rule: &Address, wallet: &Address) -> bool {
        &self.rule == rule && &self.wallet == wallet
    }

    /// Returns the Unix seconds from which a commitment may renew it, unless it was ended: half of the longest life in
    /// seconds after the last proof, or an hour for another commitment than that of the pass, if that is earlier.
    pub fn renewable_at(&self, max_age: u64, commitment: &[u8; 32]) -> Result<u64> {
        self.issued_at.get().checked_add(self.interval(max_age, commitment)).ok_or(Error::Overflow)
    }

    /// Returns the Unix seconds from which a proof that replaces it takes a fee, if it was ended: as long after the last
    /// fee as a renewal must wait.
    pub fn paid_until(&self, max_age: u64, commitment: &[u8; 32]) -> Result<u64> {
        self.last_fee_at().checked_add(self.interval(max_age, commitment)).ok_or(Error::Overflow)
    }

    /// Returns the Unix seconds of the last proof that took a fee.
    pub fn last_fee_at(&self) -> u64 {
        match self.paid_at.get() {
            0 => self.issued_at.get(),
            paid_at => paid_at,
        }
    }

    fn interval(&self, max_age: u64, commitment: &[u8; 32]) -> u64 {
        let half = max_age / 2;
        if commitment == &self.commitment {
            half
        } else {
            half.min(LEAST_SECONDS)
        }
    }

    /// Returns whether governance ended it: it was issued before `valid_from`, in Unix seconds.
    pub fn predates(&self, valid_from: u64) -> bool {
        self.issued_at.get() < valid_from
    }

    /// Returns whether it has expired at `now`.
    pub fn is_expired(&self, now: u64) -> bool {
        self.expires_at.get() <= now
    }

    /// Returns whether it was ended before its time, or has no proof.
    pub fn is_ended(&self) -> bool {
        self.commitment == [0; 32]
    }

    /// Returns whether it has or had a proof. Otherwise the creator of the rule set opened it, to grant or to suspend it,
    /// and paid its rent.
    pub fn is_proved(&self) -> bool {
        self.circuit != Address::default()
    }

    /// Returns whether it is suspended at `now`. A suspension that has lapsed has no effect.
    pub fn is_suspended(&self, now: u64) -> bool {
        self.suspended_until.get() > now
    }
}

impl Record for Pass {
    const TYPE: u8 = 8;
    const VERSION: u8 = 2;
}
