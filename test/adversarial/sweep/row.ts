/** A case of the sweep, and functions that make cases from data. */
import type { HostileMode } from '@service/testing';
import type { Tamper } from '@service/testing/edits';

/** A hostile mode without words for people. */
export interface SweepMode extends Omit<HostileMode, 'description' | 'page' | 'start'> {
  /** Starts to tamper. `at` selects the account to change, in modes that change one. */
  start(at?: number): Tamper;
  /** Whether the mode changes each account in turn. */
  readonly isOfAccounts?: boolean;
}

/** What the cases of a table have in common. */
export type Expected = Omit<SweepMode, 'id' | 'start'>;

/** Makes a case of each entry of a table. Its id is the category and the key, in kebab-case. */
export function cases<Change>(
  expected: Expected,
  start: (change: Change, at: number) => Tamper,
  table: Readonly<Record<string, Change>>,
): readonly SweepMode[] {
  return Object.entries(table).map(([name, change]) => ({
    ...expected,
    id: `${expected.category}-${name.replaceAll(/[.A-Z]/g, (each) => `-${each.toLowerCase().replace('.', '')}`)}`,
    start: (at = 0) => start(change, at),
  }));
}

/** Returns a table with an entry for each combination of the entries of two tables. */
export function combined<A, B, Change>(
  first: Readonly<Record<string, A>>,
  second: Readonly<Record<string, B>>,
  combine: (first: A, second: B) => Change,
): Readonly<Record<string, Change>> {
  return Object.fromEntries(
    Object.entries(first).flatMap(([a, left]) =>
      Object.entries(second).map(([b, right]) => [`${a}-${b}`, combine(left, right)]),
    ),
  );
}
