//! The places of a person in a rule set: which wallet holds one, and how another wallet takes it.

use crate::checks;
use crate::closing;
use crate::error::{Error, Result};
use crate::events::{emit, PlaceTaken};
use crate::rent::Rent;
use crate::state::{self, create, is_missing, load, load_mut, Creation, Pass, Place, LEAST_SECONDS, U64};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

/// A wallet that has proved that a place is one of its person.
pub struct Taking<'a> {
    /// The wallet. It pays the rent of a new place.
    pub wallet: &'a AccountView,
    /// Address of its pass.
    pub pass: &'a Address,
    /// Address of the rule set.
    pub rule: &'a Address,
    /// The tag that was proved.
    pub tag: &'a [u8; 32],
    /// The system program.
    pub system_program: &'a AccountView,
    /// This program.
    pub program_id: &'a Address,
    /// Unix seconds.
    pub now: u64,
    /// The price of rent.
    pub rent: Rent,
}

impl Taking<'_> {
    /// Gives the place to the wallet: one that nobody holds, its own again, or that of the wallet that it replaces. The
    /// accounts are the place and, for a replacement, the wallet to replace and its pass.
    #[inline(never)]
    pub fn run(&self, accounts: &mut [AccountView]) -> Result {
        match accounts {
            [place] => self.take(place),
            [place, replaced_wallet, replaced_pass] => self.take_over(place, replaced_wallet, replaced_pass),
            _ => Err(Error::WrongAccountCount),
        }
    }

    #[inline(always)]
    fn take(&self, place: &mut AccountView) -> Result {
        let Self { wallet, program_id, .. } = *self;
        checks::writable(place)?;
        if !is_missing(place, program_id) {
            let held = load::<Place>(place, program_id)?;
            self.check_place(&held)?;
            return if &held.wallet == wallet.address() { Ok(()) } else { Err(Error::PlaceTaken) };
        }
        let bump = create(&Creation {
            payer: wallet,
            account: place,
            system_program: self.system_program,
            program_id,
            seeds: [Place::SEED, self.rule.as_ref(), self.tag],
            space: size_of::<Place>(),
            rent: self.rent,
        })?;
        let mut fields = state::initialize::<Place>(place, bump)?;
        fields.rule = *self.rule;
        fields.tag = *self.tag;
        self.hold(&mut fields);
        Ok(())
    }

    #[inline(always)]
    fn take_over(
        &self,
        place: &mut AccountView,
        replaced_wallet: &mut AccountView,
        replaced_pass: &mut AccountView,
    ) -> Result {
        checks::writable(place)?;
        checks::writable(replaced_wallet)?;
        checks::writable(replaced_pass)?;
        if is_missing(place, self.program_id) {
            return Err(Error::PlaceNotHeld);
        }
        let mut fields = load_mut::<Place>(place, self.program_id)?;
        self.check_place(&fields)?;
        if &fields.wallet != replaced_wallet.address() || &fields.wallet == self.wallet.address() {
            return Err(Error::PlaceNotHeld);
        }
        if &fields.pass != replaced_pass.address() {
            return Err(Error::WrongAddress);
        }
        if self.now < fields.since.get().checked_add(LEAST_SECONDS).ok_or(Error::Overflow)? {
            return Err(Error::PlaceTakenTooSoon);
        }
        self.end_replaced(replaced_pass, replaced_wallet)?;
        self.hold(&mut fields);
        drop(fields);
        emit(&PlaceTaken::new(*self.rule, *self.tag, *replaced_wallet.address(), *self.wallet.address()));
        Ok(())
    }

    /// Ends the pass of the wallet that is replaced. Whatever is left there is not a live proved pass.
    ///
    /// Nothing is left to end if it was closed or has ended. A pass without a proof takes no place: the creator of the rule
    /// set opened it, owns its rent, and ends it.
    #[inline(always)]
    fn end_replaced(&self, pass: &mut AccountView, wallet: &mut AccountView) -> Result {
        if is_missing(pass, self.program_id) {
            return Ok(());
        }
        let before = load::<Pass>(pass, self.program_id)?;
        if before.is_suspended(self.now) {
            return Err(Error::PlaceHeldBySuspended);
        }
        if !before.is_proved() {
            return Ok(());
        }
        drop(before);
        match closing::end(pass, wallet, self.program_id, self.now, false) {
            // It has ended already, and its account stays until an hour after its proof.
            Err(Error::PassLive) => Ok(()),
            ended => ended,
        }
    }

    fn check_place(&self, place: &Place) -> Result {
        if &place.rule == self.rule && &place.tag == self.tag {
            Ok(())
        } else {
            Err(Error::WrongAddress)
        }
    }

    fn hold(&self, place: &mut Place) {
        place.wallet = *self.wallet.address();
        place.pass = *self.pass;
        place.since = U64::new(self.now);
    }
}
