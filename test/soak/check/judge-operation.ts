/** Judges one operation by the finalized transactions with its memo. */

import type { Fault, Finding, Judged } from './finding.ts';
import type { OperationHistory } from './history.ts';

/** Milliseconds in which the service broadcasts again what was lost, also on a busy machine. */
const REPEATED_WITHIN_MS = 5_000;
const PENDING = new Set(['QUEUED', 'SUBMITTED', 'UNRESOLVED']);

/** Judges an operation. */
export function judgeOperation(operation: OperationHistory): Judged {
  const { id, isAcknowledged, record, landed, clearMs } = operation;
  const findings: Finding[] = [];
  const find = (fault: Fault, what: string) => findings.push({ fault, what: `operation ${id}: ${what}` });
  if (landed.length > 1) find('doubled', `landed ${landed.length} times`);
  const state = record?.state ?? 'unknown';
  const isFinal = state === 'FINALIZED' || state === 'FAILED';
  if (isFinal) {
    const untruth = untruthOf(operation);
    if (untruth) find('wrong', untruth);
    else if (record?.failure?.reason === 'NEVER_LANDED' && clearMs >= REPEATED_WITHIN_MS)
      find('worse', `is NEVER_LANDED, but nothing hindered it for ${(clearMs / 1_000).toFixed(1)} s`);
  } else if (PENDING.has(state)) {
    // Without an acknowledgement the service may have queued it all the same, and then it must end.
    find('stuck', `is still ${state}`);
  } else if (isAcknowledged) {
    find('lost', `is ${state}`);
  } else if (landed.length > 0) {
    find('wrong', `landed, but is ${state}`);
  }
  return { isAcknowledged, isFinal, findings };
}

/** Returns what is not true in a final record; null if all of it is. */
function untruthOf({ record, landed }: OperationHistory): string | null {
  const { state, slot, signature, failure } = record!;
  const transaction = landed[0];
  const onChain = transaction ? JSON.stringify(transaction.err, withBigints) : 'no transaction';
  if (state === 'FINALIZED') {
    if (!transaction || transaction.err !== null) return `is FINALIZED, but the chain has ${onChain}`;
    if (transaction.signature !== signature)
      return `has the signature ${signature}, not ${transaction.signature}`;
    return `${transaction.slot}` === slot ? null : `has the slot ${slot}, not ${transaction.slot}`;
  }
  if (failure?.reason === 'NEVER_LANDED')
    return transaction ? `is NEVER_LANDED, but the chain has ${onChain}` : null;
  if (failure?.reason !== 'ON_CHAIN_ERROR') return `failed with the reason ${failure?.reason}`;
  if (!transaction || transaction.err === null) return `is ON_CHAIN_ERROR, but the chain has ${onChain}`;
  const expected = errorOf(transaction.err);
  const said = { instruction: failure.instruction, code: failure.programError?.code };
  return said.instruction === expected.instruction && said.code === expected.code
    ? null
    : `failed with ${JSON.stringify(said)}, but the chain has ${onChain}`;
}

/** Returns the instruction and the program's number of an error, if it has them. */
function errorOf(err: unknown): { instruction: number | undefined; code: number | undefined } {
  const [instruction, detail] = (err as { InstructionError?: [unknown, unknown] }).InstructionError ?? [];
  const code = (detail as { Custom?: unknown } | undefined)?.Custom;
  return {
    instruction: instruction === undefined ? undefined : Number(instruction),
    code: code === undefined ? undefined : Number(code),
  };
}

const withBigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
