//! `grant-pass`

use crate::checks;
use crate::clock;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, PassGranted};
use crate::rent::Rent;
use crate::state::{is_missing, load, load_mut, Config, Flag, Pass, PassOpening, RuleSet, Seconds, U64};
use crate::system;
use core::mem::size_of;
use pinocchio::{AccountView, Address};

/// Grants a pass to a wallet that need not prove anything or sign, such as a custodian or a vault. Takes the pass fee from
/// the pass funds, as `prove` does. A grant can be renewed by another one. The rule set must have given its creator this
/// power, and only mints count the pass whose binding honours granted ones.
///
/// It does not replace a proved pass that is live, nor a suspended one. If it replaces a proved pass that has expired or
/// was ended, the creator pays its rent to the wallet. So the rent of a granted pass is always the creator's, who gets it
/// back with `end-grant`.
///
/// # Accounts
/// 0. `[signer, writable]` creator of the rule set: pays the rent
/// 1. `[]` Config
/// 2. `[writable]` `RuleSet`
/// 3. `[writable]` wallet: gets the rent of a proved pass that is replaced
/// 4. `[writable]` Pass, created or replaced
/// 5. `[]` system program
///
/// # Data
/// expires-at (8)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [creator, config, rule_set, wallet, pass, system_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let expires_at = data.u64()?;
    data.finish()?;
    checks::payer(creator)?;
    checks::writable(wallet)?;
    checks::writable(pass)?;
    checks::system_program(system_program)?;
    let now = clock::now()?;

    let governance = load::<Config>(config, program_id)?;
    checks::not_paused(&governance)?;
    let valid_from = governance.passes_valid_from.get();
    // A grant of this second would be ended too.
    if now < valid_from {
        return Err(Error::PassesJustEnded);
    }
    let (funds, rule_set_size, rule) = (rule_set.lamports(), rule_set.data_len(), *rule_set.address());
    let mut rules = load_mut::<RuleSet>(rule_set, program_id)?;
    checks::creator(creator, &rules)?;
    checks::power(&rules, RuleSet::MAY_GRANT)?;
    rules.check_expiry(expires_at, now)?;
    let fee = governance.pass_fee_at(now).ok_or(Error::PassFeeUnset)?;
    let rent = Rent::read()?;
    rules.take_fee(fee, funds, rent.exempt_minimum(rule_set_size)?)?;
    drop(rules);
    if replaces_proof(pass, program_id, now, valid_from)? {
        buy_rent(creator, wallet, pass, rent)?;
    }

    let opening =
        PassOpening { payer: creator, wallet: wallet.address(), rule: &rule, system_program, program_id, rent };
    let mut fields = Pass::load_or_open(pass, &opening)?;
    fields.expires_at = U64::new(expires_at);
    fields.issued_at = U64::new(now);
    fields.circuit = Address::default();
    fields.verifier = Address::default();
    fields.commitment = [0; 32];
    fields.suspended_until = U64::new(0);
    fields.granted = Flag::new(true);
    fields.paid_at = Seconds::new(0)?;
    drop(fields);
    emit(&PassGranted::new(*pass.address(), rule, *wallet.address(), U64::new(expires_at), U64::new(fee)));
    Ok(())
}

/// Pays the wallet the rent of its pass, which is the creator's from then on. Lamports above it are the wallet's: it gets
/// them from the pass itself, because anyone can send lamports there, and the creator would pay for them.
#[inline(always)]
fn buy_rent(creator: &AccountView, wallet: &mut AccountView, pass: &mut AccountView, rent: Rent) -> Result {
    let kept = rent.exempt_minimum(size_of::<Pass>())?.min(pass.lamports());
    system::transfer(creator, wallet, kept)?;
    let above = pass.lamports().saturating_sub(kept);
    pass.set_lamports(kept);
    let received = wallet.lamports().checked_add(above).ok_or(Error::Overflow)?;
    wallet.set_lamports(received);
    Ok(())
}

/// Returns whether a grant replaces a proved pass. Rejects a live one, and a suspended pass.
#[inline(always)]
fn replaces_proof(pass: &AccountView, program_id: &Address, now: u64, valid_from: u64) -> Result<bool> {
    if is_missing(pass, program_id) {
        return Ok(false);
    }
    let before = load::<Pass>(pass, program_id)?;
    if before.is_suspended(now) {
        return Err(Error::PassSuspended);
    }
    if before.is_proved() && !before.is_expired(now) && !before.predates(valid_from) {
        return Err(Error::PassLive);
    }
    Ok(before.is_proved())
}
