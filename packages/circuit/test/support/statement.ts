import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon3 } from 'poseidon-lite/poseidon3';
import { poseidon11 } from 'poseidon-lite/poseidon11';
import { mod } from './constraint-system.ts';

/** Every signal of eligibility.circom. A cheating prover can choose any field element for each. */
export interface Signals {
  contextHash: bigint;
  region: bigint;
  status: bigint;
  birthDate: bigint;
  salt: bigint;
  person: bigint;
  limited: bigint;
  clauseHashes: bigint[];
  regionMask: bigint;
  statusMask: bigint;
  minAge: bigint;
  asOf: bigint;
  passHash: bigint;
}

/** One part of the statement that the circuit proves about its signals. */
export type Claim =
  | ('context' | 'slot' | 'age')
  | ('minAgeRange' | 'regionRange' | 'statusRange' | 'birthDateRange')
  | ('regionMask' | 'statusMask')
  | ('limited' | 'tag');

/**
 * Returns the claims that are false for some signals. It is the circuit written again in plain numbers: the circuit must
 * accept the signals if no claim is false, and reject them otherwise.
 *
 * It does not use the functions of `@service/protocol`: those throw for numbers out of range, which these tests need.
 */
export function falseClaims(signals: Signals): Claim[] {
  const { region, status, birthDate, regionMask, statusMask, minAge, asOf } = signals;
  const { limited, clauseHashes } = signals;
  const clauses = limited === 0n ? clauseHashes : clauseHashes.slice(0, 6);
  const holds: Record<Claim, boolean> = {
    limited: limited === 0n || limited === 1n,
    context: signals.contextHash === contextHashOf(signals),
    slot: clauses.includes(clauseHashOf(signals)),
    minAgeRange: minAge < 1n << 8n,
    regionRange: region < 1n << 8n,
    regionMask: regionMask < 1n << 253n && region < 253n && ((regionMask >> region) & 1n) === 1n,
    statusRange: status < 1n << 5n,
    statusMask: statusMask < 1n << 32n && status < 32n && ((statusMask >> status) & 1n) === 1n,
    birthDateRange: birthDate < 1n << 17n,
    age: mod(asOf - birthDate - 512n * minAge) < 1n << 18n,
    tag: limited === 0n || clauseHashes[7] === tagOf(signals),
  };
  return (Object.keys(holds) as Claim[]).filter((claim) => !holds[claim]);
}

/** Returns the three attributes packed into one field element. */
export function attributesOf({ region, status, birthDate }: Omit<Signals, 'contextHash'>): bigint {
  return mod(region + (status << 8n) + (birthDate << 13n) + (1n << 253n));
}

/** Returns the credential's commitment. The numbers can be out of range. */
export function commitmentOf(signals: Omit<Signals, 'contextHash'>): bigint {
  return poseidon(poseidon3, [attributesOf(signals), signals.salt, signals.person]);
}

/** Returns the hash of the opened clause. The numbers can be out of range. */
export function clauseHashOf(clause: Pick<Signals, 'regionMask' | 'statusMask' | 'minAge'>): bigint {
  return poseidon(poseidon2, [clause.regionMask, mod(clause.statusMask + (clause.minAge << 32n))]);
}

/** Returns the tag of the person for the scope in slot 6, counted from 0. */
export function tagOf({ person, clauseHashes }: Pick<Signals, 'person' | 'clauseHashes'>): bigint {
  return poseidon(poseidon2, [person, clauseHashes[6]!]);
}

/** Returns the day as the context contains it. */
export function contextDayOf({ asOf, limited }: Pick<Signals, 'asOf' | 'limited'>): bigint {
  return mod(asOf + (limited << 20n));
}

/** Returns the inputs of the context hash. */
export function contextOf(signals: Omit<Signals, 'contextHash'>): bigint[] {
  return [...signals.clauseHashes, commitmentOf(signals), contextDayOf(signals), signals.passHash];
}

/** Returns the context hash of the signals. */
export function contextHashOf(signals: Omit<Signals, 'contextHash'>): bigint {
  return poseidon(poseidon11, contextOf(signals));
}

const hashes = new Map<string, bigint>();

/** Computes each hash once. Hashing would be most of the work, and most attacks hash the same numbers. */
function poseidon(hash: (inputs: bigint[]) => bigint, inputs: bigint[]): bigint {
  const key = inputs.join();
  const known = hashes.get(key) ?? hash(inputs);
  hashes.set(key, known);
  return known;
}
