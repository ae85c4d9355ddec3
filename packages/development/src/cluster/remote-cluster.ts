/** A cluster that runs elsewhere, such as a test validator or devnet. */

import { holdsUser } from '@service/configuration';
import { genesisHashField, MAINNET_GENESIS_HASH, rpcUrlField } from '@service/contract';
import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { remoteKeys } from '../data-folder/remote-keys.ts';
import type { Cluster } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';
import { requestFromFaucet } from './faucet.ts';
import { createRemoteRpc, notAnRpc, type RemoteRpc, shown } from './remote-rpc.ts';

/** Options of a remote cluster. */
export interface RemoteClusterOptions {
  readonly url: string;
  /** Keeps the keys. Without a folder, each start makes new keys and deploys again. */
  readonly folder: DataFolder | null;
  readonly signal?: AbortSignal | undefined;
}

/** Several times the time to finality, which is 13 seconds with slots of 400 ms. */
const MAX_INDEX_LAG_SECONDS = 60;

/**
 * Connects to a remote cluster, and takes the stack's keys from the folder.
 *
 * @throws ClusterError; DataFolderError when the keys in the folder are damaged.
 */
export async function connectCluster(options: RemoteClusterOptions): Promise<Cluster> {
  const { url, folder, signal } = options;
  if (!z.safeParse(rpcUrlField, url).success || holdsUser(url)) {
    const message = '--rpc-url must be an http or https URL without a user name. Correct it.';
    throw new ClusterError('INVALID_URL', message);
  }
  const rpc = createRemoteRpc(url);
  const genesisHash = await readGenesisHash(rpc, options);
  if (genesisHash === MAINNET_GENESIS_HASH) {
    const message = `${shown(url)} is mainnet, where SOL has value. Pass the RPC of a development cluster, or use npx @service/cli deploy.`;
    throw new ClusterError('MAINNET', message);
  }
  const { keys, genesisHash: expected } = await remoteKeys(folder, genesisHash);
  if (genesisHash !== expected) {
    const message = `${folder?.path} belongs to the cluster ${expected}, but ${shown(url)} is the cluster ${genesisHash}. Correct --rpc-url, or name another folder with --data-dir.`;
    throw new ClusterError('OTHER_CLUSTER', message);
  }
  return {
    rpcUrl: url,
    genesisHash,
    keys,
    rpc,
    maxIndexLagSeconds: MAX_INDEX_LAG_SECONDS,
    fund: (address) => requestFromFaucet({ rpc, url, address, remedy: remedyFor(address, folder), signal }),
    close: async () => undefined,
  };
}

async function readGenesisHash(rpc: RemoteRpc, { url, signal }: RemoteClusterOptions): Promise<string> {
  const answer: unknown = await rpc
    .getGenesisHash()
    .send(signal ? { abortSignal: signal } : {})
    .catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error instanceof ClusterError ? error : notAnRpc(url, 'it does not know getGenesisHash', error);
    });
  const parsed = z.safeParse(genesisHashField, answer);
  if (parsed.success) return parsed.data;
  throw notAnRpc(url, 'its genesis hash is not valid');
}

/** What a person can do when the faucet gives nothing. */
function remedyFor(address: Address, folder: DataFolder | null): string {
  return folder
    ? `Send 2 SOL to ${address}, then start again with the same --data-dir.`
    : 'Use another cluster. Or pass --data-dir DIR, which keeps the keys, so that you can send SOL to them yourself.';
}
