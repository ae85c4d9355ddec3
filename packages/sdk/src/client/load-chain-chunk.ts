/** Loads the chunk that reads the chain and signs. Nothing in that chunk may import this file. */
import type { ProgramAddresses } from '@service/protocol';
import { checkOptions } from '../lib/check-arguments.ts';
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
  const core = service;
  return { ...chunk, core, addresses: chunk.programAddresses(core.deployment.program) };
}

/** Names of the functions that take a client's core, arguments of the caller, and options. */
type ChainCall = {
  [N in keyof ChainChunk]: ChainChunk[N] extends (core: ClientCore, ...given: never) => Promise<unknown>
    ? N
    : never;
}[keyof ChainChunk];

/** The arguments of the caller, with the options at the end. */
type Given<N extends ChainCall> = Parameters<ChainChunk[N]> extends [unknown, ...infer G] ? G : never;

/**
 * Checks the options, loads the chunk for a client, and calls one of its functions.
 *
 * @throws ServiceError INVALID_ARGUMENT, and what the two throw
 */
export async function callChain<N extends ChainCall>(
  service: ServiceCore,
  name: N,
  ...given: Given<N>
): Promise<Awaited<ReturnType<ChainChunk[N]>>> {
  checkOptions(given.at(-1));
  const chain = await loadChainFor(service);
  const call: unknown = chain[name];
  return (call as (core: ClientCore, ...given: Given<N>) => never)(chain.core, ...given);
}
