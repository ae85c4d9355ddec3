//! The time of the chain.

use crate::addresses::CLOCK_SYSVAR;
use crate::error::{Error, Result};
use crate::syscalls;

/// How far ahead of the chain time a verifier's time may be: the chain's clock runs behind others.
const SKEW_SECONDS: u64 = 300;

/// Where the Clock sysvar holds the Unix time.
const UNIX_TIMESTAMP_OFFSET: u64 = 32;

/// Unix seconds by the Clock sysvar; a negative time is refused with [`Error::ClockInvalid`].
pub fn now() -> Result<u64> {
    let bytes = syscalls::sysvar(&CLOCK_SYSVAR, UNIX_TIMESTAMP_OFFSET).map_err(|_| Error::ClockInvalid)?;
    u64::try_from(i64::from_le_bytes(bytes)).map_err(|_| Error::ClockInvalid)
}

/// Refuses the time of a verifier's statement that is too far ahead of `now`.
pub fn check_signed_at(time: u64, now: u64) -> Result {
    if time > now.checked_add(SKEW_SECONDS).ok_or(Error::Overflow)? {
        return Err(Error::CredentialTimesInvalid);
    }
    Ok(())
}
