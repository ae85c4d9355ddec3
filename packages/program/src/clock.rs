//! The time of the chain.

use crate::addresses::CLOCK_SYSVAR;
use crate::error::{Error, Result};
use crate::syscalls;

/// Where the Clock sysvar holds the Unix time.
const UNIX_TIMESTAMP_OFFSET: u64 = 32;

/// Unix seconds by the Clock sysvar; a negative time is refused with [`Error::ClockInvalid`].
pub fn now() -> Result<u64> {
    let bytes = syscalls::sysvar(&CLOCK_SYSVAR, UNIX_TIMESTAMP_OFFSET).map_err(|_| Error::ClockInvalid)?;
    u64::try_from(i64::from_le_bytes(bytes)).map_err(|_| Error::ClockInvalid)
}
