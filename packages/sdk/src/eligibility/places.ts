/** Finds the places of a person in a rule set that limits the wallets of each person. */
import type { Witness } from '@service/contract';
import {
  type AccountOf,
  isSuspended,
  MOST_BUMP_MISSES,
  placeTakeableAt,
  programAddresses,
} from '@service/protocol';
import type { Place } from '@service/protocol/eligibility/proof/proof-with-place';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { readFinalAccount } from '../rpc/accounts.ts';
import type { Chain } from '../rpc/chain.ts';
import { loadProver } from './load-prover.ts';
import { attributesOf } from './witness.ts';

/** The places to read. */
export interface PlacesQuery {
  readonly rule: Address;
  /** The number of places: `walletsPerPerson` of the rule set on chain. */
  readonly count: number;
  readonly witness: Witness;
}

/** A place of a person, and who holds it. */
export interface FoundPlace {
  readonly place: Place;
  readonly held: AccountOf<'place'> | null;
}

/**
 * Reads the places of a person, one in each request and in a random order, so that no single request shows that two places
 * are of one person.
 *
 * @throws ServiceError WITNESS_INVALID, NETWORK_ERROR or TIMEOUT of the prover's code, RPC_ERROR, ABORTED
 */
export async function* readPlaces(
  chain: Chain,
  { rule, count, witness }: PlacesQuery,
  signal: AbortSignal | undefined,
): AsyncGenerator<FoundPlace> {
  const attributes = attributesOf(witness);
  const { tagOfPlace } = await loadProver(signal);
  const at = programAddresses(chain.deployment.program);
  for (const number of shuffled(count)) {
    const tag = await tagOfPlace(rule, number, attributes);
    const found = await readFinalAccount(chain, 'place', await at.place(rule, tag), signal);
    yield { place: { number, tag }, held: found?.data ?? null };
  }
}

/** Which place a proof shall take. */
export interface WantedPlace extends PlacesQuery {
  /** The wallet that proves. */
  readonly wallet: Address;
  /** The commitment of the wallet's credential, 64 hex digits. */
  readonly commitment: string;
  /** The wallet that loses its place, if any. */
  readonly replaces: Address | undefined;
  /** Unix seconds. */
  readonly chainTime: bigint;
}

/**
 * Returns the place for a proof; undefined if the rule set has no limit. Without `replaces`, the wallet's own
 * place, or else a free one that {@link chooseFree} chooses.
 *
 * @throws ServiceError WITNESS_INVALID, PLACE_NOT_IN_RULE_SET, NO_PLACE_FREE, PLACE_NOT_HELD, PLACE_TAKEN_TOO_SOON,
 *   PLACE_HELD_BY_SUSPENDED, and what {@link readPlaces} throws
 */
export async function placeForProof(
  chain: Chain,
  wanted: WantedPlace,
  signal: AbortSignal | undefined,
): Promise<Place | undefined> {
  const { count, wallet, replaces } = wanted;
  if (count === 0) {
    if (replaces === undefined) return undefined;
    throw refused(
      'PLACE_NOT_IN_RULE_SET',
      'The rule set does not limit the wallets of a person. Leave out replaces.',
    );
  }
  await checkBelongs(wanted, signal);
  if (replaces === wallet) throw notHeld(wallet);
  const free: Place[] = [];
  for await (const { place, held } of readPlaces(chain, wanted, signal)) {
    if (held?.wallet === (replaces ?? wallet)) {
      if (replaces !== undefined) await checkTakeover(chain, held, wanted, signal);
      return place;
    }
    if (!held) free.push(place);
  }
  if (replaces !== undefined) throw notHeld(replaces);
  const chosen = await chooseFree(chain, wanted, free);
  if (chosen) return chosen;
  throw refused(
    'NO_PLACE_FREE',
    `The rule set lets ${count} wallets of each person prove, and other wallets hold all places. Pass replaces with the address of one of them: its pass ends, and everybody can see that both wallets are of one person. fetchPlaces of @service/sdk/chain returns them.`,
  );
}

