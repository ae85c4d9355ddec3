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
  Record<
    ServiceWrite,
    (keys: ServiceQueryKeys, wallet: Address | null, holder?: Address) => readonly ServiceQueryKey[]
  >
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
  RECOVER: checks,
  REDEEM: checks,
  SUSPEND: ofHolder,
  GRANT: ofHolder,
};

/** The creator of a rule set changes the pass of a holder, and how many passes are live. */
function ofHolder(
  keys: ServiceQueryKeys,
  wallet: Address | null,
  holder?: Address,
): readonly ServiceQueryKey[] {
  const own = [keys.ruleSets, keys.passport(wallet), ...checks(keys, wallet)];
  return holder ? [...own, keys.passport(holder), keys.pass(holder), ...checks(keys, holder)] : own;
}

/** Every write changes how much SOL the wallet has, on which all checks depend. */
function checks(keys: ServiceQueryKeys, wallet: Address | null): readonly ServiceQueryKey[] {
  return [keys.proofCheck(wallet), keys.transferCheck(wallet)];
}

/**
 * Returns the beginnings of the keys that a write makes stale, whether it succeeds or throws: after OUTCOME_UNKNOWN it can
 * have happened. Pass the holder of a SUSPEND or GRANT too. The hooks of `@service/sdk/react` use them.
 */
export function keysStaleAfter(
  client: Pick<ServiceClient, 'deployment'>,
  write: ServiceWrite,
  wallet: Address | null | undefined,
  holder?: Address,
): readonly ServiceQueryKey[] {
  return STALE[write](serviceQueryKeys(client), wallet ?? null, holder);
}

/**
 * Invalidates what a write makes stale. Call it when a mutation settles, with the holder of a SUSPEND or GRANT.
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
  holder?: Address,
): Promise<void> {
  const keys = keysStaleAfter(client, write, wallet, holder);
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
