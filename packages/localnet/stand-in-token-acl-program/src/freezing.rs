//! The instructions that freeze and thaw: by the authority, and by everybody after the gate is asked.

use crate::addresses::{SYSTEM_PROGRAM, TOKEN_2022_PROGRAM};
use crate::configuration::close;
use crate::error::{require, Error, Result};
use crate::extra_metas::{ask, Question};
use crate::mint_config::{MintConfig, SEED};
use crate::syscalls::find_program_address;
use crate::system;
use crate::token_2022::{change_state, Change, TokenAccount};
use pinocchio::cpi::{Seed, Signer};
use pinocchio::{AccountView, Address};

const FLAG_SEED: &[u8] = b"FLAG_ACCOUNT";

/// First 8 bytes of SHA-256("efficient-allow-block-list-standard:can-thaw-permissionless").
const CAN_THAW: Question = Question {
    discriminator: [0x08, 0xaf, 0xa9, 0x81, 0x89, 0x4a, 0x3d, 0xf1],
    list_seed: b"thaw_extra_account_metas",
};
/// First 8 bytes of SHA-256("efficient-allow-block-list-standard:can-freeze-permissionless").
const CAN_FREEZE: Question = Question {
    discriminator: [0xd6, 0x8d, 0x6d, 0x4b, 0xf8, 0x01, 0x2d, 0x1d],
    list_seed: b"freeze_extra_account_metas",
};

/// Freezes or thaws a token account by the authority of the configuration. No gate is asked.
///
/// # Accounts
/// 0. `[signer]` authority
/// 1. `[]` mint
/// 2. `[writable]` token account
/// 3. `[]` the configuration
/// 4. `[]` Token-2022
#[inline(never)]
pub fn by_authority(program: &Address, accounts: &mut [AccountView], change: Change) -> Result {
    let [authority, mint, token_account, mint_config, token_program] = accounts else {
        return Err(Error::NotEnoughAccountKeys);
    };
    require(token_program.address() == &TOKEN_2022_PROGRAM, Error::InvalidTokenProgram)?;
    require(mint_config.owned_by(program), Error::InvalidMintConfig)?;
    let config = MintConfig::by_authority(mint_config, authority)?;
    require(&config.mint == mint.address(), Error::InvalidTokenMint)?;
    as_freeze_authority(change, token_account, mint, mint_config, config.bump)
}

/// Freezes or thaws a token account if the gate allows it. Anyone can sign.
///
/// # Accounts
/// 0. `[signer]` caller: gets the lamports of the flag, so it must be writable if somebody sent lamports there
/// 1. `[]` mint
/// 2. `[writable]` token account
/// 3. `[writable]` the flag, which exists while the gate is asked
/// 4. `[]` owner of the token account
/// 5. `[]` the configuration
/// 6. `[]` Token-2022
/// 7. `[]` system program
/// 8. `[]` the gate
/// 9. and further: the list of the gate and the accounts that it names, in any order
#[inline(never)]
pub fn by_anyone(program: &Address, accounts: &mut [AccountView], change: Change, is_idempotent: bool) -> Result {
    let [caller, mint, token_account, flag, owner, mint_config, token_program, system_program, gate, others @ ..] =
        accounts
    else {
        return Err(Error::NotEnoughAccountKeys);
    };
    require(caller.is_signer(), Error::InvalidAuthority)?;
    require(token_program.address() == &TOKEN_2022_PROGRAM, Error::InvalidTokenProgram)?;
    require(system_program.address() == &SYSTEM_PROGRAM, Error::InvalidSystemProgram)?;
    let (expected, flag_bump) = find_program_address(&[FLAG_SEED, token_account.address().as_ref()], program)?;
    require(flag.address() == &expected, Error::InvalidFlagAccount)?;
    require(mint_config.owned_by(program), Error::InvalidMintConfig)?;
    let config = MintConfig::read(mint_config)?;
    require(&config.mint == mint.address(), Error::InvalidTokenMint)?;
    let (question, state) = match change {
        Change::Thaw => {
            require(config.can_thaw, Error::PermissionlessThawNotEnabled)?;
            (CAN_THAW, 2)
        }
        Change::Freeze => {
            require(config.can_freeze, Error::PermissionlessFreezeNotEnabled)?;
            (CAN_FREEZE, 1)
        }
    };
    require(&config.gate == gate.address(), Error::InvalidGatingProgram)?;
    let account = TokenAccount::read(token_account)?;
    require(&account.owner == owner.address(), Error::InvalidTokenAccountOwner)?;
    if is_idempotent && account.state != state {
        return require(&account.mint == mint.address(), Error::InvalidTokenMint);
    }

    let bump_seed = [flag_bump];
    let seeds = [Seed::from(FLAG_SEED), Seed::from(token_account.address().as_ref()), Seed::from(&bump_seed)];
    let signer = Signer::from(&seeds);
    system::allocate(flag, 1, &signer)?;
    system::assign(flag, program, &signer)?;
    mark(flag, 1)?;
    let interface = [*caller, *token_account, *mint, *owner, *flag];
    ask(&question, gate.address(), &interface, others)?;
    as_freeze_authority(change, token_account, mint, mint_config, config.bump)?;
    mark(flag, 0)?;
    close(flag, caller)
}

fn mark(flag: &mut AccountView, value: u8) -> Result {
    let mut data = flag.try_borrow_mut().map_err(|_| Error::AccountBorrowFailed)?;
    *data.first_mut().ok_or(Error::InvalidFlagAccount)? = value;
    Ok(())
}

#[inline(always)]
fn as_freeze_authority(
    change: Change,
    token_account: &AccountView,
    mint: &AccountView,
    mint_config: &AccountView,
    bump: u8,
) -> Result {
    let bump = [bump];
    let seeds = [Seed::from(SEED), Seed::from(mint.address().as_ref()), Seed::from(&bump)];
    change_state(change, token_account, mint, mint_config, &Signer::from(&seeds))
}
