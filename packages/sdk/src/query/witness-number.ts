/** Names a witness in a key without its content: devtools show keys, and persisters store them. */
import type { Witness } from '@service/contract';
import { BoundedMap } from '../lib/bounded-map.ts';

/** A person has one or two. More come only from links with a forged witness. */
const MOST_WITNESSES = 16;

/** By content and not by object: a page that parses the witness in each render would otherwise fetch without end. */
const numbers = new BoundedMap<string, number>(MOST_WITNESSES);
let last = 0;

/** Returns a number that is the same for the same witness while the page is open, and says nothing about it. */
export function witnessNumber(witness: Witness): number {
  const content = contentOf(witness);
  const known = numbers.get(content);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(content, last);
  return last;
}

/** Drops a witness, and with it its content. Its next number is another one. */
export function forgetWitnessNumber(witness: Witness): void {
  numbers.delete(contentOf(witness));
}

/** Returns the same text for the same witness. */
export function contentOf(witness: Witness): string {
  return JSON.stringify(Object.entries(witness).sort());
}
