//! A vault in the style of Anchor: holders of live passes deposit tokens of a bound mint, and take them back.
//!
//! Anchor itself does not build with the toolchain of this repository. So this program writes by hand what Anchor's
//! attributes write: discriminators of 8 bytes, structs of accounts with their constraints, and errors from 6000. Its
//! clients cannot see a difference. In a program with Anchor, [`pass`] is the file to copy.
//!
//! | instruction | arguments | accounts |
//! |---|---|---|
//! | `create` | | [`instructions::Create`] |
//! | `open` | | [`instructions::Open`] |
//! | `deposit` | amount (u64), decimals (u8) | [`instructions::Move`] |
//! | `withdraw` | amount (u64), decimals (u8) | [`instructions::Move`] |

#![no_std]

pub mod account;
pub mod error;
pub mod instructions;
pub mod pass;
pub mod state;
pub mod token;

use error::ErrorCode;
use instructions::{Create, Move, Open};
use pinocchio::{AccountView, Address, ProgramResult};

/// The deployment that you trust: the `program` of its `deployment.json`. This one is of the development stack.
pub const PASSES: Address = Address::from_str_const("7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi");

pinocchio::program_entrypoint!(process, 16);
pinocchio::nostd_panic_handler!();

/// The first 8 bytes of SHA-256("global:" and the name of the instruction).
mod discriminator {
    pub const CREATE: [u8; 8] = [24, 30, 200, 40, 5, 28, 7, 119];
    pub const OPEN: [u8; 8] = [228, 220, 155, 71, 199, 189, 60, 45];
    pub const DEPOSIT: [u8; 8] = [242, 35, 198, 137, 82, 225, 242, 182];
    pub const WITHDRAW: [u8; 8] = [183, 18, 70, 156, 148, 109, 161, 34];
}

fn process(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let Some((discriminator, arguments)) = data.split_first_chunk::<8>() else {
        return Err(ErrorCode::InvalidInstruction.into());
    };
    match (*discriminator, arguments) {
        (discriminator::CREATE, []) => Create::try_accounts(program, accounts)?.create(program),
        (discriminator::OPEN, []) => Open::try_accounts(program, accounts)?.open(program),
        (discriminator::DEPOSIT, _) => {
            let (amount, decimals) = token::arguments(arguments)?;
            Move::try_accounts(program, accounts)?.deposit(amount, decimals)
        }
        (discriminator::WITHDRAW, _) => {
            let (amount, decimals) = token::arguments(arguments)?;
            Move::try_accounts(program, accounts)?.withdraw(amount, decimals)
        }
        _ => Err(ErrorCode::InvalidInstruction.into()),
    }
}
