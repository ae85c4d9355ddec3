//! `prove`

use crate::checks;
use crate::clock;
use crate::crypto::groth16;
use crate::data::Reader;
use crate::date_code;
use crate::eligibility::{Claim, Context};
use crate::error::{Error, Result};
use crate::events::{emit, PassProved};
use crate::places::Taking;
use crate::rent::Rent;
use crate::state::{
    is_missing, load, load_mut, Circuit, Config, Credential, Flag, Pass, PassOpening, RuleSet, Seconds, Verifier, U64,
};
use pinocchio::{AccountView, Address};

/// Verifies an eligibility proof, takes the pass fee from the pass funds, and creates or renews the pass.
///
/// The fee stays with the rule set until `collect-fees`. So proofs of different rule sets write no account in common,
/// and the runtime can execute them at the same time.
///
/// It replaces a pass that was ended at any time. It then takes no fee if a renewal would have to wait, counted from the
/// last fee. So nobody keeps a wallet from proving by ending its pass, and nobody spends pass funds in this way.
///
/// It also replaces a granted pass at any time, so that a grant keeps no wallet from proving. The rent that the creator of
/// the rule set paid for that pass then belongs to the wallet. It does not replace a suspended pass.
///
/// If the rule set limits the wallets of each person, the proof also takes a place of the person. The rule set decides this,
/// not the prover. Another wallet can hold the place: from an hour later on, a proof that names it replaces it. That ends
/// its pass, unless the pass is suspended. Then nobody takes the place.
///
/// # Accounts
/// 0. `[signer, writable]` wallet: sends the proof, holds the pass, pays its rent
/// 1. `[]` Config
/// 2. `[writable]` `RuleSet`
/// 3. `[]` Credential of the wallet
/// 4. `[]` Verifier of the credential
/// 5. `[]` Circuit of the proof
/// 6. `[writable]` Pass, created or renewed
/// 7. `[]` system program
/// 8. `[writable]` Place, created or held, only if the rule set limits the wallets of each person
/// 9. `[writable]` the wallet to replace, only to replace it: gets the rent of its pass
/// 10. `[writable]` Pass of the wallet to replace, ended
///
/// # Data
/// expires-at (8), as-of (4): the date code of the day on which age is counted, proof (256): -A | B | C; then
/// nothing, or number of the place (1) and tag (32)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [wallet, config, rule_set, credential, verifier, circuit, pass, system_program, places @ ..] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let expires_at = data.u64()?;
    let as_of = data.u32()?;
    let proof = data.bytes()?;
    let claim = if data.is_empty() { None } else { Some(Claim { number: data.u8()?, tag: data.bytes()? }) };
    data.finish()?;
    checks::payer(wallet)?;
    checks::writable(pass)?;
    checks::system_program(system_program)?;
    let now = clock::now()?;

    let governance = load::<Config>(config, program_id)?;
    checks::not_paused(&governance)?;
    let valid_from = governance.passes_valid_from.get();
    // A pass of this second would be ended too.
    if now < valid_from {
        return Err(Error::PassesJustEnded);
    }
    let held = usable_credential(credential, wallet, program_id, now)?;
    check_verifier(verifier, &held, program_id)?;
    let accepted = load::<Circuit>(circuit, program_id)?;
    if accepted.is_retired(now) {
        return Err(Error::CircuitRetired);
    }
    let (funds, rule_set_size, rule) = (rule_set.lamports(), rule_set.data_len(), *rule_set.address());
    let mut rules = load_mut::<RuleSet>(rule_set, program_id)?;
    let max_age = rules.max_pass_age_seconds.get();
    if rules.verifier.get().is_some_and(|only| only != held.verifier) {
        return Err(Error::VerifierNotAccepted);
    }
    rules.check_expiry(expires_at, now)?;
    if expires_at > held.expires_at.get() {
        return Err(Error::PassOutlivesCredential);
    }
    // An older day is only stricter: who was old enough then is old enough now.
    if as_of > date_code::of_moment(now)? {
        return Err(Error::AsOfInvalid);
    }
    let mut paid_at = None;
    if !is_missing(pass, program_id) {
        let before = load::<Pass>(pass, program_id)?;
        if !before.is_of(&rule, wallet.address()) {
            return Err(Error::WrongAddress);
        }
        if before.is_suspended(now) {
            return Err(Error::PassSuspended);
        }
        let was_ended = before.is_ended() || before.predates(valid_from);
        if !was_ended && now < before.renewable_at(max_age, &held.commitment)? {
            return Err(Error::PassRenewalTooEarly);
        }
        if before.is_proved() && was_ended && now < before.paid_until(max_age, &held.commitment)? {
            paid_at = Some(before.last_fee_at());
        }
    }
    let fee = if paid_at.is_some() { 0 } else { governance.pass_fee_at(now).ok_or(Error::PassFeeUnset)? };
    let rent = Rent::read()?;
    rules.take_fee(fee, funds, rent.exempt_minimum(rule_set_size)?)?;
    // The rule set decides whether a proof takes a place, and never the prover.
    let places_of_each = rules.wallets_per_person;
    if !claim.as_ref().map_or(places_of_each == 0, |claim| claim.number < places_of_each) {
        return Err(Error::PlaceNotInRuleSet);
    }
    let context = Context {
        clause_hashes: &rules.clause_hashes,
        commitment: &held.commitment,
        rule: &rule,
        wallet: wallet.address(),
        expires_at,
        as_of,
        claim: claim.as_ref(),
    };
    groth16::verify(&accepted.verifying_key, proof, &context.hash()?)?;
    drop(rules);

    let opening =
        PassOpening { payer: wallet, wallet: wallet.address(), rule: &rule, system_program, program_id, rent };
    let mut fields = Pass::load_or_open(pass, &opening)?;
    fields.expires_at = U64::new(expires_at);
    fields.issued_at = U64::new(now);
    fields.circuit = *circuit.address();
    fields.verifier = *verifier.address();
    fields.commitment = held.commitment;
    fields.suspended_until = U64::new(0);
    fields.granted = Flag::new(false);
    fields.paid_at = Seconds::new(paid_at.unwrap_or(now))?;
    drop(fields);
    if let Some(Claim { tag, .. }) = claim {
        let taking = Taking { wallet, pass: pass.address(), rule: &rule, tag, system_program, program_id, now, rent };
        taking.run(places)?;
    } else if !places.is_empty() {
        return Err(Error::WrongAccountCount);
    }

    emit(&PassProved::new(*pass.address(), rule, *wallet.address(), U64::new(expires_at), U64::new(fee)));
    Ok(())
}

fn usable_credential<'a>(
    credential: &'a AccountView,
    wallet: &AccountView,
    program_id: &Address,
    now: u64,
) -> Result<pinocchio::account::Ref<'a, Credential>> {
    let held = Credential::unrevoked(credential, wallet.address(), program_id)?;
    if held.is_expired(now) {
        return Err(Error::CredentialExpired);
    }
    Ok(held)
}

fn check_verifier(verifier: &AccountView, held: &Credential, program_id: &Address) -> Result {
    if verifier.address() != &held.verifier {
        return Err(Error::VerifierMismatch);
    }
    if load::<Verifier>(verifier, program_id)?.active.get() {
        Ok(())
    } else {
        Err(Error::VerifierInactive)
    }
}
