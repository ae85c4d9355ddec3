//! `suspend-pass`

use crate::checks;
use crate::clock;
use crate::closing::close;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, PassSuspended};
use crate::rent::Rent;
use crate::state::{is_missing, load, load_mut, Pass, PassOpening, RuleSet, U64};
use pinocchio::{AccountView, Address};

/// Suspends the pass of a wallet until a time, or lifts its suspension. Works also while the protocol is paused. The rule
/// set must have given its creator this power.
///
/// While it is suspended, the pass is not valid, the wallet cannot prove, and nothing closes the account. So if the
/// wallet has no pass, the account is opened as one that has ended: the wallet cannot escape by having none. Lifting the
/// suspension of a pass that was neither proved nor granted closes it, and the creator gets the rent.
///
/// # Accounts
/// 0. `[signer, writable]` creator of the rule set: pays the rent of a pass that is opened, and gets it back
/// 1. `[]` `RuleSet`
/// 2. `[]` wallet of the pass
/// 3. `[writable]` Pass, opened if it is missing
/// 4. `[]` system program
///
/// # Data
/// until (8): Unix seconds, or the largest number until it is lifted; zero lifts it
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [creator, rule_set, wallet, pass, system_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let until = data.u64()?;
    data.finish()?;
    checks::payer(creator)?;
    checks::writable(pass)?;
    checks::system_program(system_program)?;
    let rules = load::<RuleSet>(rule_set, program_id)?;
    checks::creator(creator, &rules)?;
    checks::power(&rules, RuleSet::MAY_SUSPEND)?;
    drop(rules);
    let address = *pass.address();
    if until == 0 {
        let mut fields = suspended(pass, rule_set, wallet, program_id)?;
        fields.suspended_until = U64::new(0);
        let is_left = fields.is_proved() || fields.granted.get();
        drop(fields);
        if !is_left {
            close(pass, creator)?;
        }
    } else {
        if until <= clock::now()? {
            return Err(Error::SuspensionInvalid);
        }
        let opening = PassOpening {
            payer: creator,
            wallet: wallet.address(),
            rule: rule_set.address(),
            system_program,
            program_id,
            rent: Rent::read()?,
        };
        Pass::load_or_open(pass, &opening)?.suspended_until = U64::new(until);
    }
    emit(&PassSuspended::new(address, *rule_set.address(), *wallet.address(), U64::new(until)));
    Ok(())
}

/// Borrows the pass of a wallet that is suspended, or whose suspension has lapsed.
#[inline(always)]
fn suspended<'a>(
    pass: &'a mut AccountView,
    rule_set: &AccountView,
    wallet: &AccountView,
    program_id: &Address,
) -> Result<pinocchio::account::RefMut<'a, Pass>> {
    if is_missing(pass, program_id) {
        return Err(Error::PassNotSuspended);
    }
    let fields = load_mut::<Pass>(pass, program_id)?;
    if !fields.is_of(rule_set.address(), wallet.address()) {
        return Err(Error::WrongAddress);
    }
    if fields.suspended_until.get() == 0 {
        return Err(Error::PassNotSuspended);
    }
    Ok(fields)
}
