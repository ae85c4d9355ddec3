//! `set-gate`

use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, GateSet};
use crate::rent::Rent;
use crate::state::{create, is_missing, load, Config, Creation, Gate, Question, RuleSet};
use crate::token_2022::check_frozen_by_default;
use crate::token_acl::require_authority;
use pinocchio::{AccountView, Address};

/// Makes this program the gate of a mint of Token ACL, or changes its rule set. Token ACL asks the program that its
/// `MintConfig` names, so that must be this one.
///
/// New token accounts of the mint must be frozen: Token ACL only checks that the mint has the extension. While the
/// `MintConfig` is the freeze authority, nobody can change that.
///
/// # Accounts
/// 0. `[signer, writable]` authority of the `MintConfig`: pays rent
/// 1. `[]` mint, of Token-2022
/// 2. `[]` `MintConfig` of Token ACL
/// 3. `[]` `RuleSet`
/// 4. `[writable]` list of `can-thaw`, created if it does not exist
/// 5. `[writable]` list of `can-freeze`, created if it does not exist
/// 6. `[]` Config
/// 7. `[]` system program
///
/// # Data
/// honours-granted (1)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [authority, mint, mint_config, rule_set, thaw_list, freeze_list, config, system_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let honours_granted = data.bool()?;
    data.finish()?;
    checks::payer(authority)?;
    checks::system_program(system_program)?;
    checks::not_paused(&*load::<Config>(config, program_id)?)?;
    load::<RuleSet>(rule_set, program_id)?;
    require_authority(mint_config, mint.address(), authority.address())?;
    check_frozen_by_default(mint, mint_config.address())?;

    let rent = Rent::read()?;
    for (question, list) in [(Question::CanThaw, thaw_list), (Question::CanFreeze, freeze_list)] {
        checks::writable(list)?;
        let bump = if is_missing(list, program_id) {
            create(&Creation {
                payer: authority,
                account: list,
                system_program,
                program_id,
                seeds: [question.seed(), mint.address().as_ref(), &[]],
                space: Gate::SPACE,
                rent,
            })?
        } else {
            let gate = Gate::load(list, question, program_id)?;
            if &gate.mint != mint.address() {
                return Err(Error::WrongAddress);
            }
            gate.bump
        };
        Gate::new(bump, mint.address(), rule_set.address(), honours_granted).write(list, question, config.address())?;
    }
    emit(&GateSet::new(*mint.address(), *rule_set.address(), *authority.address()));
    Ok(())
}
