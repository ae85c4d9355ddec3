import { EligibilityError } from './errors.ts';
import { sha256Hex } from './sha256.ts';

/** One file of the proof artifacts. */
export interface ArtifactFile {
  /** File name, without a path: clients fetch it from `{baseUrl}/{manifest digest}/{name}`. */
  readonly name: string;
  /** Exact length in bytes. */
  readonly size: number;
  /** SHA-256 of the file's bytes, 64 lowercase hex digits. */
  readonly sha256: string;
}

/** The files. Every manifest has all of them except the last one, which older manifests do not have. */
export interface ArtifactFiles {
  /** circom's witness calculator. */
  readonly wasm: ArtifactFile;
  /** The proving key of snarkjs. */
  readonly zkey: ArtifactFile;
  /** The verifying key, snarkjs's JSON. */
  readonly vkey: ArtifactFile;
  /** The verifying key as packed for the chain. */
  readonly key: ArtifactFile;
  /** The compact key: `zkey` in the format of the SDK's own prover. Without it, snarkjs makes the proofs. */
  readonly compactKey?: ArtifactFile | undefined;
}

/** A public beacon from which a phase of the setup was derived. */
export interface SetupBeacon {
  /** The value of the beacon: 64 lowercase hex digits. */
  readonly hash: string;
  /** The beacon is hashed 2 to the power of this number times. */
  readonly iterationsExponent: number;
}

/** A secret that somebody added to the keys of this circuit. */
export interface SetupContribution {
  /** The name that the contributor gave. */
  readonly name: string;
  /** Hash of the contribution, which the contributor published: BLAKE2b-512, 128 lowercase hex digits. */
  readonly hash: string;
}

/**
 * Keys for development. Published beacons determine every step, so two builds have the same bytes. Anyone can derive the
 * trapdoor and forge proofs. Never use these keys on a chain where passes have value.
 */
export interface DevelopmentSetup {
  /** How the keys were made. */
  readonly kind: 'development';
  /** The program that made the keys, with its version. */
  readonly tool: string;
  /** The powers of tau have 2 to the power of this number rows. */
  readonly power: number;
  /** The beacon at the end of the powers of tau. */
  readonly phase1Beacon: SetupBeacon;
  /** The beacon at the end of the phase of this circuit. */
  readonly phase2Beacon: SetupBeacon;
}

/**
 * Keys with published powers of tau and a secret of the operator alone. The operator could have kept it, and could then forge
 * proofs: whoever relies on the passes must trust the operator for this.
 */
export interface OperatorSetup {
  /** How the keys were made. */
  readonly kind: 'operator';
  /** The program that made the keys, with its version. */
  readonly tool: string;
  /** The powers of tau have 2 to the power of this number rows. */
  readonly power: number;
  /** BLAKE2b-512 of the file of the powers of tau, 128 lowercase hex digits. */
  readonly powersOfTau: string;
  /** Who added a secret to the keys of this circuit, in order. */
  readonly contributions: readonly SetupContribution[];
}

/** Keys with published powers of tau and the secrets of several people. One honest contributor is enough. */
export interface CeremonySetup {
  /** How the keys were made. */
  readonly kind: 'ceremony';
  /** The program that made the keys, with its version. */
  readonly tool: string;
  /** The powers of tau have 2 to the power of this number rows. */
  readonly power: number;
  /** BLAKE2b-512 of the file of the powers of tau, 128 lowercase hex digits. */
  readonly powersOfTau: string;
  /** Who added a secret to the keys of this circuit, in order. */
  readonly contributions: readonly SetupContribution[];
  /** The beacon at the end of the phase of this circuit. */
  readonly phase2Beacon: SetupBeacon;
}

/** The origin of the proving key. */
export type SetupProvenance = DevelopmentSetup | OperatorSetup | CeremonySetup;

/**
 * Describes the proof artifacts, and the hash of each file. A deployment pins its digest (`manifestDigest`),
 * `GET /api/config` returns it and the Circuit account stores it (SPEC.md section 2, "Public config").
 */
export interface ArtifactManifest {
  /** Circuit id, at most 32 bytes of UTF-8; the seed of the Circuit account. */
  readonly circuit: string;
  /** The proof system. */
  readonly protocol: 'groth16';
  /** BN254, by the name that snarkjs uses. */
  readonly curve: 'bn128';
  /** Names of the public signals, in order. */
  readonly publicSignals: string[];
  /** The compiler of the circuit. */
  readonly compiler: {
    /** Such as `circom`. */
    readonly name: string;
    /** Such as `2.2.3`. */
    readonly version: string;
    /** The npm package that holds the compiler, with its version. */
    readonly package: string;
    /** Its command line options. */
    readonly flags: readonly string[];
  };
  /** The sources: the circuit's own files, and the npm packages that they include. */
  readonly source: {
    /** The circuit's own files. */
    readonly files: readonly {
      /** File name, without a path. */
      readonly name: string;
      /** SHA-256 of its bytes, 64 lowercase hex digits. */
      readonly sha256: string;
    }[];
    /** npm packages with their versions. */
    readonly libraries: readonly string[];
  };
  /** Number of rank-1 constraints. */
  readonly constraints: number;
  /** The origin of the keys. */
  readonly setup: SetupProvenance;
  /** The required size and hash of each file. */
  readonly files: ArtifactFiles;
}

/**
 * Returns the digest that pins the artifacts: SHA-256, as 64 lowercase hex digits, over {@link canonicalJson} of the
 * manifest. It covers every key of the object, including keys that this version does not know.
 *
 * @throws EligibilityError MANIFEST_INVALID when a value has no canonical form.
 */
export async function manifestDigest(manifest: object): Promise<string> {
  return sha256Hex(new TextEncoder().encode(canonicalJson(manifest)));
}

/**
 * Returns the only text of a value: object keys sorted by UTF-16 code unit at every level, no white space, strings as
 * `JSON.stringify` writes them. Only strings, safe integers, arrays and plain objects have such a form. It
 * throws on anything else (null, booleans, fractions, undefined), so that two readers cannot disagree.
 *
 * @throws EligibilityError MANIFEST_INVALID
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null && isPlainObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`);
    return `{${members.join(',')}}`;
  }
  throw new EligibilityError(
    'MANIFEST_INVALID',
    'The manifest has a value that is not a string, an integer, an array or an object. Remove it.',
  );
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
