//! A credential.

use super::{create, initialize, is_missing, load, load_mut, plain_struct, Creation, Flag, Header, Pass, Record, U64};
use crate::error::{Error, Result};
use crate::rent::Rent;
use core::mem::size_of;
use pinocchio::account::{Ref, RefMut};
use pinocchio::{AccountView, Address};

plain_struct! {
    /// The credential of a wallet: a commitment to its attributes, signed by a verifier.
    pub struct Credential {
        /// Type, version, bump.
        pub header: Header,
        /// The wallet that it was issued for.
        pub wallet: Address,
        /// Address of the Verifier account that issued it.
        pub verifier: Address,
        /// Field element, big-endian. Zeros: a revocation came before the credential, or the wallet discarded it.
        pub commitment: [u8; 32],
        /// Unix seconds of the issue, or of the revocation. It only increases.
        pub issued_at: U64,
        /// Unix seconds.
        pub expires_at: U64,
        /// Whether its verifier revoked it or its wallet discarded it.
        pub revoked: Flag,
        reserved: [u8; 16],
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
    pub const SEED: &'static [u8] = b"credential";

    /// Borrows the credential of a wallet. Rejects a missing and a revoked one.
    #[inline(always)]
    pub fn unrevoked<'a>(account: &'a AccountView, wallet: &Address, program_id: &Address) -> Result<Ref<'a, Self>> {
        if is_missing(account, program_id) {
            return Err(Error::CredentialMissing);
        }
        let held = load::<Self>(account, program_id)?;
        if &held.wallet != wallet {
            return Err(Error::WrongAddress);
        }
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
            let held = load_mut::<Self>(account, program_id)?;
            return if &held.wallet == wallet.address() { Ok(held) } else { Err(Error::WrongAddress) };
        }
        let bump = create(&Creation {
            payer,
            account,
            system_program,
            program_id,
            seeds: &[Self::SEED, wallet.address().as_ref()],
            space: size_of::<Self>(),
            rent: Rent::read()?,
        })?;
        let mut created = initialize::<Self>(account, bump)?;
        created.wallet = *wallet.address();
        Ok(created)
    }

    /// Marks it as revoked up to a time. The time of issue rises to it, so that no credential that was signed earlier can
    /// follow.
    pub fn revoke(&mut self, time: u64) {
        self.revoked = Flag::new(true);
        self.issued_at = U64::new(time.max(self.issued_at.get()));
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
}
