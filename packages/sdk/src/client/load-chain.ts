/** Loads the code that reads the chain and signs. Nothing that it loads may import this file. */
import { checkOptions } from '../lib/check-arguments.ts';
import { loadChunk } from '../lib/load-chunk.ts';

/**
 * Checks the options of a call, then loads the chunk that carries it out. It is first needed for the sign-in of most
 * clients. Kit's codecs are larger than the rest of the client, and a page that only lists rule sets does not need them.
 *
 * @throws ServiceError INVALID_ARGUMENT, NETWORK_ERROR, TIMEOUT
 */
export async function loadChain(options: unknown): Promise<typeof import('./chain-chunk.ts')> {
  checkOptions(options);
  return loadChunk(() => import('./chain-chunk.ts'));
}
