/** The way to the part of the client that reads the chain and signs, which is a chunk of its own. */
import type { ProgramAddresses } from '@service/protocol';
import { loadPart } from '../lib/load-chunk.ts';
import type { ClientCore, ServiceCore } from './core.ts';

/** What the chunk holds. */
export type ChainPart = typeof import('./chain-chunk.ts');

/** The part, with the client's core that has an RPC. */
export interface LoadedChainPart extends ChainPart {
  readonly core: ClientCore;
  readonly addresses: ProgramAddresses;
}

/**
 * Loads the part at its first use, which for most clients is the sign-in: kit's codecs weigh more than all the rest of
 * the client, and a page that only lists rule sets needs none of them.
 *
 * @throws ServiceError NETWORK_ERROR when it cannot be loaded
 */
export async function loadChainPart(service: ServiceCore): Promise<LoadedChainPart> {
  const part = await loadPart(() => import('./chain-chunk.ts'));
  const core = part.withChain(service);
  return { ...part, core, addresses: part.programAddresses(core.deployment.program) };
}
