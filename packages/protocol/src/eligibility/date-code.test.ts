import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCode } from '../../test/support/with-code.ts';
import { dateCode, dateCodeAt, dateOfCode, parseBirthDate } from './date-code.ts';

const DAY = 86_400;
const firstDay = Date.UTC(1900, 0, 1) / 1000;
const days = (Date.UTC(2156, 0, 1) / 1000 - firstDay) / DAY;

/** The calendar of the JavaScript engine, which shares no code with ours. */
function calendarOf(unixSeconds: number) {
  const date = new Date(unixSeconds * 1000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

describe('dateCodeAt', () => {
  it('agrees with Date on every day of the 256 years, and grows with each', () => {
    let previous = 0;
    for (let day = 0; day < days; day += 1) {
      const seconds = firstDay + day * DAY;
      const { year, month, day: dayOfMonth } = calendarOf(seconds);
      const code = dateCodeAt(BigInt(seconds));
      if (code !== (year - 1900) * 512 + month * 32 + dayOfMonth || code <= previous) {
        expect.fail(`${year}-${month}-${dayOfMonth} has code ${code} after ${previous}`);
      }
      previous = code;
    }
    expect(previous).toBe(255 * 512 + 12 * 32 + 31);
    expect(previous).toBeLessThan(2 ** 17);
  });

  it('returns the same code for every second of a day', () => {
    fc.assert(
      fc.property(fc.nat(days - 1), fc.nat(DAY - 1), (day, second) => {
        const midnight = firstDay + day * DAY;
        expect(dateCodeAt(BigInt(midnight + second))).toBe(dateCodeAt(BigInt(midnight)));
      }),
    );
  });

  it('is exact before and after midnight, in 1970 and at both limits', () => {
    const dateAt = (seconds: number) => dateOfCode(dateCodeAt(BigInt(seconds)));
    expect(dateAt(0)).toEqual({ year: 1970, month: 1, day: 1 });
    expect(dateAt(-1)).toEqual({ year: 1969, month: 12, day: 31 });
    expect(dateAt(firstDay)).toEqual({ year: 1900, month: 1, day: 1 });
    expect(dateAt(firstDay + days * DAY - 1)).toEqual({ year: 2155, month: 12, day: 31 });
  });

  it.each([
    ['a second before 1900', BigInt(firstDay) - 1n],
    ['a second past 2155', BigInt(firstDay + days * DAY)],
    ['the largest u64', 2n ** 64n - 1n],
    ['the smallest i64', -(2n ** 63n)],
  ])('rejects %s', (_, seconds) => {
    expect(() => dateCodeAt(seconds)).toThrow(withCode('DATE_INVALID'));
  });
});

describe('dateCode', () => {
  it('is inverted by dateOfCode', () => {
    fc.assert(
      fc.property(fc.nat(days - 1), (day) => {
        const date = calendarOf(firstDay + day * DAY);
        expect(dateOfCode(dateCode(date))).toEqual(date);
      }),
    );
  });

  it('accepts as codes exactly the days of the calendar', () => {
    let accepted = 0;
    for (let code = 0; code < 2 ** 17 + 1024; code += 1) {
      try {
        dateOfCode(code);
        accepted += 1;
      } catch {}
    }
    expect(accepted).toBe(days);
  });

  it.each([
    ['a fractional day', { year: 2000, month: 1, day: 1.5 }],
    ['NaN', { year: Number.NaN, month: 1, day: 1 }],
    ['day 0', { year: 2000, month: 1, day: 0 }],
    ['month 0', { year: 2000, month: 0, day: 1 }],
    ['month 13', { year: 2000, month: 13, day: 1 }],
    ['31 April', { year: 2000, month: 4, day: 31 }],
    ['29 February 1900, a common year', { year: 1900, month: 2, day: 29 }],
    ['29 February 2023', { year: 2023, month: 2, day: 29 }],
    ['1899', { year: 1899, month: 12, day: 31 }],
    ['2156', { year: 2156, month: 1, day: 1 }],
  ])('rejects %s', (_, date) => {
    expect(() => dateCode(date)).toThrow(withCode('DATE_INVALID'));
  });
});

describe('parseBirthDate', () => {
  it('reads YYYY-MM-DD', () => {
    expect(parseBirthDate('2000-02-29')).toBe(100 * 512 + 2 * 32 + 29);
  });

  it.each([
    '2000-2-29',
    '29.02.2000',
    '2001-02-29',
    '2000-02-29T00:00:00Z',
    ' 2000-02-29',
    '2000-02-29\n',
    '',
  ])('rejects %j', (text) => {
    expect(() => parseBirthDate(text)).toThrow(withCode('DATE_INVALID'));
  });

  it('does not repeat the birth date in its message', () => {
    expect(() => parseBirthDate('1987-02-31')).not.toThrow('1987');
  });
});
