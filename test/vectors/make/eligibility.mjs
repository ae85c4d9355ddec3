// Clauses, commitment, rule hash, context hash and the 256 bytes of a proof.
import { bigEndian, decodeBase58, toInteger } from './bytes.mjs';
import { poseidon } from './poseidon.mjs';

const SLOTS = 8;
/** The order of bn128's base field. */
const BASE_FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/** The mask with a bit for each index. */
export const mask = (indexes) => indexes.reduce((bits, index) => bits | (1n << BigInt(index)), 0n);

/** `(year - 1900) * 512 + month * 32 + day` of a date written YYYY-MM-DD. */
export function dateCode(text) {
  const [year, month, day] = text.split('-').map(Number);
  return BigInt((year - 1900) * 512 + month * 32 + day);
}

/** The date in UTC of a moment in Unix seconds, YYYY-MM-DD. */
export const dateOf = (unixSeconds) => new Date(Number(unixSeconds) * 1000).toISOString().slice(0, 10);

export function clauseHash({ regions, statuses, minAge }) {
  return poseidon(mask(regions), mask(statuses) + BigInt(minAge) * 2n ** 32n);
}

export function ruleHash(clauses) {
  const hashes = clauses.map(clauseHash);
  const empty = poseidon(0n, 0n);
  return poseidon(...hashes, ...new Array(SLOTS - hashes.length).fill(empty));
}

export function commitment({ region, status, birthDate, salt }) {
  return poseidon(BigInt(region), BigInt(status), dateCode(birthDate), BigInt(salt));
}

export function contextHash({ attributes, clauses, wallet, expiresAt, maxPassAgeSeconds }) {
  const bytes = decodeBase58(wallet);
  const asOf = dateCode(dateOf(BigInt(expiresAt) - BigInt(maxPassAgeSeconds)));
  return poseidon(
    commitment(attributes),
    ruleHash(clauses),
    toInteger(bytes.subarray(0, 16)),
    toInteger(bytes.subarray(16)),
    BigInt(expiresAt),
    asOf,
  );
}

/** -A (x, q - y) | B (x.c1, x.c0, y.c1, y.c0) | C (x, y), each coordinate in 32 bytes, big-endian. */
export function proofBytes({ pi_a: a, pi_b: b, pi_c: c }) {
  const affine = [a[2], ...b[2], c[2]].join();
  if (affine !== '1,1,0,1') throw new Error('the points are not affine');
  const coordinates = [a[0], BASE_FIELD - BigInt(a[1]), b[0][1], b[0][0], b[1][1], b[1][0], c[0], c[1]];
  return Buffer.concat(coordinates.map((coordinate) => bigEndian(BigInt(coordinate), 32)));
}
