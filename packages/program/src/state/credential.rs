//! A credential.

use super::{
    create, initialize, is_missing, load, load_mut, plain_struct, Creation, Flag, Header, Pass, Record, Seconds, U64,
};
use crate::error::{Error, Result};
use crate::rent::Rent;
use core::mem::size_of;
use pinocchio::account::{Ref, RefMut};
use pinocchio::{AccountView, Address};
use rule_set_pass_interface::seeds;

plain_struct! {
    /// The credential of a wallet: a commitment to its attributes, signed by a verifier.
    ///
    /// Nothing that a verifier signed up to its last statement can land, so that no old statement undoes a newer one. The
    /// times of verifiers are kept apart, so that none can block the others with a time ahead of the clock. There is room
    /// for the credential's verifier and one other. If two others have a time, the later one is kept, and the earlier one
    /// holds for every verifier.
    pub struct Credential {
        /// Type, version, bump.
        pub header: Header,
        /// The wallet that it was issued for.
        pub wallet: Address,
        /// Address of the Verifier account that issued it.
        pub verifier: Address,
        /// Field element, big-endian. Zeros: a revocation came before the credential, or the wallet discarded it.
        pub commitment: [u8; 32],
        /// Unix seconds of the issue, of the revocation by its verifier, or of the discard.
        pub issued_at: U64,
        /// Unix seconds.
        pub expires_at: U64,
        /// Whether its verifier revoked it or its wallet discarded it.
        pub revoked: Flag,
        /// Unix seconds up to which nothing can land that any verifier signed. Zero in version 1, where it is
        /// `issued_at`.
        void_until: Seconds,
        /// The first bytes of the address of another verifier; zeros for none.
        other: [u8; 8],
        /// Unix seconds up to which nothing can land that the other verifier signed.
        other_void_until: Seconds,
    }
}

/// What a credential is created with.
pub struct Opening<'a> {
    /// Pays the rent.
    pub payer: &'a AccountView,
    /// The wallet that it is for.
    pub wallet: &'a AccountView,
    /// The system program.
    pub system_program: &'a AccountView,
    /// This program.
    pub program_id: &'a Address,
}

impl Credential {
    /// First seed of its address. The wallet follows.
    pub const SEED: &'static [u8] = seeds::CREDENTIAL;

    /// Borrows the credential of a wallet. Rejects a missing one.
    #[inline(always)]
    pub fn of<'a>(account: &'a AccountView, wallet: &Address, program_id: &Address) -> Result<Ref<'a, Self>> {
        if is_missing(account, program_id) {
            return Err(Error::CredentialMissing);
        }
        let held = load::<Self>(account, program_id)?;
        if &held.wallet != wallet {
            return Err(Error::WrongAddress);
        }
        Ok(held)
    }

    /// Like [`Credential::of`], and rejects a revoked one.
    #[inline(always)]
    pub fn unrevoked<'a>(account: &'a AccountView, wallet: &Address, program_id: &Address) -> Result<Ref<'a, Self>> {
        let held = Self::of(account, wallet, program_id)?;
        if held.revoked.get() {
            return Err(Error::CredentialRevoked);
        }
        Ok(held)
    }

    /// Borrows the credential of a wallet to change it. Creates it, without a verifier, if it is missing.
    #[inline(always)]
    pub fn load_or_create<'a>(account: &'a mut AccountView, opening: &Opening) -> Result<RefMut<'a, Self>> {
        let Opening { payer, wallet, system_program, program_id } = *opening;
        if !is_missing(account, program_id) {
            let mut held = load_mut::<Self>(account, program_id)?;
            held.bring_forward()?;
            return if &held.wallet == wallet.address() { Ok(held) } else { Err(Error::WrongAddress) };
        }
        let bump = create(&Creation {
            payer,
            account,
            system_program,
            program_id,
            seeds: [Self::SEED, wallet.address().as_ref(), &[]],
            space: size_of::<Self>(),
            rent: Rent::read()?,
        })?;
        let mut created = initialize::<Self>(account, bump)?;
        created.wallet = *wallet.address();
        created.void_until = Seconds::new(1)?;
        Ok(created)
    }

    /// Returns the Unix seconds up to which nothing can land that a verifier signed.
    #[inline(always)]
    pub fn void_until(&self, verifier: &Address) -> u64 {
        let own = if &self.verifier == verifier {
            self.issued_at.get()
        } else if self.other == short(verifier) {
            self.other_void_until.get()
        } else {
            0
        };
        own.max(self.void_until.get())
    }

    /// Gives an account of version 1 the time that held there for every verifier.
    #[inline(always)]
    pub fn bring_forward(&mut self) -> Result {
        if self.void_until.get() == 0 {
            self.void_until = Seconds::new(self.issued_at.get())?;
        }
        Ok(())
    }

    /// Makes it the credential of a verifier, and remembers the time of the verifier before.
    #[inline(always)]
    pub fn hand_over(&mut self, verifier: &Address) -> Result {
        if &self.verifier == verifier {
            return Ok(());
        }
        let before = self.verifier;
        self.verifier = *verifier;
        if self.other == short(verifier) {
            self.other = [0; 8];
        }
        self.remember(&before, self.issued_at.get())
    }

    /// Remembers the time up to which nothing can land that another verifier signed. Keeps the later one of the two times
    /// that do not fit, and makes the earlier one that of every verifier. So one verifier alone cannot set a time for all.
    #[inline(always)]
    pub fn remember(&mut self, verifier: &Address, time: u64) -> Result {
        let (name, known) = (short(verifier), self.other_void_until.get());
        if self.other != name && self.other != [0; 8] {
            self.void_until = Seconds::new(self.void_until.get().max(time.min(known)))?;
        }
        if self.other == [0; 8] || time > known {
            self.other = name;
            self.other_void_until = Seconds::new(time)?;
        }
        Ok(())
    }

    /// Marks it as revoked by its verifier up to a time that is not before `issued_at`.
    pub fn revoke(&mut self, time: u64) {
        self.revoked = Flag::new(true);
        self.issued_at = U64::new(time);
    }

    /// Marks it as revoked by its wallet. Nothing can land that any verifier signed up to now.
    #[inline(always)]
    pub fn discard(&mut self, now: u64) -> Result {
        self.void_until = Seconds::new(self.void_until.get().max(now))?;
        self.revoked = Flag::new(true);
        self.issued_at = U64::new(self.issued_at.get().max(now));
        self.commitment = [0; 32];
        Ok(())
    }

    /// Returns whether it supports a pass: it is not revoked, was proved by the pass, and does not expire before it.
    pub fn supports(&self, pass: &Pass) -> bool {
        !self.revoked.get()
            && self.commitment == pass.commitment
            && self.verifier == pass.verifier
            && self.expires_at.get() >= pass.expires_at.get()
    }

    /// Returns whether it has expired at `now`.
    pub fn is_expired(&self, now: u64) -> bool {
        self.expires_at.get() <= now
    }
}

impl Record for Credential {
    const TYPE: u8 = 5;
    const VERSION: u8 = 2;
}

/// Returns what is stored of the address of a verifier. Only governance adds verifiers, and if two have the same first
/// bytes, each only blocks earlier statements of the other.
fn short(verifier: &Address) -> [u8; 8] {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(verifier.as_array()) {
        *to = *from;
    }
    bytes
}
