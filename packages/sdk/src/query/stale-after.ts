/** The data that a write makes stale. */
import type { OperationKind } from '@service/contract';
import type { Address } from '@solana/kit';
import type { ServiceClient } from '../client/service-client.ts';
import { type ServiceQueryKeys, serviceQueryKeys } from './keys.ts';
import type { InvalidatingClient, ServiceQueryKey } from './shapes.ts';

/** The calls after which data in the cache is stale; a write has the kind of its operation. */
export type ServiceWrite =
  | 'authenticate'
  | 'logout'
  | 'startVerification'
  | 'waitForCredential'
  | OperationKind;

const STALE: Readonly<
  Record<ServiceWrite, (keys: ServiceQueryKeys, wallet: Address | null) => readonly ServiceQueryKey[]>
> = {
  authenticate: (keys, wallet) => [keys.session, keys.wallet(wallet)],
  logout: (keys, wallet) => [keys.session, keys.wallet(wallet)],
  startVerification: (keys, wallet) => [keys.passport(wallet)],
  waitForCredential: (keys, wallet) => [keys.passport(wallet), keys.proofCheck(wallet)],
  CREATE_RULE_SET: (keys, wallet) => [keys.ruleSets, keys.passport(wallet), ...checks(keys, wallet)],
  BIND_MINT: (keys, wallet) => [keys.passport(wallet), ...checks(keys, wallet)],
  PROVE: (keys, wallet) => [keys.ruleSets, keys.passport(wallet), keys.pass(wallet), ...checks(keys, wallet)],
  ISSUE: checks,
  TRANSFER: checks,
};

/** Every write changes how much SOL the wallet has, on which all checks depend. */
function checks(keys: ServiceQueryKeys, wallet: Address | null): readonly ServiceQueryKey[] {
  return [keys.proofCheck(wallet), keys.transferCheck(wallet)];
}

/**
 * Returns the beginnings of the keys that a write makes stale, whether it succeeds or throws: after OUTCOME_UNKNOWN it can
 * have happened. The hooks of `@service/sdk/react` use them.
 */
export function keysStaleAfter(
  client: Pick<ServiceClient, 'deployment'>,
  write: ServiceWrite,
  wallet: Address | null | undefined,
): readonly ServiceQueryKey[] {
  return STALE[write](serviceQueryKeys(client), wallet ?? null);
}

/**
 * Invalidates what a write makes stale. Call it when a mutation settles.
 *
 * @example
 * useMutation({
 *   ...transferMutationOptions(client, wallet),
 *   onSettled: () => invalidateAfter(queryClient, client, 'TRANSFER', wallet.address),
 * });
 */
export async function invalidateAfter(
  queryClient: InvalidatingClient,
  client: Pick<ServiceClient, 'deployment'>,
  write: ServiceWrite,
  wallet: Address | null | undefined,
): Promise<void> {
  const keys = keysStaleAfter(client, write, wallet);
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
