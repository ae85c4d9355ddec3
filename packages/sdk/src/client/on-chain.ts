/** The way to the part of the client that reads the chain and signs, which is a chunk of its own. */
import type { ProgramAddresses } from '@service/protocol';
import { ServiceError } from '../errors.ts';
import type { ClientCore, ServiceCore } from './core.ts';

/** What the chunk holds. */
export type ChainPart = typeof import('./chain-part.ts');

/** The part, with the client's core that has an RPC. */
export interface OnChain extends ChainPart {
  readonly core: ClientCore;
  readonly addresses: ProgramAddresses;
}

/**
 * Loads the part at its first use, which for most clients is the sign-in: kit's codecs weigh more than all the rest of
 * the client, and a page that only lists rule sets needs none of them.
 *
 * @throws ServiceError NETWORK_ERROR when it cannot be loaded
 */
export async function onChain(service: ServiceCore): Promise<OnChain> {
  const part = await loaded(() => import('./chain-part.ts'));
  const core = part.withChain(service);
  return { ...part, core, addresses: part.programAddresses(core.deployment.program) };
}

async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new ServiceError('NETWORK_ERROR', {
      message:
        'A part of the SDK could not be loaded from your site. Check the connection, and reload the page if the site was updated. Nothing was signed.',
      context: {},
      cause,
    });
  }
}
