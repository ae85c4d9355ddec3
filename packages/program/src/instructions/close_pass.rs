//! `close-pass`

use crate::checks;
use crate::clock;
use crate::closing::end;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::state::{load, load_mut, Circuit, Config, Credential, Pass, RuleSet, Verifier};
use pinocchio::{AccountView, Address};

/// Closes a pass that has expired and could be renewed, or ends one that its credential, verifier or circuit no longer
/// supports: the credential is revoked, has another commitment or verifier, or expires before the pass; the verifier
/// is not active; the circuit is unsound; governance ended all passes since. Anyone may close it, also while the
/// protocol is paused. The wallet gets the rent.
///
/// Closing does not bypass the limit of fees, which keeps a holder from draining the pass funds. A holder may
/// choose a very short pass, so expiry alone is not enough. With the help of a verifier a holder can bring about other
/// reasons. So a pass that ends for them within an hour of its proof expires at once, but its account stays: see
/// [`end`]. It can be closed after that hour. Closing does not bypass a suspension either: a suspended pass that has one
/// of the other reasons ends, but its account stays. A pass that was never proved has other ways to end: `end-grant`, and
/// `suspend-pass` by the creator.
///
/// # Accounts
/// 0. `[writable]` Pass
/// 1. `[writable]` wallet of the pass: gets the rent
/// 2. `[]` `RuleSet` of the pass
/// 3. `[]` Credential of the wallet
/// 4. `[]` Verifier that the pass names
/// 5. `[]` Circuit that the pass names
/// 6. `[]` Config
///
/// # Data
/// none
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [pass, wallet, rule_set, credential, verifier, circuit, config] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    Reader::new(data).finish()?;
    checks::writable(wallet)?;
    let fields = load_mut::<Pass>(pass, program_id)?;
    if &fields.wallet != wallet.address()
        || &fields.rule != rule_set.address()
        || &fields.verifier != verifier.address()
        || &fields.circuit != circuit.address()
    {
        return Err(Error::WrongAddress);
    }
    if !fields.is_proved() {
        return Err(Error::PassNotProved);
    }
    let held = load::<Credential>(credential, program_id)?;
    if held.wallet != fields.wallet {
        return Err(Error::WrongAddress);
    }
    let now = clock::now()?;
    let valid_from = load::<Config>(config, program_id)?.passes_valid_from.get();
    let max_age = load::<RuleSet>(rule_set, program_id)?.max_pass_age_seconds.get();
    let is_over = fields.is_expired(now) && now >= fields.renewable_at(max_age, &fields.commitment)?;
    let may_end = is_over
        || fields.predates(valid_from)
        || !held.supports(&fields)
        || !load::<Verifier>(verifier, program_id)?.active.get()
        || load::<Circuit>(circuit, program_id)?.unsound.get();
    if !may_end {
        return Err(Error::PassLive);
    }
    drop(fields);
    end(pass, wallet, program_id, now, is_over)
}
