//! `accept-issuer`

use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, IssuerChanged};
use crate::state::{load_mut, BoundMint, MintBinding};
use pinocchio::{AccountView, Address};

/// Makes the nominee the issuer of a bound mint, and clears the nomination and an announced rule set. It does not move
/// authorities of the mint, such as the freeze authority: their holder does. Works while the protocol is paused.
///
/// # Accounts
/// 0. `[signer]` nominee: the issuer from now on
/// 1. `[writable]` `MintBinding`
/// 2. `[writable]` `ExtraAccountMetaList` of the mint
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [nominee, mint_binding, list] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    Reader::new(data).finish()?;
    checks::signer(nominee)?;
    let mut binding = load_mut::<MintBinding>(mint_binding, program_id)?;
    binding.accept(nominee.address())?;
    BoundMint::load_mut(list, &binding.mint, program_id)?.issuer = binding.issuer;
    emit(&IssuerChanged::new(binding.mint, binding.issuer));
    Ok(())
}
