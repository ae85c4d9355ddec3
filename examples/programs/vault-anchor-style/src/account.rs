//! `Account` and `Signer` of Anchor: an account that fits its type.

use crate::error::ErrorCode;
use pinocchio::cpi::{Seed, Signer as Seeds};
use pinocchio::{error::ProgramError, AccountView, Address};
use pinocchio_system::create_account_with_minimum_balance_signed;

/// The data of an account, after its discriminator.
pub trait AccountData: Sized {
    /// The first 8 bytes.
    const DISCRIMINATOR: [u8; 8];
    /// Bytes of the account, with the discriminator.
    const SIZE: usize;

    /// Reads the data; none if the size does not fit.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
    /// Writes the data; none if the size does not fit.
    fn to_bytes(&self, bytes: &mut [u8]) -> Option<()>;
}

/// An account of this program.
pub struct Account<'a, T> {
    /// The account itself.
    pub view: &'a mut AccountView,
    /// Its data. [`Account::save`] writes them back.
    pub data: T,
}

impl<'a, T: AccountData> Account<'a, T> {
    /// Checks owner, discriminator and size, and reads the data.
    #[inline(always)]
    pub fn try_from(program: &Address, view: &'a mut AccountView) -> Result<Self, ProgramError> {
        let is_ours = view.owned_by(program);
        let data = match view.try_borrow()?.split_first_chunk::<8>() {
            Some((kind, rest)) if is_ours && kind == &T::DISCRIMINATOR => T::from_bytes(rest),
            _ => None,
        };
        Ok(Self { data: data.ok_or(ErrorCode::ConstraintViolated)?, view })
    }

    /// Writes the data back.
    #[inline(always)]
    pub fn save(&mut self) -> Result<(), ProgramError> {
        let mut bytes = self.view.try_borrow_mut()?;
        let (kind, rest) = bytes.split_first_chunk_mut().ok_or(ErrorCode::ConstraintViolated)?;
        *kind = T::DISCRIMINATOR;
        self.data.to_bytes(rest).ok_or(ErrorCode::ConstraintViolated.into())
    }
}

/// What `#[account(init, payer = payer, seeds = seeds, bump)]` does. Returns the bump.
#[inline(always)]
pub fn init<T: AccountData>(
    program: &Address,
    view: &mut AccountView,
    payer: &AccountView,
    seeds: &[&[u8]; 3],
) -> Result<u8, ProgramError> {
    let (address, bump) = Address::find_program_address(seeds, program);
    if view.address() != &address || !view.is_data_empty() {
        return Err(ErrorCode::ConstraintViolated.into());
    }
    let bumps = [bump];
    let [name, first, second] = *seeds;
    let signer = [Seed::from(name), Seed::from(first), Seed::from(second), Seed::from(&bumps)];
    create_account_with_minimum_balance_signed(view, T::SIZE, program, payer, None, &[Seeds::from(&signer)])?;
    Ok(bump)
}

/// Rejects an account that breaks a constraint.
pub fn constraint(holds: bool) -> Result<(), ErrorCode> {
    if holds {
        Ok(())
    } else {
        Err(ErrorCode::ConstraintViolated)
    }
}

/// What the type `Signer` does.
pub fn signer(view: &AccountView) -> Result<&AccountView, ErrorCode> {
    if view.is_signer() {
        Ok(view)
    } else {
        Err(ErrorCode::NotSigned)
    }
}
