import type { Witness } from '@service/contract';
import { placeTakeableAt } from '@service/protocol';
import type { Address } from '@solana/kit';
import { type FoundPlace, readPlaces } from '../eligibility/places.ts';
import { parseWitness } from '../eligibility/witness.ts';
import { accountNotFound, readFinalAccount } from '../rpc/accounts.ts';
import { type ChainOptions, chainWith } from './options.ts';

/** A place of a person in a rule set that limits the wallets of each person (SPEC.md section 2). */
export interface FetchedPlace {
  /** Its number, from 0. */
  readonly place: number;
  /** Base58 address of the wallet that holds it; null if it is free. */
  readonly wallet: Address | null;
  /** Unix seconds since when the wallet holds it; null if it is free. */
  readonly since: bigint | null;
  /** Unix seconds from which another wallet of the person can replace it; null if it is free. */
  readonly replaceableAt: bigint | null;
}

/** Options of {@link fetchPlaces}. */
export interface FetchPlacesOptions extends ChainOptions {
  /** Base58 address of the rule set. */
  readonly rule: Address;
  /** A witness of the person, of any of the person's wallets. It stays on this machine. */
  readonly witness: Witness;
}

/**
 * Returns the places of a person in a rule set, in the order of their numbers; an empty list if the rule set does not limit
 * the wallets of a person. Asks the RPC for one place in each request, in a random order, so that no request names two places
 * of the person. The RPC can still join requests by their time and network address. The result shows which wallets are of one person: never send or log it (SPEC.md section 2).
 *
 * @throws ServiceError INVALID_ARGUMENT, WITNESS_INVALID, ACCOUNT_NOT_FOUND if there is no such rule set, RPC_ERROR,
 *   NETWORK_ERROR or TIMEOUT of the prover's code, ABORTED
 * @example
 * const places = await fetchPlaces({ deployment, rule, witness });
 * const used = places.filter(({ wallet }) => wallet !== null).length;
 * console.log(`${used} of ${places.length} wallets`);
 */
export async function fetchPlaces(options: FetchPlacesOptions): Promise<readonly FetchedPlace[]> {
  const chain = chainWith(options, ['rule']);
  const { rule, signal } = options;
  const witness = parseWitness(options.witness);
  const ruleSet = await readFinalAccount(chain, 'ruleSet', rule, signal);
  if (!ruleSet) throw accountNotFound('rule set of this program', rule);
  const places: FetchedPlace[] = [];
  for await (const found of readPlaces(
    chain,
    { rule, count: ruleSet.data.walletsPerPerson, witness },
    signal,
  ))
    places.push(fetchedPlaceOf(found));
  return places.sort((one, other) => one.place - other.place);
}

const fetchedPlaceOf = ({ place, held }: FoundPlace): FetchedPlace => ({
  place: place.number,
  wallet: held?.wallet ?? null,
  since: held?.since ?? null,
  replaceableAt: held && placeTakeableAt(held),
});
