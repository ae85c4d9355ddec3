/** Reads single accounts through the caller's own RPC. */
import {
  type AccountKind,
  type AccountOf,
  type Found,
  passFundsOf,
  readAccount,
  rentOf,
} from '@service/protocol';
import { type Address, type Commitment, fetchEncodedAccounts, type MaybeEncodedAccount } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { type Chain, callRpc, readerOf } from './chain.ts';

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
