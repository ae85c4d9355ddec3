//! What the kinds of assertions have in common.

use crate::error::Result;
use crate::reader::Reader;
use pinocchio::AccountView;

/// Something that an instruction asserts about its account.
pub trait Assertion: Sized {
    /// Reads one assertion.
    fn read(reader: &mut Reader) -> Result<Self>;
    /// Fails for an account that this kind of assertion cannot be about.
    fn check_account(account: &AccountView) -> Result;
    /// Returns whether the assertion holds.
    fn holds(&self, account: &AccountView) -> Result<bool>;
}
