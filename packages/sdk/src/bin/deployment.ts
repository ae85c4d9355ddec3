/** The chain of a deployment file. */
import { readFile } from 'node:fs/promises';
import { type AccountKind, type AccountOf, programAddresses } from '@service/protocol';
import type { Config } from '@service/protocol/generated';
import { type Address, createSolanaRpc, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { parseDeployment } from '../deployment.ts';
import { machineClock } from '../lib/clock.ts';
import { readFinalAccount } from '../rpc/accounts.ts';
import { type Chain, checkGenesisHash } from '../rpc/chain-rpc.ts';
import { type Options, UsageError } from './options.ts';

/** Options of every command that reads the chain. */
export const CHAIN_OPTIONS = {
  deployment: 'the deployment.json that you pin',
  rpc: 'an RPC of its cluster that you trust; the default is that of the file',
};

/** A chain that was checked to be that of the deployment. */
export interface OpenChain extends Chain {
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
  // kit's URL type distinguishes clusters; here the genesis hash does.
  const rpc = createSolanaRpc(url as string);
  const chain = { deployment, rpc, clock: machineClock };
  await checkGenesisHash(chain);
  const at = programAddresses(deployment.program);
  const read = async <K extends AccountKind>(kind: K, address: Address): Promise<AccountOf<K>> => {
    const found = await readFinalAccount(chain, kind, address, undefined);
    if (found) return found.data;
    throw new UsageError(
      `The program ${deployment.program} has no ${kind} at ${address}, at finalized commitment.`,
    );
  };
  return { ...chain, at, read, config: await read('config', await at.config()) };
}
