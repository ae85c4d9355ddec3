/** Reads single accounts and the chain's clock through the caller's own RPC. */
import {
  type AccountKind,
  type AccountOf,
  CLOCK_SYSVAR,
  type Found,
  passFundsOf,
  readAccount,
  rentOf,
} from '@service/protocol';
import {
  type Address,
  type Commitment,
  type EncodedAccount,
  fetchEncodedAccount,
  fetchEncodedAccounts,
  getI64Decoder,
  getU64Decoder,
  type MaybeEncodedAccount,
} from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { type Chain, callRpc, type OwnRpc, readerOf } from './chain.ts';

/**
 * Returns an account at finalized commitment, or null if there is no account of that kind.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export function readFinalAccount<K extends AccountKind>(
  chain: Chain,
  kind: K,
  address: Address,
  signal: AbortSignal | undefined,
): Promise<Found<AccountOf<K>> | null> {
  const what = `Reading the ${kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
  return callRpc(chain, what, signal, (_rpc, options) =>
    readAccount(readerOf(chain, options), kind, address),
  );
}

/**
 * Reads accounts in one request, and returns what `read` makes of them. An error of `read` counts as one of the RPC.
 *
 * @throws ServiceError RPC_ERROR, ABORTED, those of `read`
 */
export function readTogether<T>(
  chain: Chain,
  addresses: readonly Address[],
  options: {
    readonly what: string;
    readonly commitment: Commitment;
    readonly signal: AbortSignal | undefined;
  },
  read: (accounts: readonly MaybeEncodedAccount[]) => T,
): Promise<T> {
  const { what, commitment, signal } = options;
  return callRpc(chain, what, signal, async (rpc, { abortSignal }) =>
    read(await fetchEncodedAccounts(rpc, [...addresses], { commitment, abortSignal })),
  );
}

/** The most accounts that RPCs return at once. */
const MOST_ACCOUNTS = 100;

/** Reads accounts at finalized commitment, in as few requests as RPCs allow. Throws ServiceError RPC_ERROR, ABORTED. */
export async function readFinalAccounts(
  chain: Chain,
  addresses: readonly Address[],
  options: { readonly what: string; readonly signal: AbortSignal | undefined },
): Promise<MaybeEncodedAccount[]> {
  const reading = { ...options, commitment: 'finalized' } as const;
  const found: MaybeEncodedAccount[] = [];
  for (let from = 0; from < addresses.length; from += MOST_ACCOUNTS) {
    const some = addresses.slice(from, from + MOST_ACCOUNTS);
    found.push(...(await readTogether(chain, some, reading, (accounts) => accounts)));
  }
  return found;
}

/** Returns the pass funds of a rule set, in lamports, by the account of the rent sysvar. Throws without the rent. */
export function passFundsBy(
  sysvar: MaybeEncodedAccount | undefined,
  ruleSet: Found<AccountOf<'ruleSet'>>,
): bigint {
  return passFundsOf(ruleSet, rentOf(sysvar)(ruleSet.space));
}

/** Returns the error for an account that the caller's RPC does not have at finalized commitment. */
export function accountNotFound(what: string, address: Address): ServiceError {
  return new ServiceError('ACCOUNT_NOT_FOUND', {
    message: `Your own RPC has no ${what} at ${address}, at finalized commitment. Check the address and the deployment. Nothing was signed.`,
    context: { address },
  });
}

/**
 * Returns the chain's time in Unix seconds at the newest confirmed slot. A transaction sent now runs a little later.
 *
 * @throws ServiceError RPC_ERROR, ABORTED, ACCOUNT_NOT_FOUND
 */
export async function readChainTime(own: OwnRpc, signal: AbortSignal | undefined): Promise<bigint> {
  const account = await callRpc(own, 'Reading the clock', signal, (rpc, options) =>
    fetchEncodedAccount(rpc as never, CLOCK_SYSVAR, { commitment: 'confirmed', ...options }),
  );
  return clockOf(account);
}

const CLOCK_SIZE = 40;
const EPOCH_OFFSET = 16;
const UNIX_TIMESTAMP_OFFSET = 32;

/** Returns the time of the Clock sysvar in Unix seconds. Throws ServiceError ACCOUNT_NOT_FOUND if it is another account. */
export function clockOf(account: EncodedAccount | { exists: false }): bigint {
  if ('data' in account && account.data.length === CLOCK_SIZE) {
    const time = getI64Decoder().decode(account.data, UNIX_TIMESTAMP_OFFSET);
    // No cluster has another time, and a Date could not show it.
    if (time > 0n && time < 1n << 32n) return time;
  }
  throw new ServiceError('ACCOUNT_NOT_FOUND', {
    message: `There is no clock at ${CLOCK_SYSVAR} on your own RPC. Check rpcUrl of the deployment.`,
    context: { address: CLOCK_SYSVAR },
  });
}

/** Returns the slot of the Clock sysvar. Throws ServiceError ACCOUNT_NOT_FOUND if it is another account. */
export function slotOf(account: EncodedAccount | { exists: false }): bigint {
  clockOf(account);
  return getU64Decoder().decode((account as EncodedAccount).data);
}

/** Returns the epoch of the Clock sysvar. Throws ServiceError ACCOUNT_NOT_FOUND if it is another account. */
export function epochOf(account: EncodedAccount | { exists: false }): bigint {
  clockOf(account);
  return getU64Decoder().decode((account as EncodedAccount).data, EPOCH_OFFSET);
}
