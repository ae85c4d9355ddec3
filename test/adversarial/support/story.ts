/** Steps and results that several cases share. */
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
