/** Reads single accounts through the caller's own RPC. */
import { type AccountKind, type AccountOf, type Found, passFundsOf, readAccount } from '@service/protocol';
import type { Address } from '@solana/kit';
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
 * Returns the pass funds of a rule set, in lamports: its balance above its rent and its uncollected fees.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export function readPassFunds(
  chain: Chain,
  ruleSet: Found<AccountOf<'ruleSet'>>,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  return callRpc(chain, 'Reading the rent of a rule set', signal, async (rpc, options) => {
    const rent = await rpc.getMinimumBalanceForRentExemption(ruleSet.space).send(options);
    return passFundsOf(ruleSet, rent);
  });
}

/** Returns the error for an account that the caller's RPC does not have at finalized commitment. */
export function accountNotFound(what: string, address: Address): ServiceError {
  return new ServiceError('ACCOUNT_NOT_FOUND', {
    message: `Your own RPC has no ${what} at ${address}, at finalized commitment. Check the address and the deployment. Nothing was signed.`,
    context: { address },
  });
}
