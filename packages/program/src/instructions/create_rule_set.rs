//! `create-rule-set`

use crate::checks;
use crate::clock;
use crate::crypto::sha256;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, RuleSetCreated};
use crate::rent::Rent;
use crate::state::{self, create, load, Clause, Config, Creation, Plain, RuleSet, MAX_CLAUSES, U64};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

const MIN_PASS_AGE_SECONDS: u64 = 3_600;
const MAX_PASS_AGE_LIMIT_SECONDS: u64 = 366 * 86_400;

/// Creates a rule set, and computes the hashes of its clauses and its rule hash. Its pass funds pay a pass fee up to the
/// current one, or none if the fee is not set. `set-max-pass-fee` changes this limit.
///
/// Nothing changes later what its creator may do with passes, whose credentials it accepts, and how many wallets of one
/// person can prove it. So everybody can see these before they prove. The verifier may be any address. If it is not that of
/// a verifier, nobody can prove.
///
/// # Accounts
/// 0. `[signer, writable]` creator: pays rent
/// 1. `[writable]` `RuleSet`, created
/// 2. `[]` Config
/// 3. `[]` system program
///
/// # Data
/// nonce (8), name (1 of length and 1 to 32), longest pass life in seconds (8), clauses (1 of count and 37 each); then
/// nothing, or powers (1) and the only verifier (1, and 32 of address or zeros); then nothing, or how many wallets of one
/// person can prove it (1), zero for any number
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [creator, rule_set, config, system_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let nonce = data.u64()?;
    let name = data.name()?;
    let max_pass_age_seconds = data.u64()?;
    let count = usize::from(data.u8()?);
    if count == 0 || count > MAX_CLAUSES {
        return Err(Error::ClauseCountInvalid);
    }
    let clauses = data.clauses(count)?;
    let (powers, verifier) = if data.is_empty() { (0, None) } else { (data.u8()?, data.optional_address()?) };
    let wallets_per_person = if data.is_empty() { 0 } else { data.u8()? };
    data.finish()?;
    let governance = load::<Config>(config, program_id)?;
    checks::not_paused(&governance)?;
    if !(MIN_PASS_AGE_SECONDS..=MAX_PASS_AGE_LIMIT_SECONDS).contains(&max_pass_age_seconds) {
        return Err(Error::MaxPassAgeInvalid);
    }
    if !RuleSet::has_known_powers(powers) {
        return Err(Error::PowersInvalid);
    }
    RuleSet::check_limit(wallets_per_person, verifier.is_some(), count)?;
    for clause in clauses {
        clause.check()?;
    }
    let clause_hashes = clause_hashes(clauses)?;
    let rule_hash = sha256::hash(clause_hashes.each_ref().map(<[u8; 32]>::as_slice))?;

    let bump = create(&Creation {
        payer: creator,
        account: rule_set,
        system_program,
        program_id,
        seeds: [RuleSet::SEED, creator.address().as_ref(), &nonce.to_le_bytes()],
        space: RuleSet::space_for(count),
        rent: Rent::read()?,
    })?;
    let mut fields = state::initialize::<RuleSet>(rule_set, bump)?;
    fields.creator = *creator.address();
    fields.nonce = U64::new(nonce);
    fields.name = name;
    fields.rule_hash = rule_hash;
    fields.clause_hashes = clause_hashes;
    fields.max_pass_age_seconds = U64::new(max_pass_age_seconds);
    fields.max_pass_fee = U64::new(governance.pass_fee_at(clock::now()?).unwrap_or(0));
    fields.powers = powers;
    fields.verifier.set(verifier);
    fields.wallets_per_person = wallets_per_person;
    fields.clause_count = count as u8;
    drop(fields);
    write_clauses(rule_set, clauses)?;
    emit(&RuleSetCreated::new(*rule_set.address(), *creator.address()));
    Ok(())
}

/// Returns the hash of each slot; an unused slot has the hash of the empty clause.
fn clause_hashes(clauses: &[Clause]) -> Result<[[u8; 32]; MAX_CLAUSES]> {
    let mut hashes = [[0; 32]; MAX_CLAUSES];
    for (index, hash) in hashes.iter_mut().enumerate() {
        *hash = clauses.get(index).unwrap_or(&Clause::EMPTY).hash()?;
    }
    Ok(hashes)
}

fn write_clauses(rule_set: &mut AccountView, clauses: &[Clause]) -> Result {
    let mut data = rule_set.try_borrow_mut().map_err(|_| Error::DuplicateAccount)?;
    let slots = data.get_mut(size_of::<RuleSet>()..).ok_or(Error::WrongAccountType)?;
    for (slot, clause) in slots.chunks_exact_mut(size_of::<Clause>()).zip(clauses) {
        let slot = Clause::at_front_mut(slot).ok_or(Error::WrongAccountType)?;
        *slot = *clause;
    }
    Ok(())
}
