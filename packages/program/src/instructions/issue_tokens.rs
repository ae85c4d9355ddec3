//! `issue-tokens`

use crate::addresses::TOKEN_2022_PROGRAM;
use crate::checks::{self, Receiver};
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, TokensIssued};
use crate::state::{load, Config, MintBinding, U64};
use crate::token_2022::mint_to;
use pinocchio::cpi::Signer;
use pinocchio::{AccountView, Address};

/// Mints tokens of a bound mint to a token account whose owner has a valid pass. The credential of the owner must not be
/// revoked, even if the pass was not closed yet. The program does not read it if the pass was granted: its owner may have
/// none.
///
/// # Accounts
/// 0. `[signer]` issuer of the binding
/// 1. `[]` Config
/// 2. `[]` `MintBinding`, the mint authority
/// 3. `[writable]` mint
/// 4. `[writable]` destination: token account with the `ImmutableOwner` extension
/// 5. `[]` Pass of the owner of the destination
/// 6. `[]` Credential of the owner of the destination
/// 7. `[]` Token-2022 program
///
/// # Data
/// amount in base units (8), not zero
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [issuer, config, mint_binding, mint, destination, pass, credential, token_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let amount = data.u64()?;
    data.finish()?;
    checks::writable(mint)?;
    checks::writable(destination)?;
    checks::program(token_program, &TOKEN_2022_PROGRAM)?;
    let governance = load::<Config>(config, program_id)?;
    checks::not_paused(&governance)?;
    let binding = load::<MintBinding>(mint_binding, program_id)?;
    if &binding.mint != mint.address() {
        return Err(Error::BindingMismatch);
    }
    checks::issuer(issuer, &binding)?;
    if amount == 0 {
        return Err(Error::AmountInvalid);
    }
    Receiver { destination, pass, credential, program_id }.check(&binding, &governance)?;
    let bump = [binding.header.bump];
    drop(binding);

    let seeds = MintBinding::seeds(mint.address(), &bump);
    mint_to(mint, destination, mint_binding, amount, &Signer::from(&seeds))?;
    emit(&TokensIssued::new(*mint.address(), *destination.address(), U64::new(amount)));
    Ok(())
}
