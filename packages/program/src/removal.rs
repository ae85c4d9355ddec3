//! Takes tokens from a token account without its owner.

use crate::addresses::TOKEN_2022_PROGRAM;
use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::state::{Config, MintBinding};
use crate::token_2022::{check_recovery, TokenAccount};
use pinocchio::AccountView;

/// The greatest code of a reason. They begin with 1: lost key, court order, error, sanctions, corporate action,
/// redemption, other.
const LAST_REASON: u8 = 7;

/// How many tokens, and why.
#[derive(Clone, Copy)]
pub struct Order {
    /// Base units.
    pub amount: u64,
    /// The code of the reason.
    pub reason: u8,
}

impl Order {
    /// Reads the data of an instruction.
    pub fn read(data: &[u8]) -> Result<Self> {
        let mut data = Reader::new(data);
        let order = Self { amount: data.u64()?, reason: data.u8()? };
        data.finish()?;
        Ok(order)
    }

    fn check(self) -> Result {
        if self.amount == 0 {
            return Err(Error::AmountInvalid);
        }
        if self.reason == 0 || self.reason > LAST_REASON {
            return Err(Error::ReasonInvalid);
        }
        Ok(())
    }
}

/// The accounts of a removal.
pub struct Removal<'a> {
    /// The issuer, which signs.
    pub issuer: &'a AccountView,
    /// The binding: mint authority and permanent delegate.
    pub mint_binding: &'a AccountView,
    /// The bound mint, writable.
    pub mint: &'a AccountView,
    /// The token account that loses the tokens, writable.
    pub source: &'a AccountView,
    /// The Token-2022 program.
    pub token_program: &'a AccountView,
}

impl Removal<'_> {
    /// Rejects the removal unless the issuer signed it, the mint allows it, and the protocol is not paused.
    #[inline(never)]
    pub fn check(&self, order: Order, binding: &MintBinding, governance: &Config) -> Result {
        let Self { issuer, mint_binding, mint, source, token_program } = *self;
        checks::writable(mint)?;
        checks::writable(source)?;
        checks::program(token_program, &TOKEN_2022_PROGRAM)?;
        checks::not_paused(governance)?;
        if &binding.mint != mint.address() {
            return Err(Error::BindingMismatch);
        }
        checks::issuer(issuer, binding)?;
        order.check()?;
        check_recovery(mint, mint_binding.address())?;
        TokenAccount::read(source, mint.address()).map(drop)
    }
}
