/** One chain for the tests of a file, which each of them finds in the same state. */
import { beforeAll, beforeEach } from 'vitest';
import { Chain } from './chain.ts';

/** Returns a chain that is reset before each test to the state of the chain that `setUp` returns. Runs `setUp` once. */
export function chainPerTest(setUp: () => Promise<Chain>): Chain {
  const chain = new Chain();
  let saved: Uint8Array;
  beforeAll(async () => {
    saved = (await setUp()).save();
  });
  beforeEach(() => chain.load(saved));
  return chain;
}
