//! `can-thaw` and `can-freeze`, of Token ACL (sRFC 37)

use crate::checks::{self, Holder, PassCheck};
use crate::clock;
use crate::error::{Error, Result};
use crate::program_address;
use crate::state::{load, Config, Gate, Pass, Question};
use crate::token_2022::TokenAccount;
use pinocchio::{AccountView, Address};

/// Answers whether anyone may thaw or freeze a token account of a gated mint. Token ACL asks, and then thaws or freezes.
///
/// Anyone else can ask too, with any accounts, and Token ACL asks without the list if its caller omits it. So the program
/// checks every account, and the number of accounts. It writes and logs nothing.
///
/// - Thaw: the account has the `ImmutableOwner` extension, its owner has a valid pass, and the protocol is not paused. A
///   suspended pass is not valid. A granted one is if the gate honours it.
/// - Freeze: one of the first two does not hold.
///
/// # Accounts
/// 0. `[]` caller: anyone
/// 1. `[]` token account
/// 2. `[]` mint
/// 3. `[]` owner of the token account
/// 4. `[]` flag of Token ACL
/// 5. `[]` list of the question
/// 6. `[]` Config
/// 7. `[]` Pass of the owner
///
/// # Data
/// nothing after the discriminator
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], question: Question) -> Result {
    let [_caller, token_account, mint, owner, _flag, list, config, pass] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let governance = load::<Config>(config, program_id)?;
    let gate = Gate::load(list, question, program_id)?;
    if &gate.mint != mint.address() {
        return Err(Error::BindingMismatch);
    }
    let account = TokenAccount::read(token_account, mint.address())?;
    if &*account.owner != owner.address() {
        return Err(Error::TokenAccountInvalid);
    }
    let check = PassCheck {
        rule: &gate.rule,
        program_id,
        now: clock::now()?,
        config: &governance,
        honours_granted: gate.honours_granted,
    };
    let held = check.require(Holder::Destination, &account.owner, pass);
    if question == Question::CanThaw {
        checks::not_paused(&governance)?;
        return if account.has_immutable_owner { held.map(drop) } else { Err(Error::TokenAccountOwnerMutable) };
    }
    match held {
        Ok(_) if account.has_immutable_owner => Err(Error::PassLive),
        Ok(_)
        | Err(Error::DestinationPassExpired | Error::DestinationPassSuspended | Error::DestinationPassGranted) => {
            Ok(())
        }
        // A false account must not count as a missing pass, so derive the address of the pass.
        Err(Error::DestinationPassMissing) => {
            let seeds = [Pass::SEED.as_slice(), gate.rule.as_ref(), account.owner.as_ref()];
            let (address, _) = program_address::find(seeds, program_id)?;
            if pass.address() == &address {
                Ok(())
            } else {
                Err(Error::WrongAddress)
            }
        }
        Err(other) => Err(other),
    }
}