/**
 * Returns the first free place, in random order, that the program creates with few compute units. The program searches for
 * the bumps of the pass and the place. If all places take more units, returns the one with the fewest misses. That happens to a
 * person with two free places in fewer than one of 5,000 proofs. Returns undefined if no place is free.
 *
 * Do not always choose the highest bump. Everybody can see the bump of a place. A person would then take places by falling
 * bumps, so an earlier wallet with a lower bump would belong to another person. This choice shows no more than a random one,
 * unless the place takes too many units. Then it shows only that the person had no free place that takes fewer.
 */
async function chooseFree(
  { deployment }: Chain,
  { rule, wallet }: WantedPlace,
  free: readonly Place[],
): Promise<Place | undefined> {
  const at = programAddresses(deployment.program);
  const most = MOST_BUMP_MISSES - (await at.passMisses(rule, wallet));
  let [best, fewest]: [Place?, number?] = [];
  for (const place of free) {
    const misses = await at.placeMisses(rule, place.tag);
    if (misses <= most) return place;
    if (fewest === undefined || misses < fewest) [best, fewest] = [place, misses];
  }
  return best;
}

/**
 * Returns whether the wallet holds a place of the person or could take one. Reads no more places than it needs.
 *
 * @throws ServiceError what {@link readPlaces} throws
 */
export async function hasPlace(
  chain: Chain,
  { wallet, ...query }: PlacesQuery & Pick<WantedPlace, 'wallet'>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for await (const { held } of readPlaces(chain, query, signal))
    if (!held || held.wallet === wallet) return true;
  return false;
}

/** Throws if the places would be those of another person, because the witness belongs to no credential of the wallet. */
async function checkBelongs({ witness, commitment }: WantedPlace, signal: AbortSignal | undefined) {
  const { isCommitmentOf, unrelatedWitness } = await loadProver(signal);
  if (!isCommitmentOf(attributesOf(witness), BigInt(`0x${commitment}`))) throw unrelatedWitness();
}

async function checkTakeover(
  chain: Chain,
  held: AccountOf<'place'>,
  { rule, chainTime }: WantedPlace,
  signal: AbortSignal | undefined,
): Promise<void> {
  const from = placeTakeableAt(held);
  if (chainTime < from) {
    throw refused(
      'PLACE_TAKEN_TOO_SOON',
      `The wallet ${held.wallet} has held the place for less than an hour. Replace it from ${from} (Unix seconds) on.`,
    );
  }
  const address = await programAddresses(chain.deployment.program).pass(rule, held.wallet);
  const pass = await readFinalAccount(chain, 'pass', address, signal);
  if (!pass || !isSuspended(pass.data, chainTime)) return;
  throw refused(
    'PLACE_HELD_BY_SUSPENDED',
    `The creator of the rule set suspended the wallet ${held.wallet}, so nobody can replace it. Ask the creator.`,
  );
}

const notHeld = (wallet: Address) =>
  refused(
    'PLACE_NOT_HELD',
    `The wallet ${wallet} holds no place of this person, or is the wallet that proves. Pass another wallet in replaces, or leave it out.`,
  );

type PlaceCode =
  | 'PLACE_NOT_IN_RULE_SET'
  | 'NO_PLACE_FREE'
  | 'PLACE_NOT_HELD'
  | 'PLACE_TAKEN_TOO_SOON'
  | 'PLACE_HELD_BY_SUSPENDED';

const refused = (code: PlaceCode, why: string) =>
  new ServiceError(code, { message: `${why} Nothing was signed.` });

/** Returns the numbers from 0 to below `count` in a random order, from `crypto.getRandomValues`. */
function shuffled(count: number): number[] {
  const random = crypto.getRandomValues(new Uint32Array(count));
  return [...random.keys()].sort((one, other) => random[one]! - random[other]!);
}
