//! `bind-mint`

use crate::addresses::TOKEN_2022_PROGRAM;
use crate::checks;
use crate::data::Reader;
use crate::error::{Error, Result};
use crate::events::{emit, MintBound};
use crate::rent::Rent;
use crate::state::{self, create, is_missing, load, BoundMint, Config, Creation, Flag, MintBinding, RuleSet};
use crate::token_2022::{check_binding_profile, remove_authority, set_authority, set_hook_program, Authority};
use core::mem::size_of;
use pinocchio::{AccountView, Address};

/// Binds a mint with the binding profile to a rule set. The `MintBinding` becomes the mint authority, for good.
///
/// If the issuer is the authority of the transfer hook, the hook gets this program and loses the authority. If the issuer
/// is the permanent delegate, the `MintBinding` becomes it, so that only [`recover`](super::recover) and
/// [`redeem`](super::redeem) take tokens from a holder.
///
/// # Accounts
/// 0. `[signer, writable]` issuer: the mint authority so far, the issuer from now on; pays rent
/// 1. `[writable]` mint, of Token-2022
/// 2. `[]` `RuleSet`
/// 3. `[writable]` `MintBinding`, created
/// 4. `[writable]` `ExtraAccountMetaList`, created
/// 5. `[]` Config
/// 6. `[]` Token-2022 program
/// 7. `[]` system program
///
/// # Data
/// require-source (1); then nothing, or honours-granted (1); then nothing, or reads-credential (1)
#[inline(never)]
pub fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [issuer, mint, rule_set, mint_binding, list, config, token_program, system_program] = accounts else {
        return Err(Error::WrongAccountCount);
    };
    let mut data = Reader::new(data);
    let require_source = data.bool()?;
    let honours_granted = !data.is_empty() && data.bool()?;
    let reads_credential = !data.is_empty() && data.bool()?;
    data.finish()?;
    checks::payer(issuer)?;
    checks::writable(mint)?;
    checks::program(token_program, &TOKEN_2022_PROGRAM)?;
    checks::not_paused(&*load::<Config>(config, program_id)?)?;
    load::<RuleSet>(rule_set, program_id)?;
    if !is_missing(mint_binding, program_id) {
        return Err(Error::AlreadyInitialized);
    }
    let takeover = check_binding_profile(mint, issuer.address(), mint_binding.address(), program_id)?;

    let rent = Rent::read()?;
    let bump = create(&Creation {
        payer: issuer,
        account: mint_binding,
        system_program,
        program_id,
        seeds: [MintBinding::SEED, mint.address().as_ref(), &[]],
        space: size_of::<MintBinding>(),
        rent,
    })?;
    let list_bump = create(&Creation {
        payer: issuer,
        account: list,
        system_program,
        program_id,
        seeds: [BoundMint::SEED, mint.address().as_ref(), &[]],
        space: BoundMint::space(require_source, reads_credential),
        rent,
    })?;
    let mut fields = state::initialize::<MintBinding>(mint_binding, bump)?;
    fields.mint = *mint.address();
    fields.rule = *rule_set.address();
    fields.issuer = *issuer.address();
    fields.require_source = Flag::new(require_source);
    fields.honours_granted = Flag::new(honours_granted);
    fields.reads_credential = Flag::new(reads_credential);
    BoundMint::new(list_bump, &fields).write(list, config.address())?;
    drop(fields);
    if takeover.hook_program {
        set_hook_program(mint, issuer, program_id)?;
    }
    if takeover.hook_authority {
        remove_authority(mint, issuer, Authority::TransferHook)?;
    }
    if takeover.delegate {
        set_authority(mint, issuer, Authority::PermanentDelegate, mint_binding.address())?;
    }
    set_authority(mint, issuer, Authority::Mint, mint_binding.address())?;
    emit(&MintBound::new(*mint.address(), *rule_set.address(), *issuer.address()));
    Ok(())
}
