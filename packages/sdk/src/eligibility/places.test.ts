/** The choice of a place, on a cluster where nobody holds one. */
import { addressBytes, type Witness } from '@service/contract';
import { Localnet } from '@service/localnet';
import { MOST_BUMP_MISSES, programAddresses } from '@service/protocol';
import { commitmentOf, fieldToBytes, scopeOf, tagOf } from '@service/protocol/eligibility';
import { type Address, getAddressDecoder } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADDRESS, DEPLOYMENT } from '../../test/support/deployment.ts';
import { machineClock } from '../lib/clock.ts';
import type { Chain } from '../rpc/chain.ts';
import { placeForProof } from './places.ts';
import { attributesOf } from './witness.ts';

const RULE = ADDRESS as Address;
const at = programAddresses(DEPLOYMENT.program as Address);
/** The bumps that a place may miss beside the pass of {@link wallet}. */
const MOST = 3;
const FIRST_PERSON = 2n ** 200n;

let net: Localnet;
let chain: Chain;
let wallet: Address;

beforeAll(async () => {
  net = Localnet.start({ slotMs: 'manual', finalitySlots: 2 });
  const deployment = { ...DEPLOYMENT, program: at.program, genesisHash: net.genesisHash };
  chain = { deployment, rpc: net.rpc, clock: machineClock };
  wallet = await walletWithMisses(MOST_BUMP_MISSES - MOST);
});
afterAll(() => net.stop());

/** Returns an address for whose pass so many bumps miss. */
async function walletWithMisses(misses: number): Promise<Address> {
  for (let number = 0; ; number += 1) {
    const candidate = getAddressDecoder().decode(fieldToBytes(BigInt(number)));
    if ((await at.passMisses(RULE, candidate)) === misses) return candidate;
  }
}

/** Returns the bumps that each place of a person misses. */
async function missesOf(person: bigint, count: number): Promise<number[]> {
  const misses: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const scope = await scopeOf({ rule: addressBytes(RULE), place });
    misses.push(await at.placeMisses(RULE, fieldToBytes(tagOf({ person, scope }))));
  }
  return misses;
}

/** Returns a person, and the misses of its places, for whom a condition of them holds. */
async function personWith(count: number, isWanted: (misses: readonly number[]) => boolean) {
  for (let person = FIRST_PERSON; ; person += 1n) {
    const misses = await missesOf(person, count);
    if (isWanted(misses)) return { person, misses };
  }
}

/** Lets the client choose a place of a person, all of which are free, so often. */
async function choices(person: bigint, { count, times }: { count: number; times: number }) {
  const witness: Witness = {
    wallet,
    region: 'FR',
    status: 'retail',
    birthDate: '1990-05-17',
    salt: `${2n ** 150n}`,
    person: `${person}`,
  };
  const commitment = Buffer.from(fieldToBytes(commitmentOf(attributesOf(witness)))).toString('hex');
  const wanted = { rule: RULE, wallet, commitment, witness, count, replaces: undefined, chainTime: 0n };
  const chosen: number[] = [];
  for (let time = 0; time < times; time += 1)
    chosen.push((await placeForProof(chain, wanted, undefined))!.number);
  return chosen;
}

const isCheap = (misses: number) => misses <= MOST;

it('chooses at random, but only places that the program creates within the limit', async () => {
  // The limit itself is within. One more is not.
  const { person, misses } = await personWith(
    6,
    (all) => all.includes(MOST) && all.includes(MOST + 1) && new Set(all).size > 3,
  );
  const cheap = [...misses.keys()].filter((place) => isCheap(misses[place]!));
  const chosen = new Set(await choices(person, { count: 6, times: 60 }));
  expect([...chosen].sort()).toEqual(cheap);
});

it('chooses the place with the fewest misses if none is within the limit', async () => {
  const { person, misses } = await personWith(2, ([one, other]) => {
    return one! > MOST && other! > MOST && one !== other;
  });
  const cheapest = misses[0]! < misses[1]! ? 0 : 1;
  expect(new Set(await choices(person, { count: 2, times: 12 }))).toEqual(new Set([cheapest]));
});
