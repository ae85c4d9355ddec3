/** Reads who contributed to a proving key of snarkjs. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ArtifactManifest, SetupBeacon, SetupContribution } from '@service/protocol/eligibility';
import { COORDINATE_ORDER } from '@service/protocol/eligibility/proof/points';
import { G1_BYTES, G2_BYTES, malformed, NUMBER_BYTES, readNumber, readSections, view } from './zkey.ts';

/** A contribution to a proving key. */
export interface KeyContribution extends SetupContribution {
  /** The beacon that made it. Undefined if a secret did. */
  readonly beacon: SetupBeacon | undefined;
}

const SECTION = 10;
const CONSTRAINT_HASH_BYTES = 64;
const TRANSCRIPT_BYTES = 64;
/** The points of a contribution: delta after it, and the public key of its secret. */
const POINTS_BYTES = 3 * G1_BYTES + G2_BYTES;
/** A contribution without its parameters: points, transcript, kind and the size of the parameters. */
const LEAST_BYTES = POINTS_BYTES + TRANSCRIPT_BYTES + 8;
const PARAMETER = { name: 1, exponent: 2, beacon: 3 } as const;
/** The kind of a contribution that a beacon made. 0 is a secret. */
const BY_BEACON = 1;
/** 2^-256 modulo the order of the coordinates. It takes a number out of Montgomery's form. */
const FROM_MONTGOMERY = inverseOfTwo(256);

/**
 * Returns the contributions to a proving key, the first one first. It does not verify them: `checkKey` does. The name is what its
 * author chose, and the file can have any. The hash is over the numbers of the contribution only.
 *
 * @throws Error if the bytes are not a proving key of snarkjs
 */
export function readContributions(zkey: Uint8Array): KeyContribution[] {
  const section = readSections(zkey).get(SECTION);
  const bytes = section ?? new Uint8Array();
  if (bytes.length < CONSTRAINT_HASH_BYTES + 4) throw malformed('it has no list of contributions');
  const count = view(bytes).getUint32(CONSTRAINT_HASH_BYTES, true);
  const found: KeyContribution[] = [];
  let at = CONSTRAINT_HASH_BYTES + 4;
  while (found.length < count) {
    if (at + LEAST_BYTES > bytes.length) throw malformed('it ends within a contribution');
    const end = at + LEAST_BYTES + view(bytes).getUint32(at + LEAST_BYTES - 4, true);
    if (end > bytes.length) throw malformed('it ends within a contribution');
    found.push(readContribution(bytes.subarray(at, end)));
    at = end;
  }
  return found;
}

/**
 * Throws unless the manifest names the contributions of the proving key: names and hashes in their order, and the beacon. A manifest
 * can claim any names. The check of the ceremony's folder (docs/ceremony.md) shows that the key also comes from them.
 *
 * @throws Error if it names others
 */
export function assertContributions({ setup }: Pick<ArtifactManifest, 'setup'>, zkey: Uint8Array): void {
  const contributions = readContributions(zkey);
  const secrets = contributions.filter(({ beacon }) => beacon === undefined);
  const named = ({ name, hash }: SetupContribution) => ({ name, hash });
  const claimed = setup.kind === 'development' ? [] : setup.contributions;
  const beacon = setup.kind === 'operator' ? undefined : setup.phase2Beacon;
  const isNamed =
    isDeepStrictEqual(secrets.map(named), claimed.map(named)) &&
    isDeepStrictEqual(contributions.at(-1)?.beacon, beacon);
  if (isNamed) return;
  throw new Error(
    'manifest.json names other contributions than the proving key has. Build the artifacts again from the folder of the ceremony.',
  );
}

function readContribution(bytes: Uint8Array): KeyContribution {
  const points = bytes.subarray(0, POINTS_BYTES);
  const transcript = bytes.subarray(POINTS_BYTES, POINTS_BYTES + TRANSCRIPT_BYTES);
  const kind = view(bytes).getUint32(POINTS_BYTES + TRANSCRIPT_BYTES, true);
  const { name, exponent, beacon } = readParameters(bytes.subarray(LEAST_BYTES));
  const isBeacon = kind === BY_BEACON;
  if (kind > BY_BEACON || isBeacon !== (exponent !== undefined && beacon !== undefined)) {
    throw malformed('a contribution is neither a secret nor a beacon');
  }
  return {
    name: new TextDecoder().decode(name),
    hash: createHash('blake2b512').update(uncompressed(points)).update(transcript).digest('hex'),
    beacon: isBeacon
      ? { hash: Buffer.from(beacon!).toString('hex'), iterationsExponent: exponent! }
      : undefined,
  };
}

/** Reads the name, and the exponent and the number of a beacon. They come in this order, and each at most once. */
function readParameters(bytes: Uint8Array) {
  const found: { name?: Uint8Array; exponent?: number; beacon?: Uint8Array } = {};
  let last = 0;
  for (let at = 0; at < bytes.length; ) {
    const [kind = 0, size = 0] = bytes.subarray(at, at + 2);
    if (kind <= last || kind > PARAMETER.beacon) throw malformed('a parameter of a contribution is unknown');
    last = kind;
    if (kind === PARAMETER.exponent) {
      found.exponent = size;
      at += 2;
      continue;
    }
    const value = bytes.subarray(at + 2, at + 2 + size);
    if (value.length !== size) throw malformed('it ends within a contribution');
    found[kind === PARAMETER.name ? 'name' : 'beacon'] = value;
    at += 2 + size;
  }
  return found;
}

/** Returns points as snarkjs hashes them: each coordinate big-endian, the second half of a coordinate of G2 first. */
function uncompressed(points: Uint8Array): Uint8Array {
  const result = new Uint8Array(points.length);
  for (let at = 0; at < points.length; at += NUMBER_BYTES) {
    const number = (readNumber(points, at) * FROM_MONTGOMERY) % COORDINATE_ORDER;
    const bytes = Buffer.from(number.toString(16).padStart(2 * NUMBER_BYTES, '0'), 'hex');
    // Within G2, the two numbers of a coordinate change places.
    const isG2 = at >= 3 * G1_BYTES;
    result.set(bytes, isG2 ? at ^ NUMBER_BYTES : at);
  }
  return result;
}

function inverseOfTwo(power: number): bigint {
  let inverse = 1n;
  for (let each = 0; each < power; each += 1) {
    inverse = (inverse % 2n === 0n ? inverse : inverse + COORDINATE_ORDER) / 2n;
  }
  return inverse;
}
