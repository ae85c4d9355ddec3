//! Withdraws lamports from an account of the program.

use crate::checks;
use crate::error::{Error, Result};
use crate::events::{emit, FundsWithdrawn};
use crate::rent::Rent;
use crate::state::U64;
use pinocchio::AccountView;

/// Moves lamports from an account of the program to the recipient. The account keeps `kept` lamports and its rent.
///
/// The caller must have checked the owner of the account and that it is writable.
pub fn withdraw(from: &mut AccountView, recipient: &mut AccountView, lamports: u64, kept: u64) -> Result {
    checks::distinct(from, recipient)?;
    checks::writable(recipient)?;
    if lamports == 0 {
        return Err(Error::AmountInvalid);
    }
    let left = from.lamports().checked_sub(lamports).ok_or(Error::WithdrawalTooHigh)?;
    if left < Rent::read()?.exempt_minimum(from.data_len())?.checked_add(kept).ok_or(Error::Overflow)? {
        return Err(Error::WithdrawalTooHigh);
    }
    let received = recipient.lamports().checked_add(lamports).ok_or(Error::Overflow)?;
    from.set_lamports(left);
    recipient.set_lamports(received);
    emit(&FundsWithdrawn::new(*from.address(), *recipient.address(), U64::new(lamports)));
    Ok(())
}
