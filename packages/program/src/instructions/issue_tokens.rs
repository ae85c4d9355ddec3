//! `issue-tokens`

use crate::addresses::TOKEN_2022_PROGRAM;
use crate::checks::{self, Basis, Holder, PassCheck};
use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, TokensIssued};
use crate::state::{load, Config, Credential, MintBinding, U64};
use crate::token_2022::{mint_to, TokenAccount};
use pinocchio::cpi::{Seed, Signer};
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
    checks::signer(issuer)?;
    checks::writable(mint)?;
    checks::writable(destination)?;
    checks::program(token_program, &TOKEN_2022_PROGRAM)?;
    let governance = load::<Config>(config, program_id)?;
    checks::not_paused(&governance)?;
    let binding = load::<MintBinding>(mint_binding, program_id)?;
    if &binding.mint != mint.address() {
        return Err(Error::BindingMismatch);
    }
    if &binding.issuer != issuer.address() {
        return Err(Error::NotIssuer);
    }
    if amount == 0 {
        return Err(Error::AmountInvalid);
    }
    let account = TokenAccount::read(destination, mint.address())?;
    if !account.has_immutable_owner {
        return Err(Error::TokenAccountOwnerMutable);
    }
    let check = PassCheck {
        rule: &binding.rule,
        program_id,
        now: clock::now()?,
        valid_from: governance.passes_valid_from.get(),
        honours_granted: binding.honours_granted.get(),
    };
    if check.require(Holder::Destination, &account.owner, pass)? == Basis::Proof {
        drop(Credential::unrevoked(credential, &account.owner, program_id)?);
    }
    let bump = [binding.header.bump];
    drop(binding);

    let seeds = [Seed::from(MintBinding::SEED), Seed::from(mint.address().as_ref()), Seed::from(&bump)];
    mint_to(mint, destination, mint_binding, amount, &Signer::from(&seeds))?;
    emit(&TokensIssued::new(*mint.address(), *destination.address(), U64::new(amount)));
    Ok(())
}
