/** Which wallet of a person the page says that this one is, in a rule set that limits them. */
import type { FetchedPlace } from '@service/sdk/chain';
import { address } from '@solana/kit';
import { expect, it } from 'vitest';
import { ownPlaces } from '../../examples/react/src/holder/places/own-places.ts';

const [ALICE, BOB, CAROL] = [
  address('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'),
  address('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR'),
  address('CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8'),
];
const free = (place: number): FetchedPlace => ({ place, wallet: null, since: null, replaceableAt: null });
/** The places have random numbers: the first wallet took the last place. */
const PLACES = [
  { place: 0, wallet: BOB, since: 2_000n, replaceableAt: 5_600n },
  { place: 1, wallet: ALICE, since: 1_000n, replaceableAt: 4_600n },
];

it('counts the first wallet before and after its proof, whatever place it takes', () => {
  expect(ownPlaces([free(0), free(1)], ALICE)).toEqual({ limit: 2, number: 1, isHeld: false, others: [] });
  const proved = ownPlaces([free(0), PLACES[1]!], ALICE);
  expect(proved).toEqual({ limit: 2, number: 1, isHeld: true, others: [] });
});

it('counts the second wallet after the first one, which it can replace an hour after its proof', () => {
  const others = [{ wallet: ALICE, replaceableAt: 4_600n }];
  const before = ownPlaces([free(0), PLACES[1]!], BOB);
  expect(before).toEqual({ limit: 2, number: 2, isHeld: false, others });
  expect(ownPlaces(PLACES, BOB)).toEqual({ limit: 2, number: 2, isHeld: true, others });
});

it('has no number for a wallet more than the limit, and lists the others, the oldest first', () => {
  const { number, others } = ownPlaces(PLACES, CAROL);
  expect(number).toBe(null);
  expect(others.map(({ wallet }) => wallet)).toEqual([ALICE, BOB]);
});
