import { EligibilityError } from './errors.ts';

/** A day of the Gregorian calendar; `month` 1 to 12, `day` 1 to 31. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The years that a date code can express, first and last. */
const DATE_CODE_YEARS = { first: 1900, last: 2155 } as const;

/** Difference of two date codes that are one year apart. */
export const DATE_CODE_YEAR = 512;

const DAY_SECONDS = 86_400n;

/** Unix seconds of 1900-01-01T00:00:00Z, and of the first second past 2155-12-31. */
const FIRST_SECOND = -2_208_988_800n;
const END_SECOND = 5_869_584_000n;

/**
 * Returns the date code of a calendar date: `(year - 1900) * 512 + month * 32 + day`, below 2^17.
 *
 * A later date has a higher code, and adding 512 adds a year. The circuit needs no other arithmetic for ages.
 *
 * @throws EligibilityError DATE_INVALID when the date does not exist or is not in the years 1900 to 2155.
 */
export function dateCode({ year, month, day }: CalendarDate): number {
  const inCalendar =
    [year, month, day].every(Number.isInteger) &&
    year >= DATE_CODE_YEARS.first &&
    year <= DATE_CODE_YEARS.last &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysOfMonth(year, month);
  if (!inCalendar) {
    throw new EligibilityError(
      'DATE_INVALID',
      `The date does not exist. Use a calendar date of the years ${DATE_CODE_YEARS.first} to ${DATE_CODE_YEARS.last}.`,
    );
  }
  return (year - DATE_CODE_YEARS.first) * DATE_CODE_YEAR + month * 32 + day;
}

/**
 * Returns the calendar date of a date code.
 *
 * @throws EligibilityError DATE_INVALID when no date has this code. Not every number below 2^17 is a date code.
 */
export function dateOfCode(code: number): CalendarDate {
  if (!Number.isInteger(code) || code < 0) {
    throw new EligibilityError(
      'DATE_INVALID',
      'A date code must be a whole number of 33 (1900-01-01) or more.',
    );
  }
  const date = {
    year: DATE_CODE_YEARS.first + Math.floor(code / DATE_CODE_YEAR),
    month: Math.floor((code % DATE_CODE_YEAR) / 32),
    day: code % 32,
  };
  dateCode(date);
  return date;
}

/**
 * Returns the date code of the UTC day of a moment.
 *
 * @param unixSeconds seconds since 1970-01-01T00:00:00Z; negative before it
 * @throws EligibilityError DATE_INVALID outside the years 1900 to 2155.
 */
export function dateCodeAt(unixSeconds: bigint): number {
  if (typeof unixSeconds !== 'bigint' || unixSeconds < FIRST_SECOND || unixSeconds >= END_SECOND) {
    throw new EligibilityError(
      'DATE_INVALID',
      `The moment must be a bigint of Unix seconds in the years ${DATE_CODE_YEARS.first} to ${DATE_CODE_YEARS.last}.`,
    );
  }
  return dateCode(civilDate(Number((unixSeconds - FIRST_SECOND) / DAY_SECONDS)));
}

/**
 * Parses a birth date in the form `YYYY-MM-DD`.
 *
 * @throws EligibilityError DATE_INVALID
 */
export function parseBirthDate(text: string): number {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) throw new EligibilityError('DATE_INVALID', 'Write the birth date as YYYY-MM-DD.');
  return dateCode({ year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) });
}

/** Returns the days from 1900-01-01 to a date. Counts whole years and then months, without rounding. */
function civilDate(daysSince1900: number): CalendarDate {
  let days = daysSince1900;
  let year: number = DATE_CODE_YEARS.first;
  while (days >= daysOfYear(year)) {
    days -= daysOfYear(year);
    year += 1;
  }
  let month = 1;
  while (days >= daysOfMonth(year, month)) {
    days -= daysOfMonth(year, month);
    month += 1;
  }
  return { year, month, day: days + 1 };
}

function daysOfYear(year: number): number {
  return isLeapYear(year) ? 366 : 365;
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
