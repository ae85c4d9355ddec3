/** Reads what a transfer depends on, from the caller's own RPC. */
import {
  type AccountOf,
  decodeAccount,
  type Found,
  type Funds,
  type Intent,
  isMintPaused,
  programAddresses,
  readAccounts,
} from '@service/protocol';
import type { Address } from '@solana/kit';
import { readTogether } from '../rpc/accounts.ts';
import { type Chain, callRpc, readerOf } from '../rpc/chain.ts';
import { fundsQueryOf } from '../rpc/funds.ts';
import { readChainTime } from '../rpc/pass-life.ts';
import type { CheckTransferRequest } from './transfer-check-types.ts';

/** A token account, or null if there is none. */
export type TokenAccount = Found<AccountOf<'tokenAccount'>> | null;
type FoundPass = Found<AccountOf<'pass'>> | null;

/** The accounts of a transfer at finalized commitment; null for each that does not exist. */
export interface TransferState {
  readonly config: Found<AccountOf<'config'>> | null;
  readonly binding: Found<AccountOf<'mintBinding'>> | null;
  /** Whether the issuer paused the mint. */
  readonly isMintPaused: boolean;
  /** Address of the rule set that the mint is bound to. */
  readonly rule: Address | null;
  readonly destination: TokenAccount;
  /** Null also for an issue, which has no source. */
  readonly source: TokenAccount;
  readonly destinationPass: FoundPass;
  readonly sourcePass: FoundPass;
  /** What the wallet that would sign has and needs; null if it is not known. */
  readonly funds: Funds | null;
  /** Unix seconds. */
  readonly chainTime: bigint;
}

/** Reads the accounts of a transfer, then the passes of their owners. Throws ServiceError RPC_ERROR, ABORTED. */
export async function readTransferState(
  chain: Chain,
  request: CheckTransferRequest,
  { wallet, signal }: { readonly wallet: Address | undefined; readonly signal: AbortSignal | undefined },
): Promise<TransferState> {
  const { program } = chain.deployment;
  const at = programAddresses(program);
  const { mint, source, destination } = request;
  const query = wallet && (await fundsQueryOf(chain, { intent: intentOf(wallet, request) }));
  const [config, binding] = await Promise.all([at.config(), at.mintBinding(mint)]);
  // An issue has no source. Then the destination is read twice, and the second result is not used.
  const all = [config, binding, mint, destination, source ?? destination, ...(query ? query.addresses : [])];
  const reading = { what: 'Reading the accounts of the transfer', commitment: 'finalized', signal } as const;
  const [chainTime, accounts] = await Promise.all([
    readChainTime(chain, signal),
    readTogether(chain, all, reading, ([config, binding, found, receiving, sending, ...paying]) => ({
      config: decodeAccount(program, 'config', config!),
      binding: decodeAccount(program, 'mintBinding', binding!),
      mint: decodeAccount(program, 'mint', found!)?.data ?? null,
      destination: decodeAccount(program, 'tokenAccount', receiving!),
      source: source ? decodeAccount(program, 'tokenAccount', sending!) : null,
      funds: query ? query.fundsOf(paying) : null,
    })),
  ]);
  const rule = (accounts.mint && accounts.binding?.data.rule) || null;
  const isPaused = accounts.mint !== null && isMintPaused(accounts.mint);
  const owners = [accounts.destination, accounts.source];
  const [destinationPass = null, sourcePass = null] = await readPasses(chain, rule, owners, signal);
  return { ...accounts, isMintPaused: isPaused, rule, destinationPass, sourcePass, chainTime };
}

function intentOf(wallet: Address, { mint, source, destination, amount }: CheckTransferRequest): Intent {
  const asked = { wallet, mint, destination, amount };
  return source ? { kind: 'TRANSFER', source, ...asked } : { kind: 'ISSUE', ...asked };
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
