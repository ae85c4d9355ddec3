//! Lamports that leave an account of the program for one that its owner names.

use crate::checks;
use crate::error::{Error, Result};
use crate::events::{emit, FundsWithdrawn};
use crate::rent::exempt_minimum;
use crate::state::U64;
use pinocchio::AccountView;

/// Moves lamports from an account of the program, which keeps what exempts it from rent.
///
/// The caller has checked whose the account is and that it is writable.
pub fn withdraw(from: &mut AccountView, recipient: &mut AccountView, lamports: u64) -> Result {
    checks::distinct(from, recipient)?;
    checks::writable(recipient)?;
    if lamports == 0 {
        return Err(Error::AmountInvalid);
    }
    let left = from.lamports().checked_sub(lamports).ok_or(Error::WithdrawalTooHigh)?;
    if left < exempt_minimum(from.data_len())? {
        return Err(Error::WithdrawalTooHigh);
    }
    let received = recipient.lamports().checked_add(lamports).ok_or(Error::Overflow)?;
    from.set_lamports(left);
    recipient.set_lamports(received);
    emit(&FundsWithdrawn::new(*from.address(), *recipient.address(), U64::new(lamports)));
    Ok(())
}
