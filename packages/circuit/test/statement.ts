import { FIELD_ORDER } from '@service/protocol/eligibility';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon11 } from 'poseidon-lite/poseidon11';

/** Every signal of eligibility.circom, as a cheat may choose them: any field element. */
export interface Signals {
  contextHash: bigint;
  region: bigint;
  status: bigint;
  birthDate: bigint;
  salt: bigint;
  clauseHashes: bigint[];
  regionMask: bigint;
  statusMask: bigint;
  minAge: bigint;
  asOf: bigint;
  passHash: bigint;
}

/** One thing that the circuit claims of its signals. */
export type Claim =
  | 'context'
  | 'slot'
  | 'minAgeRange'
  | 'regionRange'
  | 'regionMask'
  | 'statusRange'
  | 'statusMask'
  | 'birthDateRange'
  | 'age';

/**
 * What is false in the circuit's statement about some signals: the circuit again, in plain numbers. It must accept
 * them when nothing is, and refuse them when anything is.
 *
 * Protocol's own functions do not serve here: they throw at numbers out of range, which are what a cheat brings.
 */
export function falseClaims(signals: Signals): Claim[] {
  const { region, status, birthDate, clauseHashes, regionMask, statusMask, minAge, asOf } = signals;
  const holds: Record<Claim, boolean> = {
    context: signals.contextHash === contextHashOf(signals),
    slot: clauseHashes.includes(clauseHashOf(signals)),
    minAgeRange: minAge < 1n << 8n,
    regionRange: region < 1n << 8n,
    regionMask: regionMask < 1n << 253n && region < 253n && ((regionMask >> region) & 1n) === 1n,
    statusRange: status < 1n << 5n,
    statusMask: statusMask < 1n << 32n && status < 32n && ((statusMask >> status) & 1n) === 1n,
    birthDateRange: birthDate < 1n << 17n,
    age: reduce(asOf - birthDate - 512n * minAge) < 1n << 18n,
  };
  return (Object.keys(holds) as Claim[]).filter((claim) => !holds[claim]);
}

/** The three attributes in one element. */
export function attributesOf({ region, status, birthDate }: Omit<Signals, 'contextHash'>): bigint {
  return reduce(region + (status << 8n) + (birthDate << 13n) + (1n << 253n));
}

/** The credential's commitment, of numbers in or out of range. */
export function commitmentOf(signals: Omit<Signals, 'contextHash'>): bigint {
  return poseidon2([attributesOf(signals), signals.salt]);
}

/** The opened clause's hash, of numbers in or out of range. */
export function clauseHashOf({
  regionMask,
  statusMask,
  minAge,
}: Pick<Signals, 'regionMask' | 'statusMask' | 'minAge'>): bigint {
  return poseidon2([regionMask, reduce(statusMask + (minAge << 32n))]);
}

/** The context hash that the signals lead to. */
export function contextHashOf(signals: Omit<Signals, 'contextHash'>): bigint {
  return poseidon11([...signals.clauseHashes, commitmentOf(signals), signals.asOf, signals.passHash]);
}

function reduce(value: bigint): bigint {
  return ((value % FIELD_ORDER) + FIELD_ORDER) % FIELD_ORDER;
}
