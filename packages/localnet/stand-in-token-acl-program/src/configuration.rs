//! The instructions that create, change and delete the configuration of a mint.

use crate::addresses::{SYSTEM_PROGRAM, TOKEN_2022_PROGRAM};
use crate::error::{require, Error, Result};
use crate::mint_config::{MintConfig, SEED, SPACE};
use crate::syscalls::{find_program_address, rent_of};
use crate::system;
use crate::token_2022::{freeze_authority, set_freeze_authority};
use pinocchio::cpi::{Seed, Signer};
use pinocchio::{AccountView, Address};

/// Reads an argument of one address.
fn address(data: &[u8]) -> Result<Address> {
    let bytes = data.try_into().map_err(|_| Error::InvalidInstructionData)?;
    Ok(Address::new_from_array(bytes))
}

/// Creates the configuration of a mint, which becomes its freeze authority. Nobody can thaw or freeze through a gate yet.
///
/// # Accounts
/// 0. `[signer, writable]` payer
/// 1. `[signer]` the freeze authority so far
/// 2. `[writable]` mint
/// 3. `[writable]` the configuration
/// 4. `[]` system program
/// 5. `[]` Token-2022
///
/// # Data
/// gate (32)
#[inline(never)]
pub fn create(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [payer, authority, mint, mint_config, system_program, token_program] = accounts else {
        return Err(Error::InvalidInstructionData);
    };
    require(authority.is_signer(), Error::InvalidAuthority)?;
    let (expected, bump) = find_program_address(&[SEED, mint.address().as_ref()], program)?;
    require(mint_config.address() == &expected, Error::InvalidMintConfig)?;
    require(system_program.address() == &SYSTEM_PROGRAM, Error::InvalidSystemProgram)?;
    let is_token_2022 = token_program.address() == &TOKEN_2022_PROGRAM && mint.owned_by(&TOKEN_2022_PROGRAM);
    require(is_token_2022, Error::InvalidTokenProgram)?;
    let gate = address(data)?;
    let before = freeze_authority(mint)?.ok_or(Error::InvalidTokenMint)?;
    require(&before == authority.address(), Error::InvalidAuthority)?;

    let missing = rent_of(SPACE)?.saturating_sub(mint_config.lamports());
    if missing > 0 {
        system::transfer(payer, mint_config, missing)?;
    }
    let bump_seed = [bump];
    let seeds = [Seed::from(SEED), Seed::from(mint.address().as_ref()), Seed::from(&bump_seed)];
    let signer = Signer::from(&seeds);
    system::allocate(mint_config, SPACE.into(), &signer)?;
    system::assign(mint_config, program, &signer)?;
    let mint_address = *mint.address();
    let config = MintConfig { bump, can_thaw: false, can_freeze: false, mint: mint_address, authority: before, gate };
    config.write(mint_config)?;
    set_freeze_authority(mint, authority, &expected, &[])
}

/// Gives the configuration to another authority, which does not have to sign.
///
/// # Accounts
/// 0. `[signer]` authority
/// 1. `[writable]` the configuration
///
/// # Data
/// next authority (32)
#[inline(never)]
pub fn set_authority(accounts: &mut [AccountView], data: &[u8]) -> Result {
    let next = address(data)?;
    change(accounts, |config| config.authority = next)
}

/// Names another program as the gate.
///
/// # Accounts
/// 0. `[signer]` authority
/// 1. `[writable]` the configuration
///
/// # Data
/// gate (32)
#[inline(never)]
pub fn set_gate(accounts: &mut [AccountView], data: &[u8]) -> Result {
    let gate = address(data)?;
    change(accounts, |config| config.gate = gate)
}

/// Says whether everybody can freeze and thaw what the gate allows.
///
/// # Accounts
/// 0. `[signer]` authority
/// 1. `[writable]` the configuration
///
/// # Data
/// freeze (1), thaw (1)
#[inline(never)]
pub fn toggle(accounts: &mut [AccountView], data: &[u8]) -> Result {
    let &[freeze, thaw] = data else { return Err(Error::InvalidInstructionData) };
    change(accounts, |config| {
        config.can_freeze = freeze != 0;
        config.can_thaw = thaw != 0;
    })
}

#[inline(always)]
fn change(accounts: &mut [AccountView], change: impl FnOnce(&mut MintConfig)) -> Result {
    let [authority, mint_config] = accounts else { return Err(Error::InvalidInstructionData) };
    let mut config = MintConfig::by_authority(mint_config, authority)?;
    change(&mut config);
    config.write(mint_config)
}

/// Deletes the configuration of a mint, and gives its freeze authority to an address.
///
/// # Accounts
/// 0. `[signer]` authority
/// 1. `[writable]` receiver of the rent
/// 2. `[writable]` mint
/// 3. `[writable]` the configuration
/// 4. `[]` Token-2022
///
/// # Data
/// next freeze authority (32)
#[inline(never)]
pub fn delete(accounts: &mut [AccountView], data: &[u8]) -> Result {
    let [authority, receiver, mint, mint_config, token_program] = accounts else {
        return Err(Error::InvalidInstructionData);
    };
    require(token_program.address() == &TOKEN_2022_PROGRAM, Error::InvalidTokenProgram)?;
    let next = address(data)?;
    let config = MintConfig::by_authority(mint_config, authority)?;
    require(&config.mint == mint.address(), Error::InvalidTokenMint)?;
    // The mint can be closed, or have another freeze authority.
    if matches!(freeze_authority(mint), Ok(Some(before)) if &before == mint_config.address()) {
        let bump_seed = [config.bump];
        let seeds = [Seed::from(SEED), Seed::from(mint.address().as_ref()), Seed::from(&bump_seed)];
        set_freeze_authority(mint, mint_config, &next, &[Signer::from(&seeds)])?;
    }
    close(mint_config, receiver)
}

/// Closes an account of this program. The receiver gets its lamports.
pub fn close(account: &mut AccountView, receiver: &mut AccountView) -> Result {
    if account.lamports() > 0 {
        let sum = receiver.lamports().checked_add(account.lamports()).ok_or(Error::ArithmeticOverflow)?;
        receiver.set_lamports(sum);
        account.set_lamports(0);
    }
    account.close().map_err(|_| Error::AccountBorrowFailed)
}
