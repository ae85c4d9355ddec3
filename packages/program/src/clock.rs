//! The time of the chain.

use crate::addresses::CLOCK_SYSVAR;
use crate::error::{Error, Result};
use crate::syscalls;

/// Greatest lead of a verifier's time over the chain time, because the chain's clock runs late.
const SKEW_SECONDS: u64 = 300;

/// Longest time from a verifier's signature of a credential to the chain. Retries of Standard Webhooks end after three
/// days and four hours.
const MAX_DELAY_SECONDS: u64 = 4 * 86_400;

/// Offset of the Unix time in the Clock sysvar.
const UNIX_TIMESTAMP_OFFSET: u64 = 32;

/// Returns the Unix seconds of the Clock sysvar; rejects a negative time with [`Error::ClockInvalid`].
#[inline(always)]
pub fn now() -> Result<u64> {
    let bytes = syscalls::sysvar(&CLOCK_SYSVAR, UNIX_TIMESTAMP_OFFSET).map_err(|_| Error::ClockInvalid)?;
    u64::try_from(i64::from_le_bytes(bytes)).map_err(|_| Error::ClockInvalid)
}

/// Rejects a credential whose time of issue is too far ahead of `now` or too long ago.
pub fn check_issued_at(time: u64, now: u64) -> Result {
    check_signed_at(time, now)?;
    if time < now.saturating_sub(MAX_DELAY_SECONDS) {
        return Err(Error::CredentialTimesInvalid);
    }
    Ok(())
}

/// Rejects a verifier's statement whose time is too far ahead of `now`.
pub fn check_signed_at(time: u64, now: u64) -> Result {
    if time > now.checked_add(SKEW_SECONDS).ok_or(Error::Overflow)? {
        return Err(Error::CredentialTimesInvalid);
    }
    Ok(())
}
