/** The outcome of a transaction, and what a test expects of it. */
import * as generated from '@service/protocol/generated';
import { FailedTransactionMetadata, type TransactionMetadata } from 'litesvm';
import { expect } from 'vitest';

/** The result of a transaction. `changed` has the addresses of the program's and Token-2022's accounts that it changed. */
export type Outcome = ReturnType<typeof outcomeOf> & { readonly changed: readonly string[] };

/** Returns the rejection, the logs, the compute units and the returned data of a transaction. */
export function outcomeOf(result: TransactionMetadata | FailedTransactionMetadata) {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  return {
    refusal: failed ? refusalOf(result) : null,
    logs: meta.logs() as readonly string[],
    units: Number(meta.computeUnitsConsumed()),
    returned: meta.returnData().data(),
  };
}

/**
 * Returns the index of the instruction that was rejected, or -1 for the whole transaction, and the number of the
 * program's own error, or null for an error of the runtime or a builtin.
 */
function refusalOf(failed: FailedTransactionMetadata) {
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

/** Returns the name of an error of the program by its number, or undefined for one of another program. */
export function nameOfCode(code: number | null): string | undefined {
  const found = Object.keys(CODES).find(
    (key) => key.startsWith('RULE_SET_PASS_ERROR__') && CODES[key] === code,
  );
  return found?.slice('RULE_SET_PASS_ERROR__'.length);
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
  return `${refusal ? `rejected: ${refusal.text}` : 'done'}\n${logs.join('\n')}`;
}
