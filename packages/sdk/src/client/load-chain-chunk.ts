/** Loads the chunk that reads the chain and signs. Nothing in that chunk may import this file. */
import type { ProgramAddresses } from '@service/protocol';
import { loadChunk } from '../lib/load-chunk.ts';
import type { ClientCore, ServiceCore } from './core.ts';

/** The exports of the chunk. */
export type ChainChunk = typeof import('./chain-chunk.ts');

/** The exports of the chunk, and the client's core with an RPC to call them with. */
export interface LoadedChain extends ChainChunk {
  readonly core: ClientCore;
  readonly addresses: ProgramAddresses;
}

/**
 * Loads the chunk when it is first used, which is the sign-in for most clients. Kit's codecs are larger than the rest of
 * the client, and a page that only lists rule sets does not need them.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT
 */
export function loadChainChunk(): Promise<ChainChunk> {
  return loadChunk(() => import('./chain-chunk.ts'));
}

/** Loads the chunk for a client. Throws ServiceError NETWORK_ERROR, TIMEOUT. */
export async function loadChainFor(service: ServiceCore): Promise<LoadedChain> {
  const chunk = await loadChainChunk();
  const core = chunk.withRpc(service);
  return { ...chunk, core, addresses: chunk.programAddresses(core.deployment.program) };
}

/** Loads the chunk for a client, and calls a function with it. Throws what the two throw. */
export async function withChain<T>(
  service: ServiceCore,
  call: (chain: LoadedChain) => Promise<T>,
): Promise<T> {
  return call(await loadChainFor(service));
}
