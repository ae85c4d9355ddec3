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

export interface Outcome {
  readonly refusal: Refusal | null;
  readonly logs: readonly string[];
  readonly units: number;
  readonly returned: Uint8Array;
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
    returned: meta.returnData().data(),
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

/** The number of a program's error, or the text of an error of the runtime or of another program. */
export type ExpectedError = ErrorName | number | RegExp;

/**
 * Fails the test unless the transaction was rejected and changed no account. A numbered error must come from the
 * instruction at `index`; a text can come from any.
 */
export function expectRejected(outcome: Outcome, error: ExpectedError, index: number): void {
  const { refusal, changed } = outcome;
  const text = described(outcome);
  const isText = error instanceof RegExp;
  const expected = isText
    ? expect.anything()
    : expect.objectContaining({ code: codeOf(error), instruction: index });
  expect({ refusal, changed }, text).toEqual({ refusal: expected, changed: [] });
  if (isText) expect(text).toMatch(error);
}

function described({ refusal, logs }: Outcome): string {
  return `${refusal ? `refused: ${refusal.text}` : 'done'}\n${logs.join('\n')}`;
}
