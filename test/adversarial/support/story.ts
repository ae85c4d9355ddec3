/** Steps and results that several cases share. */
import { clauseMasks } from '@service/contract';
import { createRuleSetInstruction } from '@service/protocol';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import type { Casting, Players, Result } from './play.ts';

/** Returns the value of a call, or throws its error. */
export function valueIn(result: Result): unknown {
  if ('error' in result) throw result.error;
  return result.value;
}

/** Returns the error of a call. */
export const errorOf = (result: Result) =>
  'error' in result ? result.error : new Error('nothing was refused');

/** Checks that a call failed with an error like this. */
export const failsWith = (expected: object) => (result: Result) =>
  expect(errorOf(result)).toMatchObject(expected);

/** What was submitted lands, is final and indexed. */
export async function land({ stage: { world } }: Players): Promise<void> {
  await world.created.tick();
  await world.finalize();
  await world.created.tick();
}

/** The blockhash of what was signed expires. */
export async function expireBlockhash({ stage: { world } }: Players): Promise<void> {
  world.net.advanceSlots(160);
  await world.finalize();
}

const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }] as const;

/** The request of a rule set. */
export const ruleSet = (nonce: bigint) => ({ name: 'Adults', nonce, clauses, maxPassAgeSeconds: 86_400n });

/** The instruction that creates a rule set with nonce 77 of a wallet. */
export const createsRuleSet = ({ stage }: Players, wallet: Address) =>
  createRuleSetInstruction(stage.world.program, {
    kind: 'CREATE_RULE_SET',
    wallet,
    ...ruleSet(77n),
    clauses: clauses.map(clauseMasks),
  });

type Answer = Record<string, unknown>;

/** A service that changes its answers under a path, by default those about operations. */
export function answering(
  change: (answer: Answer) => object,
  path = '/api/operations/',
): NonNullable<Casting['through']> {
  return (fetch) => async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    if (!new URL(request.url).pathname.startsWith(path)) return response;
    return Response.json(change((await response.json()) as Answer));
  };
}

/** The record of an operation without its transaction. */
export const withoutTransaction = ({ transaction: _, ...answer }: Answer) => answer;
/** The record of an operation, called expired. */
export const expired = (answer: Answer) => ({ ...withoutTransaction(answer), state: 'EXPIRED' });
