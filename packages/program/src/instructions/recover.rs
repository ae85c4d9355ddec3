//! `recover`

use crate::checks::{self, Receiver};
use crate::error::{Error, Result};
use crate::events::{emit, TokensRecovered};
use crate::removal::{Order, Removal};
use crate::state::{load, Config, MintBinding, U64};
use crate::token_2022::{burn, mint_to};
use pinocchio::cpi::Signer;
use pinocchio::{AccountView, Address};

/// Burns tokens of a token account and mints as many to another one, whose owner meets what `issue-tokens` requires. So
/// the supply stays the same. The owner of the source does not sign. The permanent delegate of the mint must be the
/// `MintBinding`.
///
/// A transfer cannot do this: Token-2022 would call this program, which is already running.
///
/// # Accounts
/// 0. `[signer]` issuer of the binding
/// 1. `[]` Config
/// 2. `[]` `MintBinding`, the mint authority and permanent delegate
/// 3. `[writable]` mint
/// 4. `[writable]` source: token account that loses the tokens
/// 5. `[writable]` destination: token account with the `ImmutableOwner` extension
/// 6. `[]` Pass of the owner of the destination
/// 7. `[]` Credential of the owner of the destination
/// 8. `[]` Token-2022 program
///
/// # Data
/// amount in base units (8), not zero; reason (1): 1 lost key, 2 court order, 3 error, 4 sanctions, 5 corporate action,
/// 6 redemption, 7 other
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [issuer, config, mint_binding, mint, source, destination, pass, credential, token_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let order = Order::read(data)?;
    checks::writable(destination)?;
    checks::distinct(source, destination)?;
    let governance = load::<Config>(config, program_id)?;
    let binding = load::<MintBinding>(mint_binding, program_id)?;
    Removal { issuer, mint_binding, mint, source, token_program }.check(order, &binding, &governance)?;
    Receiver { destination, pass, credential, program_id }.check(&binding, &governance)?;
    let bump = [binding.header.bump];
    drop(binding);

    let seeds = MintBinding::seeds(mint.address(), &bump);
    let signer = Signer::from(&seeds);
    burn(source, mint, mint_binding, order.amount, &signer)?;
    mint_to(mint, destination, mint_binding, order.amount, &signer)?;
    let (from, to, amount) = (*source.address(), *destination.address(), U64::new(order.amount));
    emit(&TokensRecovered::new(*mint.address(), from, to, amount, order.reason));
    Ok(())
}
