/** Keys of the cache. Everything that belongs to a person has the wallet in its key. */
import type { Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import type { ServiceClient } from '../client/service-client.ts';
import type { CheckProofRequest } from '../preflight/proof-check-types.ts';
import type { CheckTransferRequest } from '../preflight/transfer-check-types.ts';
import type { ServiceQueryKey } from './shapes.ts';
import { witnessNumber } from './witness-number.ts';

/** Keys of one client's queries. A key without its last parts is a prefix for `invalidateQueries`. */
export interface ServiceQueryKeys {
  /** Begins every key of the deployment. */
  readonly all: ServiceQueryKey;
  /** The key of the session. */
  readonly session: ServiceQueryKey;
  /** The key of the network configuration. */
  readonly network: ServiceQueryKey;
  /** Begins the keys of all lists of rule sets. */
  readonly ruleSets: ServiceQueryKey;
  /** Begins every key that belongs to a person. */
  readonly people: ServiceQueryKey;
  /** Begins every key that belongs to one wallet. */
  wallet(wallet: Address | null | undefined): ServiceQueryKey;
  /** The key of a wallet's passport. */
  passport(wallet: Address | null | undefined): ServiceQueryKey;
  /** The key of the wait for a wallet's credential. */
  credential(wallet: Address | null | undefined, witness?: Witness | null): ServiceQueryKey;
  /** The key of a wallet's pass; without `rule`, begins the keys of all its passes. */
  pass(wallet: Address | null | undefined, rule?: Address | null): ServiceQueryKey;
  /** The key of a check of a proof; without `request`, begins the keys of all of them. */
  proofCheck(wallet: Address | null | undefined, request?: Partial<CheckProofRequest>): ServiceQueryKey;
  /** The key of a check of a transfer; without `request`, begins the keys of all of them. */
  transferCheck(wallet: Address | null | undefined, request?: CheckTransferRequest | null): ServiceQueryKey;
  /** The key of the wait for an operation. */
  operation(
    wallet: Address | null | undefined,
    operationId: string | null | undefined,
    which?: Readonly<Record<string, unknown>>,
  ): ServiceQueryKey;
  /** The key of the receipt of an operation. */
  receipt(
    wallet: Address | null | undefined,
    operationId: string | null | undefined,
    which?: Readonly<Record<string, unknown>>,
  ): ServiceQueryKey;
}

/**
 * Returns the keys of a client's queries. Pass one to `invalidateQueries` or `removeQueries`.
 *
 * @example
 * await queryClient.invalidateQueries({ queryKey: serviceQueryKeys(client).passport(wallet.address) });
 */
export function serviceQueryKeys({ deployment }: Pick<ServiceClient, 'deployment'>): ServiceQueryKeys {
  const all = ['service', deployment.genesisHash, deployment.program] as const;
  const people = [...all, 'wallet'] as const;
  const ofWallet = (wallet: Address | null | undefined, ...rest: unknown[]): ServiceQueryKey => [
    ...people,
    wallet ?? null,
    ...rest,
  ];
  return {
    all,
    session: [...all, 'session'],
    network: [...all, 'network'],
    ruleSets: [...all, 'ruleSets'],
    people,
    wallet: (wallet) => ofWallet(wallet),
    passport: (wallet) => ofWallet(wallet, 'passport'),
    credential: (wallet, witness) => ofWallet(wallet, 'credential', witness ? witnessNumber(witness) : null),
    pass: (wallet, rule) => ofWallet(wallet, 'pass', ...(rule === undefined ? [] : [rule])),
    proofCheck: (wallet, request) =>
      ofWallet(wallet, 'proofCheck', ...(request === undefined ? [] : [proofPart(request)])),
    transferCheck: (wallet, request) =>
      ofWallet(wallet, 'transferCheck', ...(request === undefined ? [] : [request && transferPart(request)])),
    operation: (wallet, operationId, which = {}) =>
      ofWallet(wallet, 'operation', operationId ?? null, asText(which)),
    receipt: (wallet, operationId, which = {}) =>
      ofWallet(wallet, 'receipt', operationId ?? null, asText(which)),
  };
}

/** Names the fields one by one, so that no witness gets into a key under another name. */
function proofPart({ rule, witness, expiresAt, replaces }: Partial<CheckProofRequest>) {
  return {
    ...asText({ rule: rule ?? null, expiresAt, replaces }),
    witness: witness ? witnessNumber(witness) : null,
  };
}

function transferPart({ mint, source, destination, amount }: CheckTransferRequest) {
  return asText({ mint, source, destination, amount });
}

/** Returns the fields that have a value, with bigints as text: TanStack makes JSON of a key, which has no bigint. */
function asText(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, typeof value === 'bigint' ? String(value) : value]),
  );
}
