/** Queries of what belongs to one wallet. The wallet is in each key, so that no person sees what another one fetched. */
import type { Passport } from '@service/contract';
import type { Address } from '@solana/kit';
import type { ServiceClient } from '../client/service-client.ts';
import { ServiceError } from '../errors.ts';
import type { CheckProofRequest, ProofCheck } from '../preflight/proof-check-types.ts';
import type { CheckTransferRequest, TransferCheck } from '../preflight/transfer-check-types.ts';
import type { PassLife } from '../rpc/pass-life.ts';
import { serviceQueryKeys } from './keys.ts';
import { missing } from './missing.ts';
import { retry } from './retry.ts';
import type { ServiceQueryOptions } from './shapes.ts';

/** Whose data a query is about. */
export interface WalletQuery {
  /** Base58 address. While it is missing, the query is disabled. */
  readonly wallet: Address | null | undefined;
}

/**
 * Queries the passport of the signed-in wallet: `client.passport` (SPEC.md section 4). Throws WALLET_MISMATCH if
 * another wallet is signed in, such as after a sign-in in another tab. So it never has the data of another person.
 *
 * @example
 * const { data: passport } = useQuery(passportQueryOptions(client, { wallet: wallet.address }));
 */
export function passportQueryOptions(
  client: ServiceClient,
  { wallet }: WalletQuery,
): ServiceQueryOptions<Passport> {
  return {
    queryKey: serviceQueryKeys(client).passport(wallet),
    queryFn: async ({ signal }) => {
      if (!wallet) throw missing('wallet', 'Sign in first, then pass the address of the wallet.');
      const passport = await client.passport({ signal });
      if (passport.wallet === wallet) return passport;
      throw new ServiceError('WALLET_MISMATCH', {
        message: `The service returned the passport of ${passport.wallet}, not of ${wallet}. Sign in with ${wallet}, or show the other wallet.`,
        context: { expected: wallet, received: passport.wallet },
      });
    },
    retry,
    staleTime: 10_000,
    enabled: Boolean(wallet),
    meta: { personal: true },
  };
}

/** The pass to query. */
export interface PassQuery extends WalletQuery {
  /** Base58 address of the rule set. While it is missing, the query is disabled. */
  readonly rule: Address | null | undefined;
}

/**
 * Queries the pass of any wallet for a rule set and the seconds left of it, or null if it has none. Your own RPC answers,
 * at finalized commitment (SPEC.md section 2).
 */
export function passQueryOptions(
  client: ServiceClient,
  { rule, wallet }: PassQuery,
): ServiceQueryOptions<PassLife | null> {
  return {
    queryKey: serviceQueryKeys(client).pass(wallet, rule ?? null),
    queryFn: async ({ signal }) => {
      if (!wallet) throw missing('wallet', 'Pass the address of a wallet.');
      if (!rule) throw missing('rule', 'Pass the address of a rule set.');
      return (await client.checkProof({ rule }, { wallet, signal })).pass;
    },
    retry,
    staleTime: 10_000,
    enabled: Boolean(wallet && rule),
    meta: { personal: true },
  };
}

/** The proof to check, whose rule set may not be known yet. */
export type ProofCheckQuery = Omit<CheckProofRequest, 'rule' | 'witness'> & {
  /** Base58 address of the rule set. While it is missing, the query is disabled. */
  readonly rule: Address | null | undefined;
  /** Checked on this machine only. It is not in the key. */
  readonly witness?: CheckProofRequest['witness'] | null;
};

/**
 * Queries whether a proof would open a pass now, and what is missing: `client.checkProof` (SPEC.md sections 1 and 7). The
 * result with a witness says what the person lacks, so show it to the person only. It is dropped as soon as it is unused.
 *
 * @param options.wallet the wallet that would prove. @default the signed-in wallet
 */
export function proofCheckQueryOptions(
  client: ServiceClient,
  { rule, witness, expiresAt, replaces }: ProofCheckQuery,
  options: Partial<WalletQuery> = {},
): ServiceQueryOptions<ProofCheck> {
  const wallet = walletOf(client, options);
  const given = { expiresAt, replaces, ...(witness ? { witness } : {}) };
  return {
    queryKey: serviceQueryKeys(client).proofCheck(wallet, { ...(rule ? { rule } : {}), ...given }),
    queryFn: async ({ signal }) => {
      if (!wallet) throw missing('wallet', 'Sign in first, or pass the address of a wallet.');
      if (!rule) throw missing('rule', 'Pass the address of a rule set.');
      return client.checkProof({ rule, ...given }, { wallet, signal });
    },
    retry,
    staleTime: 5_000,
    enabled: Boolean(wallet && rule),
    meta: { personal: true },
    ...(witness ? { gcTime: 0 } : {}),
  };
}

/**
 * Queries whether a transfer would pass now, or an issue if `source` is left out: `client.checkTransfer` (SPEC.md section
 * 1). Amount in base units. The query is disabled while the request or the wallet is missing.
 *
 * @param options.wallet the wallet that would sign. @default the signed-in wallet
 */
export function transferCheckQueryOptions(
  client: ServiceClient,
  request: CheckTransferRequest | null | undefined,
  options: Partial<WalletQuery> = {},
): ServiceQueryOptions<TransferCheck> {
  const wallet = walletOf(client, options);
  return {
    queryKey: serviceQueryKeys(client).transferCheck(wallet, request ?? null),
    queryFn: async ({ signal }) => {
      if (!wallet)
        throw missing('wallet', 'Sign in first, or pass the address of the wallet that would sign.');
      if (!request) throw missing('request', 'Pass an object: { mint, source, destination, amount }.');
      return client.checkTransfer(request, { wallet, signal });
    },
    retry,
    staleTime: 5_000,
    enabled: Boolean(wallet && request),
    meta: { personal: true },
  };
}

/** Returns the wallet of the options or, without that option, the signed-in one. The key then has what the call uses. */
function walletOf(client: ServiceClient, options: Partial<WalletQuery>): Address | null {
  return ('wallet' in options ? options.wallet : client.getSnapshot().wallet) ?? null;
}
