import type { CircuitInput, PrivateInput } from '@service/protocol/eligibility';
import { WitnessError } from './errors.ts';
import { mod } from './field.ts';
import { bitWires, maskMemberWires } from './mask-member.ts';
import { parametersOf } from './poseidon/parameters.ts';
import { trace } from './poseidon/trace.ts';
import { wiresOfEleven, wiresOfTwo } from './poseidon/wires.ts';
import { readSignals, type Signals } from './signals.ts';

/** The bytes of a wire. */
const WIRE_BYTES = 32;

const REGION_MASK = {
  maskBits: 253,
  indexBits: 8,
  lowBits: 4,
  outOfRange: 'REGION_MASK_RANGE',
  notMember: 'REGION_NOT_ACCEPTED',
} as const;
const STATUS_MASK = {
  maskBits: 32,
  indexBits: 5,
  lowBits: 2,
  outOfRange: 'STATUS_MASK_RANGE',
  notMember: 'STATUS_NOT_ACCEPTED',
} as const;

/** Computes the constants of Poseidon, so that the first call of {@link calculateWitness} does not have to. */
export function prepareWitness(): void {
  parametersOf(3);
  parametersOf(12);
}

/**
 * Returns the context hash, the only public signal.
 *
 * @throws WitnessError INPUT_MALFORMED if `input` has the wrong shape
 */
export function contextHashOf(input: PrivateInput): bigint {
  return contextOf(readSignals({ ...input, contextHash: '0' })).context.hash;
}

/**
 * Computes the witness of circuits/eligibility.circom.
 *
 * @param input integers, which are reduced modulo the order of the field
 * @returns the 1,399 wires in circom's order, 32 bytes little-endian each, as in the data section of a .wtns file. They
 *   contain every attribute: fill them with 0 after use.
 * @throws WitnessError for the first statement of the circuit that does not hold; INPUT_MALFORMED if `input` has the wrong
 *   shape
 */
export function calculateWitness(input: CircuitInput): Uint8Array {
  return toBytes(wiresOf(readSignals(input)));
}

/** Follows the statements of eligibility.circom in their order. */
function wiresOf(signals: Signals): bigint[] {
  const { contextHash, region, status, birthDate, clauseHashes } = signals;
  const { regionMask, statusMask, minAge, asOf } = signals;

  // 1. The context
  const { commitment, context } = contextOf(signals);
  if (context.hash !== contextHash) throw new WitnessError('CONTEXT_HASH');

  // 2. The opened clause
  const opened = trace([regionMask, mod(statusMask + (minAge << 32n))]);
  let product = 1n;
  const products = clauseHashes.map((hash) => {
    product = mod(product * (hash - opened.hash));
    return product;
  });
  if (product !== 0n) throw new WitnessError('CLAUSE_HASH');

  // 3 to 6. The ranges, the masks and the age
  const minAgeBits = bitWires(minAge, 8, 'MIN_AGE_RANGE');
  const regionBits = bitWires(region, 8, 'REGION_RANGE');
  const regionMember = maskMemberWires(regionMask, Number(region), REGION_MASK);
  const statusBits = bitWires(status, 5, 'STATUS_RANGE');
  const statusMember = maskMemberWires(statusMask, Number(status), STATUS_MASK);
  const birthDateBits = bitWires(birthDate, 17, 'BIRTH_DATE_RANGE');
  const ageBits = bitWires(mod(asOf - birthDate - minAge * 512n), 18, 'AGE_NOT_REACHED');

  return [
    1n,
    ...Object.values(signals).flat(),
    commitment.hash,
    opened.hash,
    // The first product is a difference of wires, and the last one is 0.
    ...products.slice(1, -1),
    ...minAgeBits,
    ...regionBits,
    ...statusBits,
    ...birthDateBits,
    ...ageBits,
    ...regionMember,
    ...statusMember,
    ...wiresOfTwo(commitment),
    ...wiresOfTwo(opened),
    ...wiresOfEleven(context),
  ];
}

function contextOf({ region, status, birthDate, salt, clauseHashes, asOf, passHash }: Signals) {
  const attributes = mod(region + (status << 8n) + (birthDate << 13n) + (1n << 253n));
  const commitment = trace([attributes, salt]);
  return { commitment, context: trace([...clauseHashes, commitment.hash, asOf, passHash]) };
}

function toBytes(wires: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(wires.length * WIRE_BYTES);
  const view = new DataView(bytes.buffer);
  wires.forEach((wire, index) => {
    // Each call writes the lowest 64 bits of its value.
    for (let at = index * WIRE_BYTES, rest = wire; rest > 0n; at += 8, rest >>= 64n)
      view.setBigUint64(at, rest, true);
  });
  return bytes;
}
