// Clauses, commitment, rule hash, pass hash, context hash and the 256 bytes of a proof.
import { bigEndian, decodeBase58, littleEndian, sha256, toInteger } from './bytes.mjs';
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

export function clauseHash({ regions, statuses, minAge }) {
  return poseidon(mask(regions), mask(statuses) + BigInt(minAge) * 2n ** 32n);
}

/** The hash in each slot; the empty clause's in those that are not used. */
function slotHashes(clauses) {
  const hashes = clauses.map(clauseHash);
  const empty = poseidon(0n, 0n);
  return [...hashes, ...new Array(SLOTS - hashes.length).fill(empty)];
}

export const ruleHash = (clauses) => sha256(...slotHashes(clauses).map((hash) => bigEndian(hash, 32)));

export function commitment({ region, status, birthDate, salt, person }) {
  const attributes =
    BigInt(region) + BigInt(status) * 2n ** 8n + dateCode(birthDate) * 2n ** 13n + 2n ** 253n;
  return poseidon(attributes, BigInt(salt), BigInt(person));
}

/** SHA-256 without its three highest bits, as a number. */
function hashToField(...parts) {
  return toInteger(sha256(...parts)) % 2n ** 253n;
}

export function passHash({ rule, wallet, expiresAt }) {
  return hashToField(
    Buffer.from('service:v1:pass'),
    decodeBase58(rule),
    decodeBase58(wallet),
    littleEndian(expiresAt, 8),
  );
}

/** The scope of a place of a person in a rule set. */
export function scope({ rule, place }) {
  return hashToField(Buffer.from('service:v1:person'), decodeBase58(rule), Buffer.from([place]));
}

/** The tag of a person for a scope. */
export const tag = ({ person }, scope) => poseidon(BigInt(person), scope);

export function contextHash({ attributes, clauses, asOf, ...pass }) {
  return poseidon(...slotHashes(clauses), commitment(attributes), dateCode(asOf), passHash(pass));
}

/** The context of a rule set that limits the wallets of a person: scope and tag in the last slots, and the day and 2^20. */
export function limitedContextHash({ attributes, clauses, asOf, place, ...pass }) {
  const ofPlace = scope({ rule: pass.rule, place });
  const slots = [...slotHashes(clauses).slice(0, 6), ofPlace, tag(attributes, ofPlace)];
  return poseidon(...slots, commitment(attributes), dateCode(asOf) + 2n ** 20n, passHash(pass));
}

/** -A (x, q - y) | B (x.c1, x.c0, y.c1, y.c0) | C (x, y), each coordinate in 32 bytes, big-endian. */
export function proofBytes({ pi_a: a, pi_b: b, pi_c: c }) {
  const affine = [a[2], ...b[2], c[2]].join();
  if (affine !== '1,1,0,1') throw new Error('the points are not affine');
  const coordinates = [a[0], BASE_FIELD - BigInt(a[1]), b[0][1], b[0][0], b[1][1], b[1][0], c[0], c[1]];
  return Buffer.concat(coordinates.map((coordinate) => bigEndian(BigInt(coordinate), 32)));
}
