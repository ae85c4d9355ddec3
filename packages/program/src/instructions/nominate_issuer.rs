//! `nominate-issuer`

use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, IssuerNominated};
use crate::state::{load_mut, MintBinding};
use pinocchio::{AccountView, Address};

/// Nominates the next issuer of a bound mint, or withdraws the nomination. Nothing else changes until the nominee
/// accepts. Works while the protocol is paused.
///
/// # Accounts
/// 0. `[signer]` issuer of the binding
/// 1. `[writable]` `MintBinding`
///
/// # Data
/// nominee (1 and 32; none withdraws the nomination)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [issuer, mint_binding] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let nominee = data.optional_address()?;
    data.finish()?;
    let mut binding = load_mut::<MintBinding>(mint_binding, program_id)?;
    checks::issuer(issuer, &binding)?;
    binding.nominate(nominee);
    emit(&IssuerNominated::new(binding.mint, nominee.unwrap_or_default()));
    Ok(())
}
