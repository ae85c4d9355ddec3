/** What a transaction did: whether it was refused, by which number, what it logged and used. */
import * as generated from '@service/protocol/generated';
import { FailedTransactionMetadata, type TransactionMetadata } from 'litesvm';
import { expect } from 'vitest';

/** Why and where a transaction was refused. */
export interface Refusal {
  /** Index of the instruction in the transaction; -1 when the transaction was refused as a whole. */
  readonly instruction: number;
  /** Number of the program's own error, or null when the runtime or a builtin refused. */
  readonly code: number | null;
  readonly text: string;
}

/** What a transaction did. */
export interface Outcome {
  readonly refusal: Refusal | null;
  readonly logs: readonly string[];
  /** Compute units of the whole transaction. */
  readonly units: number;
  /** Addresses of the accounts of the program and of Token-2022 that it changed. */
  readonly changed: readonly string[];
}

/** Reads what litesvm hands back. */
export function outcomeOf(result: TransactionMetadata | FailedTransactionMetadata): Omit<Outcome, 'changed'> {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  return {
    refusal: failed ? refusalOf(result) : null,
    logs: meta.logs(),
    units: Number(meta.computeUnitsConsumed()),
  };
}

function refusalOf(failed: FailedTransactionMetadata): Refusal {
  const error = failed.err();
  const text = failed.toString();
  if (typeof error !== 'object' || !('err' in error)) return { instruction: -1, code: null, text };
  const inner = error.err();
  const code = typeof inner === 'object' && 'code' in inner ? inner.code : null;
  return { instruction: error.index, code, text };
}

type Own<Name> = Name extends `RULE_SET_PASS_ERROR__${infer Error}` ? Error : never;
/** Name of an error of the program. */
export type ErrorName = Own<keyof typeof generated>;

const CODES = generated as unknown as Readonly<Record<string, number>>;

/** Returns the number of an error of the program; a number is one of another program. */
export function codeOf(error: ErrorName | number): number {
  return typeof error === 'number' ? error : CODES[`RULE_SET_PASS_ERROR__${error}`]!;
}

/** Fails the test, with the logs, unless the transaction succeeded. */
export function expectDone(outcome: Outcome): Outcome {
  expect(outcome.refusal, described(outcome)).toBeNull();
  return outcome;
}

/**
 * Fails the test unless the transaction was refused with a number of the program by its last instruction (or the one
 * at `instruction`), and changed no account.
 */
export function expectRefused(outcome: Outcome, error: ErrorName | number, instruction?: number): void {
  const { refusal, changed } = outcome;
  const code = codeOf(error);
  expect({ code: refusal?.code, changed }, described(outcome)).toEqual({ code, changed: [] });
  if (instruction !== undefined) expect(refusal?.instruction, described(outcome)).toBe(instruction);
}

/** Fails the test unless any program or the runtime refused the transaction, and it changed no account. */
export function expectRefusedOutside(outcome: Outcome, text: RegExp): void {
  expect(outcome.refusal, described(outcome)).not.toBeNull();
  expect(described(outcome)).toMatch(text);
  expect(outcome.changed).toEqual([]);
}

function described({ refusal, logs }: Outcome): string {
  return `${refusal ? `refused: ${refusal.text}` : 'done'}\n${logs.join('\n')}`;
}
