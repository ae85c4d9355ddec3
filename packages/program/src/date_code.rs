//! Date codes: `(year - 1900) * 512 + month * 32 + day`, so that adding 512 adds a year.

use crate::error::{Error, Result};

const DAY_SECONDS: u64 = 86_400;
/// Days from 1970-01-01 to 2156-01-01. Later codes do not fit the circuit's 17 bits.
const END_DAY: u64 = 67_935;
/// Days from 0000-03-01 to 1970-01-01. A year that begins in March has its leap day at the end.
const DAYS_BEFORE_1970: u32 = 719_468;
const DAYS_OF_400_YEARS: u32 = 146_097;

/// Returns the date code of the UTC day of a time in Unix seconds; rejects 2156 and later with [`Error::Overflow`].
#[allow(clippy::arithmetic_side_effects)] // the day is bounded first, so every term is far below 2^32
pub fn of_moment(unix_seconds: u64) -> Result<u32> {
    let day = unix_seconds / DAY_SECONDS;
    if day >= END_DAY {
        return Err(Error::Overflow);
    }
    let days = day as u32 + DAYS_BEFORE_1970;
    let (era, day_of_era) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let (month, next_year) = if month_from_march < 10 { (month_from_march + 3, 0) } else { (month_from_march - 9, 1) };
    let year = era * 400 + year_of_era + next_year;
    Ok((year - 1_900) * 512 + month * 32 + day_of_month)
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    const fn code(year: u32, month: u32, day: u32) -> u32 {
        (year - 1_900) * 512 + month * 32 + day
    }

    #[test]
    fn knows_leap_days_and_ends_of_years() {
        for (seconds, expected) in [
            (0, code(1970, 1, 1)),
            (951_782_399, code(2000, 2, 28)),
            (951_782_400, code(2000, 2, 29)),
            (951_868_800, code(2000, 3, 1)),
            (1_735_689_599, code(2024, 12, 31)),
            (1_735_689_600, code(2025, 1, 1)),
            (4_107_542_400, code(2100, 3, 1)),
            (5_869_583_999, code(2155, 12, 31)),
        ] {
            assert_eq!(of_moment(seconds), Ok(expected), "{seconds}");
        }
    }

    #[test]
    fn follows_the_calendar_day_by_day() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for count in 0..END_DAY {
            assert_eq!(of_moment(count * DAY_SECONDS), Ok(code(year, month, day)));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + u32::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (year, month, day) = match (month, day) {
                (12, 31) => (year + 1, 1, 1),
                _ if day == length => (year, month + 1, 1),
                _ => (year, month, day + 1),
            };
        }
        assert_eq!((year, month, day), (2156, 1, 1));
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_eq!(of_moment(5_869_584_000), Err(Error::Overflow));
        assert_eq!(of_moment(u64::MAX), Err(Error::Overflow));
    }
}
