//! Reads an instruction, and evaluates its assertions in their order.
//!
//! The data is the number of the instruction (1 byte), the log level (1), and either one assertion, or a count (LEB128)
//! and that many assertions. Bytes after them are ignored, as in Lighthouse.

use crate::account_info::AccountInfoAssertion;
use crate::assertion::Assertion;
use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::token_account::TokenAccountAssertion;
use pinocchio::AccountView;

/// Log levels that call the noop program. The stand-in calls no program.
const CALLING_LOG_LEVELS: [u8; 2] = [3, 6];
const LAST_LOG_LEVEL: u8 = 6;

/// Evaluates an instruction. Its first account is the one that it is about.
pub fn process(accounts: &[AccountView], data: &[u8]) -> Result {
    let mut reader = Reader::new(data);
    let kind = reader.byte()?;
    let log_level = reader.byte()?;
    if log_level > LAST_LOG_LEVEL || CALLING_LOG_LEVELS.contains(&log_level) {
        return Err(Error::InvalidInstructionData);
    }
    match kind {
        5 => one::<AccountInfoAssertion>(reader, accounts),
        6 => several::<AccountInfoAssertion>(reader, accounts),
        9 => one::<TokenAccountAssertion>(reader, accounts),
        10 => several::<TokenAccountAssertion>(reader, accounts),
        _ => Err(Error::InvalidInstructionData),
    }
}

fn one<T: Assertion>(mut reader: Reader, accounts: &[AccountView]) -> Result {
    let assertion = T::read(&mut reader)?;
    if assertion.holds(account_of::<T>(accounts)?)? {
        Ok(())
    } else {
        Err(Error::AssertionFailed)
    }
}

fn several<T: Assertion>(mut reader: Reader, accounts: &[AccountView]) -> Result {
    let count = reader.compact()?;
    // The error of unreadable data comes before the error of an earlier assertion that does not hold.
    let mut ahead = reader.clone();
    for _ in 0..count {
        T::read(&mut ahead)?;
    }
    let account = account_of::<T>(accounts)?;
    for index in 0..count {
        if !T::read(&mut reader)?.holds(account)? {
            return Err(Error::AssertionOfSeveralFailed(index as u32));
        }
    }
    Ok(())
}

fn account_of<T: Assertion>(accounts: &[AccountView]) -> Result<&AccountView> {
    let account = accounts.first().ok_or(Error::NotEnoughAccountKeys)?;
    T::check_account(account)?;
    Ok(account)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without an account, data that can be read fails with `NotEnoughAccountKeys`.
    const READ: Result = Err(Error::NotEnoughAccountKeys);
    const UNREADABLE: Result = Err(Error::InvalidInstructionData);

    #[test]
    fn reads_the_four_instructions() {
        assert_eq!(process(&[], &[5, 0, 3, 0, 0]), READ);
        assert_eq!(process(&[], &[6, 4, 1, 3, 0, 0]), READ);
        assert_eq!(process(&[], &[9, 0, 8]), READ);
        assert_eq!(process(&[], &[10, 1, 2, 8, 3, 0, 0]), READ);
        assert_eq!(process(&[], &[6, 0, 0]), READ);
    }

    #[test]
    fn rejects_other_instructions() {
        for kind in (0..=255).filter(|kind| ![5, 6, 9, 10].contains(kind)) {
            assert_eq!(process(&[], &[kind, 0, 3, 0, 0]), UNREADABLE);
        }
    }

    #[test]
    fn rejects_log_levels_that_call_a_program_or_do_not_exist() {
        for level in [3, 6, 7, 255] {
            assert_eq!(process(&[], &[5, level, 3, 0, 0]), UNREADABLE);
        }
    }

    #[test]
    fn ignores_bytes_after_the_assertions() {
        assert_eq!(process(&[], &[5, 0, 3, 0, 0, 9, 9]), READ);
        assert_eq!(process(&[], &[6, 0, 1, 3, 0, 0, 9, 9]), READ);
    }

    #[test]
    fn rejects_data_that_ends_too_early() {
        for data in [&[][..], &[5], &[5, 0], &[5, 0, 3], &[5, 0, 3, 0], &[6, 0], &[6, 0, 2, 3, 0, 0]] {
            assert_eq!(process(&[], data), UNREADABLE);
        }
    }
}
