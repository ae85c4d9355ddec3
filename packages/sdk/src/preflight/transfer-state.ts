/** Reads what a transfer depends on, from the caller's own RPC. */
import { type AccountOf, type Found, programAddresses, readAccounts } from '@service/protocol';
import type { Address } from '@solana/kit';
import { type Chain, callRpc, readerOf } from '../rpc/chain.ts';
import { readChainTime } from '../rpc/pass-life.ts';
import type { CheckTransferRequest } from './transfer-check-types.ts';

/** A token account, or null if there is none. */
export type TokenAccount = Found<AccountOf<'tokenAccount'>> | null;
type FoundPass = Found<AccountOf<'pass'>> | null;

/** The accounts of a transfer at finalized commitment; null for each that does not exist. */
export interface TransferState {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly binding: Found<AccountOf<'mintBinding'>> | null;
  /** Address of the rule set that the mint is bound to. */
  readonly rule: Address | null;
  readonly destination: TokenAccount;
  /** Null also for an issue, which has no source. */
  readonly source: TokenAccount;
  readonly destinationPass: FoundPass;
  readonly sourcePass: FoundPass;
  /** Unix seconds. */
  readonly chainTime: bigint;
}

/** Reads the accounts of a transfer, then the passes of their owners. Throws ServiceError RPC_ERROR, ABORTED. */
export async function readTransferState(
  chain: Chain,
  request: CheckTransferRequest,
  signal: AbortSignal | undefined,
): Promise<TransferState> {
  const { mint } = request;
  const at = programAddresses(chain.deployment.program);
  const [configAddress, bindingAddress] = await Promise.all([at.config(), at.mintBinding(mint)]);
  const [config, binding, found, destination, sending] = await callRpc(
    chain,
    'Reading the accounts of the transfer',
    signal,
    (_rpc, options) =>
      readAccounts(readerOf(chain, options), [
        ['config', configAddress],
        ['mintBinding', bindingAddress],
        ['mint', mint],
        ['tokenAccount', request.destination],
        // An issue has no source. Then the destination is read twice, and the second result is not used.
        ['tokenAccount', request.source ?? request.destination],
      ]),
  );
  const source = request.source ? sending : null;
  const rule = (found && binding?.data.rule) ?? null;
  const [chainTime, [destinationPass = null, sourcePass = null]] = await Promise.all([
    readChainTime(chain, signal),
    readPasses(chain, rule, [destination, source], signal),
  ]);
  return { config, binding, rule, destination, source, destinationPass, sourcePass, chainTime };
}

/** Reads the owners' passes for the rule set, in order; null for each that does not exist. */
async function readPasses(
  chain: Chain,
  rule: Address | null,
  accounts: readonly TokenAccount[],
  signal: AbortSignal | undefined,
): Promise<FoundPass[]> {
  if (!rule) return accounts.map(() => null);
  const at = programAddresses(chain.deployment.program);
  const addresses = await Promise.all(
    accounts.map((account) => (account ? at.pass(rule, account.data.owner) : null)),
  );
  const wanted = addresses.filter((address) => address !== null);
  const found = await callRpc(chain, 'Reading the passes', signal, (_rpc, options) =>
    readAccounts(
      readerOf(chain, options),
      wanted.map((address) => ['pass', address] as const),
    ),
  );
  return addresses.map((address) => (address ? (found[wanted.indexOf(address)] ?? null) : null));
}
