//! How passes end before their time, and how their accounts are closed.

use crate::addresses::SYSTEM_PROGRAM;
use crate::checks;
use crate::error::{Error, Result};
use crate::events::{emit, PassClosed};
use crate::state::{load, load_mut, Credential, Pass, LEAST_SECONDS, U64};
use pinocchio::{AccountView, Address};

/// The most passes that one instruction ends. A transaction without lookup tables has room for fewer.
const MAX_PASSES: usize = 20;

/// Closes an account, and moves all its lamports.
pub fn close(account: &mut AccountView, recipient: &mut AccountView) -> Result {
    let received = recipient.lamports().checked_add(account.lamports()).ok_or(Error::Overflow)?;
    recipient.set_lamports(received);
    account.set_lamports(0);
    account.close().map_err(|_| Error::DuplicateAccount)
}

/// Ends a pass of the wallet that was proved. The caller must have checked that there is a reason to.
///
/// Its account is closed, and the wallet gets the rent, if the pass `is_over` or the last proof was an hour ago. Before
/// that, the account stays as an ended pass, because it keeps the time of the last fee. So no wallet takes more fees by ending
/// its pass. Rejects such a pass with [`Error::PassLive`] if it has ended already.
///
/// The account of a suspended pass stays too, because it keeps the suspension. Rejects such a pass with
/// [`Error::PassSuspended`] if it is over or has ended already.
pub fn end(pass: &mut AccountView, wallet: &mut AccountView, program_id: &Address, now: u64, is_over: bool) -> Result {
    checks::writable(wallet)?;
    let address = *pass.address();
    let mut fields = load_mut::<Pass>(pass, program_id)?;
    if &fields.wallet != wallet.address() {
        return Err(Error::WrongAddress);
    }
    let event = PassClosed::new(address, fields.rule, fields.wallet);
    let is_suspended = fields.is_suspended(now);
    if is_suspended && (is_over || fields.is_ended()) {
        return Err(Error::PassSuspended);
    }
    let kept_until = fields.issued_at.get().checked_add(LEAST_SECONDS).ok_or(Error::Overflow)?;
    if !is_suspended && (is_over || now >= kept_until) {
        drop(fields);
        close(pass, wallet)?;
    } else if fields.is_ended() {
        return Err(Error::PassLive);
    } else {
        fields.expires_at = U64::new(fields.expires_at.get().min(now));
        fields.commitment = [0; 32];
    }
    emit(&event);
    Ok(())
}

/// Ends passes of a wallet that its credential does not support. Anyone may end each of them with `close-pass`.
pub struct Unsupported<'a> {
    /// The credential of the wallet.
    pub credential: &'a Credential,
    /// This program.
    pub program_id: &'a Address,
    /// Unix seconds.
    pub now: u64,
}

impl Unsupported<'_> {
    /// Ends those of these passes that the credential does not support. A list can be older than the chain: skips passes
    /// that it supports, that have ended, that were closed, or that the creator of the rule set opened. Rejects any other account, and with [`Error::PassLive`] a
    /// list in which no pass ends.
    pub fn end(&self, passes: &mut [AccountView], wallet: &mut AccountView) -> Result {
        if passes.len() > MAX_PASSES {
            return Err(Error::WrongAccountCount);
        }
        let mut result = Err(Error::PassLive);
        for pass in passes {
            match self.end_one(pass, wallet) {
                Ok(()) => result = Ok(()),
                Err(Error::PassLive | Error::PassSuspended) => {}
                failed => return failed,
            }
        }
        result
    }

    #[inline(always)]
    fn end_one(&self, pass: &mut AccountView, wallet: &mut AccountView) -> Result {
        let is_closed = pass.owned_by(&SYSTEM_PROGRAM);
        if is_closed {
            return Err(Error::PassLive);
        }
        let fields = load::<Pass>(pass, self.program_id)?;
        if !fields.is_proved() || self.credential.supports(&fields) {
            return Err(Error::PassLive);
        }
        drop(fields);
        end(pass, wallet, self.program_id, self.now, false)
    }
}
