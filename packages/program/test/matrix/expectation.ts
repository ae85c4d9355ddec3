/** What a cell of the matrix says. */

import type { ErrorName } from '../support/outcome.ts';

/** The error of the program that is expected, the number of one of another program, or one of the others, each with its reason. */
export type Expectation = ErrorName | number | Outside | Works | Nothing;

/** Refused by the runtime or by a program that is called, with a text that the outcome must match. */
export interface Outside {
  readonly kind: 'outside';
  readonly text: RegExp;
  readonly why: string;
}

/** Not refused, and why that is safe. */
export interface Works {
  readonly kind: 'works';
  readonly why: string;
}

/** Not tested, and why there is nothing to test. */
export interface Nothing {
  readonly kind: 'nothing';
  readonly why: string;
}

/** Says the same in several cells. */
export function each<Column extends string>(expected: Expectation, ...columns: Column[]) {
  return Object.fromEntries(columns.map((column) => [column, expected])) as Record<Column, Expectation>;
}

/** Refused by others than this program. */
export const outside = (text: RegExp, why: string): Outside => ({ kind: 'outside', text, why });
/** Not refused. */
export const works = (why: string): Works => ({ kind: 'works', why });
/** Nothing to test. */
export const nothing = (why: string): Nothing => ({ kind: 'nothing', why });

/** What is done around the instructions of a cell. */
export interface Around {
  /** Told when the test fails. */
  readonly what?: string;
  /** Changes the chain before; what it changes is undone after. */
  readonly prepare?: (() => unknown) | undefined;
  /** Looks at what the instructions did, where they work. */
  readonly check?: (() => void) | undefined;
}
