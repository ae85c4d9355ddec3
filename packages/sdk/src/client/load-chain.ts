/** Loads the code that reads the chain and signs. Nothing that it loads may import this file. */
import { checkOptions } from '../lib/check-arguments.ts';
import { loadChunk } from '../lib/load-chunk.ts';

/**
 * Checks the options of a call, then loads the chunk that carries it out. It is first needed for the sign-in of most
 * clients. Kit's codecs are larger than the rest of the client, and a page that only lists rule sets does not need them.
 *
 * @throws ServiceError INVALID_ARGUMENT, NETWORK_ERROR, TIMEOUT, UNSUPPORTED_PLATFORM
 */
export async function loadChain(options: unknown): Promise<ChainChunk> {
  checkOptions(options);
  loaded = await loadChunk(() => import('./chain-chunk.ts'));
  loaded.requirePlatform();
  return loaded;
}

type ChainChunk = typeof import('./chain-chunk.ts');

let loaded: ChainChunk | undefined;

/** Checks the options of a call. Returns the chunk if it is loaded: even a wait for a loaded one can end the click's task. */
export function loadedChain(options: unknown): ChainChunk | undefined {
  checkOptions(options);
  loaded?.requirePlatform();
  return loaded;
}
