/** The expectation in a cell of the matrix. */

import type { ErrorName } from '../support/outcome.ts';

/** The expected error: a name of this program, a number of another program, or one of the others with its reason. */
export type Expectation = ErrorName | number | Outside | Works | NotTested;

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

/** Not tested, and why no test is possible or needed. */
export interface NotTested {
  readonly kind: 'not tested';
  readonly why: string;
}

/** Returns the same expectation for several columns. */
export function each<Column extends string>(expected: Expectation, ...columns: Column[]) {
  return Object.fromEntries(columns.map((column) => [column, expected])) as Record<Column, Expectation>;
}

/** Returns an expectation that the runtime or another program refuses. */
export const outside = (text: RegExp, why: string): Outside => ({ kind: 'outside', text, why });
/** Returns an expectation that the instruction works. */
export const works = (why: string): Works => ({ kind: 'works', why });
/** Returns an expectation for a cell without a test. */
export const notTested = (why: string): NotTested => ({ kind: 'not tested', why });

/** What a cell does before and after its instructions. */
export interface AttemptHooks {
  /** Part of the message when the test fails. */
  readonly what?: string;
  /** Changes the chain before the instructions. The stage undoes the change after them. */
  readonly prepare?: (() => unknown) | undefined;
  /** Checks what the instructions did, when they work. */
  readonly check?: (() => void) | undefined;
}
