import { G1_BYTES, G2_BYTES, NUMBER_BYTES, readNumber, readZkey } from '@service/circuit/zkey';
import { COORDINATE_ORDER } from '@service/protocol/eligibility';
import { littleEndian } from './witness.ts';

/** Distinct points that remain of each group, with their opposites and infinity. */
const DISTINCT = 3;

/**
 * Returns a proving key in which almost all points are the same few, opposite to one of these, or infinity. With equal
 * scalars, they meet in each bucket. Proofs of it do not verify, but each prover must compute the same.
 */
export function crowdedKey(zkey: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(zkey);
  // The points are parts of the copy.
  const { a, b1, b2, c, h } = readZkey(copy);
  for (const points of [a, b1, b2, c, h]) {
    const used = points.filter((point) => point.some((byte) => byte !== 0)).slice(0, DISTINCT);
    const originals = used.map((point) => Uint8Array.from(point));
    for (const [index, point] of points.entries()) {
      const original = originals[index % DISTINCT]!;
      const kind = Math.floor(index / DISTINCT) % 5;
      if (kind === 4) point.fill(0);
      else point.set(kind === 3 ? negated(original) : original);
    }
  }
  return copy;
}

/** Returns the opposite point. */
function negated(point: Uint8Array): Uint8Array {
  if (point.length !== G1_BYTES && point.length !== G2_BYTES) throw new RangeError('not a point');
  const copy = Uint8Array.from(point);
  for (let at = point.length / 2; at < point.length; at += NUMBER_BYTES) {
    const number = readNumber(point, at);
    copy.set(littleEndian(number === 0n ? 0n : COORDINATE_ORDER - number), at);
  }
  return copy;
}
