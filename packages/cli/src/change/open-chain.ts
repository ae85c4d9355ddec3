/** The chain of a deployment file. */
import { readFile } from 'node:fs/promises';
import { createRetryingRpc } from '@service/deploy';
import { type AccountKind, type AccountOf, programAddresses, readAccount } from '@service/protocol';
import type { Config } from '@service/protocol/generated';
import { type Deployment, parseDeployment, ServiceError } from '@service/sdk';
import type { Address, Rpc, SolanaRpcApi } from '@solana/kit';
import { type Options, UsageError } from '../options.ts';
import { callRpc } from './call-rpc.ts';

/** Options of every command that reads the chain. */
export const CHAIN_OPTIONS = {
  deployment: 'the deployment.json that you pin',
  rpc: 'an RPC of its cluster that you trust; the default is that of the file',
};

/** A chain that was checked to be that of the deployment. */
export interface OpenChain {
  readonly deployment: Deployment;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly at: ReturnType<typeof programAddresses>;
  readonly config: Config;
  /** Returns an account of the program. Throws UsageError if there is none at the address. */
  read<K extends AccountKind>(kind: K, address: Address): Promise<AccountOf<K>>;
}

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `The file ${file} is not JSON. Pass the path of a deployment.json with --deployment.`,
    );
  }
}

/**
 * Reads the deployment file and Config.
 *
 * @throws UsageError, and ServiceError INVALID_ARGUMENT, GENESIS_HASH_MISMATCH, RPC_ERROR
 */
export async function openChain(options: Options): Promise<OpenChain> {
  const file = options.text('deployment');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(
      `The file ${file} cannot be read. Pass the path of a deployment.json with --deployment.`,
    );
  });
  const deployment = parseDeployment(jsonOf(file, text));
  const url = options.has('rpc') ? options.text('rpc') : deployment.rpcUrl;
  if (!/^https?:\/\//.test(url)) throw new UsageError('--rpc must be an http or https URL.');
  const rpc: Rpc<SolanaRpcApi> = createRetryingRpc(url);
  await assertCluster(rpc, deployment);
  const { program } = deployment;
  const at = programAddresses(program);
  const read = async <K extends AccountKind>(kind: K, address: Address): Promise<AccountOf<K>> => {
    const found = await callRpc(`Reading the ${kind}`, ({ abortSignal: signal }) =>
      readAccount({ rpc, program, commitment: 'finalized', signal }, kind, address),
    );
    if (found) return found.data;
    throw new UsageError(`The program ${program} has no ${kind} at ${address}, at finalized commitment.`);
  };
  return { deployment, rpc, at, read, config: await read('config', await at.config()) };
}

/** Throws ServiceError GENESIS_HASH_MISMATCH if the RPC belongs to another cluster than the deployment. */
async function assertCluster(rpc: Rpc<SolanaRpcApi>, { genesisHash: expected }: Deployment): Promise<void> {
  const received = await callRpc('getGenesisHash', (options) => rpc.getGenesisHash().send(options));
  if (received === expected) return;
  throw new ServiceError('GENESIS_HASH_MISMATCH', {
    message: `The RPC belongs to the cluster ${received}, but the deployment to ${expected}. Pass an RPC of the deployment's cluster with --rpc. Nothing was signed.`,
    context: { source: 'rpc', expected, received },
  });
}
