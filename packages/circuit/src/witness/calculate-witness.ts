import type { CircuitInput, PrivateInput } from '@service/protocol/eligibility';
import { WitnessError } from './errors.ts';
import { mod } from './field.ts';
import { bitPart, maskMemberPart, type Part } from './mask-member.ts';
import { parametersOf } from './poseidon/parameters.ts';
import { trace } from './poseidon/trace.ts';
import { wiresOfContext, wiresOfInner } from './poseidon/wires.ts';
import { hashRows, row } from './rows.ts';
import { readSignals, type Signals } from './signals.ts';

/** The bytes of a number. */
const NUMBER_BYTES = 32;

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

/** The slots for clauses of a rule set that limits the wallets of a person. The other two hold scope and tag. */
const CLAUSES_OF_LIMITED = 6;

/** Computes the constants of Poseidon, so that the first call of {@link calculateWitness} does not have to. */
export function prepareWitness(): void {
  parametersOf(3);
  parametersOf(4);
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
 * A witness and the rows that follow from it, 32 bytes little-endian for each number. They contain every attribute: fill
 * them with 0 after use.
 */
export interface Witness {
  /** The 1,664 wires in circom's order, as in the data section of a .wtns file. */
  readonly wires: Uint8Array;
  /** The values of the 1,660 rows of the matrix A, in the order of the proving key. */
  readonly a: Uint8Array;
  /** The values of the rows of the matrix B. */
  readonly b: Uint8Array;
}

/**
 * Computes the witness of circuits/eligibility.circom.
 *
 * @param input integers, which are reduced modulo the order of the field
 * @throws WitnessError for the first statement of the circuit that does not hold; INPUT_MALFORMED if `input` has the wrong
 *   shape
 */
export function calculateWitness(input: CircuitInput): Witness {
  const { wires, rows } = compute(readSignals(input));
  return {
    wires: toBytes(wires),
    a: toBytes(rows.map(([a]) => a)),
    b: toBytes(rows.map(([, b]) => b)),
  };
}

/** Follows the statements of eligibility.circom in their order. */
function compute(signals: Signals): Part {
  const { contextHash, region, status, birthDate, person, limited, clauseHashes } = signals;
  const { regionMask, statusMask, minAge, asOf } = signals;

  // 1. The context
  if (limited > 1n) throw new WitnessError('LIMITED_RANGE');
  const { commitment, context } = contextOf(signals);
  if (context.hash !== contextHash) throw new WitnessError('CONTEXT_HASH');

  // 2. The opened clause
  const opened = trace([regionMask, mod(statusMask + (minAge << 32n))]);
  const isClause = (slot: number) => limited === 0n || slot < CLAUSES_OF_LIMITED;
  const toOpened = clauseHashes.map((hash) => mod(hash - opened.hash));
  const differences = toOpened.map((difference, slot) => (isClause(slot) ? difference : 1n));
  const products = [differences[0]!];
  for (const difference of differences.slice(1)) products.push(mod(products.at(-1)! * difference));
  if (products.at(-1) !== 0n) throw new WitnessError('CLAUSE_HASH');

  // 3 to 6. The ranges, the masks and the age
  const minAgeBits = bitPart(minAge, 8, 'MIN_AGE_RANGE');
  const regionBits = bitPart(region, 8, 'REGION_RANGE');
  const regionMember = maskMemberPart(regionMask, Number(region), REGION_MASK);
  const statusBits = bitPart(status, 5, 'STATUS_RANGE');
  const statusMember = maskMemberPart(statusMask, Number(status), STATUS_MASK);
  const birthDateBits = bitPart(birthDate, 17, 'BIRTH_DATE_RANGE');
  const ageBits = bitPart(mod(asOf - birthDate - minAge * 512n), 18, 'AGE_NOT_REACHED');
  const ranges = [regionBits, statusBits, birthDateBits, ageBits];
  const members = [regionMember, statusMember];

  // 7. The tag
  const [scope = 0n, last = 0n] = clauseHashes.slice(CLAUSES_OF_LIMITED);
  const tag = trace([person, scope]);
  if (limited === 1n && last !== tag.hash) throw new WitnessError('PERSON_TAG');

  const hashes = [tag, commitment, opened];
  return {
    wires: [
      1n,
      ...Object.values(signals).flat(),
      commitment.hash,
      opened.hash,
      // The other differences are sums of wires.
      ...differences.slice(CLAUSES_OF_LIMITED),
      // The first product is a difference of wires, and the last one is 0.
      ...products.slice(1, -1),
      ...[minAgeBits, ...ranges].flatMap(({ wires }) => wires),
      tag.hash,
      ...members.flatMap(({ wires }) => wires),
      ...hashes.flatMap(wiresOfInner),
      ...wiresOfContext(context),
    ],
    rows: [
      [1n - limited, limited],
      ...toOpened.slice(CLAUSES_OF_LIMITED).map((difference) => row(1n - limited, mod(difference - 1n))),
      ...differences.slice(1).map((difference, index) => row(products[index]!, difference)),
      [mod(last - tag.hash), limited],
      ...[...members, ...ranges, minAgeBits].flatMap(({ rows }) => rows),
      ...[...hashes, context].flatMap(hashRows),
      // snarkjs adds a row for the constant and one for each public signal.
      [1n, 0n],
      [contextHash, 0n],
    ],
  };
}

function contextOf(signals: Signals) {
  const { region, status, birthDate, salt, person, limited, clauseHashes, asOf, passHash } = signals;
  const attributes = mod(region + (status << 8n) + (birthDate << 13n) + (1n << 253n));
  const commitment = trace([attributes, salt, person]);
  const day = mod(asOf + (limited << 20n));
  return { commitment, context: trace([...clauseHashes, commitment.hash, day, passHash]) };
}

function toBytes(numbers: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(numbers.length * NUMBER_BYTES);
  const view = new DataView(bytes.buffer);
  numbers.forEach((number, index) => {
    const at = index * NUMBER_BYTES;
    // Each call writes the lowest 64 bits of its value.
    view.setBigUint64(at, number, true);
    if (number <= 1n) return;
    view.setBigUint64(at + 8, number >> 64n, true);
    view.setBigUint64(at + 16, number >> 128n, true);
    view.setBigUint64(at + 24, number >> 192n, true);
  });
  return bytes;
}
