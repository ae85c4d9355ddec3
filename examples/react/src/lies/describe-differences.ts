import { isServiceError, type MessageDifference } from '@service/sdk';
import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import type { Terms } from './describe-asked.ts';
import type { Refusal } from './refusals.ts';

/** One thing that was asked for, and what the service made of it. */
export interface Difference {
  readonly part: string;
  readonly expected: string;
  readonly received: string;
}

const BINDINGS: Readonly<Record<string, string>> = {
  genesisHash: 'cluster',
  origin: 'site',
  expiresAt: 'expiry',
  issuedAt: 'time',
};

/** Fields of a request, as the forms call them. */
const FIELDS: Readonly<Record<string, string>> = {
  destination: 'recipient',
  source: 'sender',
  rule: 'rule set',
};

/** What the page's own RPC has proven. */
const ENDS = {
  NEVER_LANDED: 'the chain has no such transaction',
  ON_CHAIN_ERROR: 'the chain rejected the transaction',
} as const;

/** Returns what differs, from the context of the error, in the terms of the form. */
export function describeDifferences(refusal: Refusal, terms: Terms): readonly Difference[] {
  const { error, changed } = refusal;
  if (isServiceError(error, 'CHALLENGE_REFUSED')) {
    const { binding, expected, received } = error.context;
    return [{ part: BINDINGS[binding] ?? binding, expected, received: received ?? 'nothing' }];
  }
  if (isServiceError(error, 'PREPARED_MISMATCH')) {
    return error.context.differences.map((difference) => inWords(difference, refusal, terms));
  }
  const expected = 'a final transaction on the page’s own RPC';
  const received = `the service says ${changed.body.state}`;
  if (isServiceError(error, 'OUTCOME_UNKNOWN')) return [{ part: 'outcome', expected, received }];
  if (isServiceError(error, 'OPERATION_FAILED')) {
    return [{ part: 'outcome', expected, received: `${received}, and ${ENDS[error.context.reason]}` }];
  }
  return [];
}

/** Replaces the bytes of an amount, and the index of an account, by what they mean. */
function inWords(
  { part, expected, received }: MessageDifference,
  refusal: Refusal,
  { tokens, name }: Terms,
): Difference {
  const { request } = refusal.asked;
  if (typeof request.amount === 'bigint' && part.startsWith('instruction 1, data byte')) {
    const sent = sentAmount(refusal);
    if (sent !== null) {
      return { part: 'amount', expected: tokens(request.amount), received: tokens(sent) };
    }
  }
  const [address = ''] = expected.split(' ');
  const field = Object.keys(request).find((key) => request[key] === address);
  if (!field) return { part, expected, received };
  const [other = ''] = received.split(' ');
  return { part: FIELDS[field] ?? field, expected: name(address), received: name(other) };
}

/** Reads the amount of the transaction that the service sent. In both instructions it follows one byte. */
function sentAmount({ changed }: Refusal): bigint | null {
  try {
    const wire = getBase64Encoder().encode(String(changed.body.transaction));
    const { messageBytes } = getTransactionDecoder().decode(wire);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    if (!('instructions' in message)) return null;
    const data = Uint8Array.from(message.instructions[1]?.data ?? []);
    return new DataView(data.buffer).getBigUint64(1, true);
  } catch {
    return null;
  }
}
