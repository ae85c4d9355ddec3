// Poseidon over the scalar field of bn128, from its paper: round constants and matrix by the Grain LFSR, rounds one
// by one, without the optimised form that the libraries use.
import { powerMod } from './bytes.mjs';

const FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

const FIELD_BITS = 254;
const FULL_ROUNDS = 8;
/** Partial rounds for a state of 2, 3, 4, ... elements, circomlib's choice. */
const PARTIAL_ROUNDS = [56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68];

const mod = (value) => ((value % FIELD) + FIELD) % FIELD;

const invert = (value) => powerMod(value, FIELD - 2n, FIELD);

/** The bits of the Grain LFSR in its self-shrinking mode, as the reference's generate_parameters_grain does. */
function* grainBits(width, partialRounds) {
  const bits = (value, count) => [...value.toString(2).padStart(count, '0')].map(Number);
  const state = [
    ...bits(1, 2), // a prime field
    ...bits(0, 4), // the S-box is a power
    ...bits(FIELD_BITS, 12),
    ...bits(width, 12),
    ...bits(FULL_ROUNDS, 10),
    ...bits(partialRounds, 10),
    ...new Array(30).fill(1),
  ];
  const step = () => {
    const bit = state[62] ^ state[51] ^ state[38] ^ state[23] ^ state[13] ^ state[0];
    state.shift();
    state.push(bit);
    return bit;
  };
  for (let count = 0; count < 160; count += 1) step();
  for (;;) {
    const keep = step();
    const bit = step();
    if (keep) yield bit;
  }
}

function parametersOf(width) {
  const partialRounds = PARTIAL_ROUNDS[width - 2];
  const stream = grainBits(width, partialRounds);
  const draw = () => {
    let value = 0n;
    for (let count = 0; count < FIELD_BITS; count += 1) value = (value << 1n) | BigInt(stream.next().value);
    return value;
  };
  const constants = [];
  while (constants.length < (FULL_ROUNDS + partialRounds) * width) {
    const value = draw();
    if (value < FIELD) constants.push(value);
  }
  // A Cauchy matrix of 2 t elements, which are reduced, not rejected.
  const elements = Array.from({ length: 2 * width }, () => draw() % FIELD);
  if (new Set(elements).size !== elements.length) throw new Error('the matrix elements are not distinct');
  const matrix = Array.from({ length: width }, (_, row) =>
    Array.from({ length: width }, (_, column) => invert(elements[row] + elements[width + column])),
  );
  return { constants, matrix, partialRounds };
}

const known = new Map();

/** Poseidon of one to sixteen field elements. */
export function poseidon(...inputs) {
  const width = inputs.length + 1;
  if (!known.has(width)) known.set(width, parametersOf(width));
  const { constants, matrix, partialRounds } = known.get(width);
  if (inputs.some((input) => input < 0n || input >= FIELD)) throw new RangeError('not a field element');
  let state = [0n, ...inputs];
  for (let round = 0; round < FULL_ROUNDS + partialRounds; round += 1) {
    const isFull = round < FULL_ROUNDS / 2 || round >= FULL_ROUNDS / 2 + partialRounds;
    const added = state.map((element, index) => mod(element + constants[round * width + index]));
    const raised = added.map((element, index) => (isFull || index === 0 ? mod(element ** 5n) : element));
    state = matrix.map((row) => mod(row.reduce((sum, entry, index) => sum + entry * raised[index], 0n)));
  }
  return state[0];
}
