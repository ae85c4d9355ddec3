//! `execute`, of the transfer-hook interface

use crate::checks::{self, Holder, PassCheck};
use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::state::{load, BoundMint, Config};
use crate::token_2022::TokenAccount;
use pinocchio::{AccountView, Address};

/// Runs as the transfer hook. Token-2022 calls it in every transfer of a bound mint between two token accounts.
///
/// Anyone else can call it too, and Token-2022 passes any accounts when a transfer omits the list. So the program
/// checks every account, and requires the flag that Token-2022 sets during a transfer. It writes and logs nothing.
///
/// # Accounts
/// 0. `[]` source: token account that sends the tokens
/// 1. `[]` mint
/// 2. `[]` destination: token account that receives the tokens, with the `ImmutableOwner` extension
/// 3. `[]` authority: owner or delegate of the source; Token-2022 has checked it
/// 4. `[]` `ExtraAccountMetaList` of the mint
/// 5. `[]` Config
/// 6. `[]` Pass of the owner of the destination
/// 7. `[]` Credential of the owner of the destination; only when the binding reads it
/// 8. `[]` Pass of the owner of the source; only when the binding requires it
/// 9. `[]` Credential of the owner of the source; only when the binding requires the source and reads credentials
///
/// # Data
/// amount in base units (8), after the discriminator of the interface
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [source, mint, destination, _authority, list, config, destination_pass, others @ ..] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    data.u64()?;
    data.finish()?;
    checks::distinct(source, destination)?;
    let governance = load::<Config>(config, program_id)?;
    checks::not_paused(&governance)?;
    let binding = BoundMint::load(list, program_id)?;
    if &binding.mint != mint.address() {
        return Err(Error::BindingMismatch);
    }
    let from = TokenAccount::read(source, mint.address())?;
    let to = TokenAccount::read(destination, mint.address())?;
    if !from.is_transferring || !to.is_transferring {
        return Err(Error::NotTransferring);
    }
    if !to.has_immutable_owner {
        return Err(Error::TokenAccountOwnerMutable);
    }
    let pass = PassCheck {
        rule: &binding.rule,
        program_id,
        now: clock::now()?,
        config: &governance,
        honours_granted: binding.honours_granted,
    };
    let (to_owner, from_owner) = (&*to.owner, &*from.owner);
    match (binding.require_source.get(), binding.reads_credential.get(), others) {
        (false, false, []) => pass.require(Holder::Destination, to_owner, destination_pass).map(drop),
        (true, false, [source_pass]) => {
            pass.require(Holder::Destination, to_owner, destination_pass)?;
            pass.require(Holder::Source, from_owner, source_pass).map(drop)
        }
        (false, true, [credential]) => {
            pass.require_supported(Holder::Destination, to_owner, destination_pass, credential)
        }
        (true, true, [credential, source_pass, source_credential]) => {
            pass.require_supported(Holder::Destination, to_owner, destination_pass, credential)?;
            pass.require_supported(Holder::Source, from_owner, source_pass, source_credential)
        }
        _ => Err(Error::WrongAccountCount),
    }
}
