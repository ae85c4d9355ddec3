//! `redeem`

use crate::error::{Error, Result};
use crate::events::{emit, TokensRedeemed};
use crate::removal::{Order, Removal};
use crate::state::{load, Config, MintBinding, U64};
use crate::token_2022::burn;
use pinocchio::cpi::Signer;
use pinocchio::{AccountView, Address};

/// Burns tokens of a token account. The owner does not sign. The permanent delegate of the mint must be the
/// `MintBinding`.
///
/// # Accounts
/// 0. `[signer]` issuer of the binding
/// 1. `[]` Config
/// 2. `[]` `MintBinding`, the permanent delegate
/// 3. `[writable]` mint
/// 4. `[writable]` source: token account that loses the tokens
/// 5. `[]` Token-2022 program
///
/// # Data
/// amount in base units (8), not zero; reason (1), as in [`recover`](super::recover)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [issuer, config, mint_binding, mint, source, token_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let order = Order::read(data)?;
    let governance = load::<Config>(config, program_id)?;
    let binding = load::<MintBinding>(mint_binding, program_id)?;
    Removal { issuer, mint_binding, mint, source, token_program }.check(order, &binding, &governance)?;
    let bump = [binding.header.bump];
    drop(binding);

    let seeds = MintBinding::seeds(mint.address(), &bump);
    burn(source, mint, mint_binding, order.amount, &Signer::from(&seeds))?;
    emit(&TokensRedeemed::new(*mint.address(), *source.address(), U64::new(order.amount), order.reason));
    Ok(())
}
