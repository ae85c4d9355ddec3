import { FIELD_ORDER } from '@service/protocol/eligibility/field';
import { dot, packColumn, times, unpackColumn, type Vector } from './matrix.ts';
import { FULL_ROUNDS, type Parameters, parametersOf, type Width } from './parameters.ts';

/** The values that a hash computes, in the form of circomlib's Poseidon. Its wires are some of them. */
export interface Trace {
  /** The result. */
  readonly hash: bigint;
  /** The states after the constants of each full round except the last: circomlib's `ark[1]` to `ark[7]`. */
  readonly full: readonly Vector[];
  /** The state before the partial rounds: `mix[3]`. */
  readonly beforePartial: Vector;
  /** The states after each partial round: `mixS`. */
  readonly partial: readonly Vector[];
  /** The first element of the last partial round, before its matrix. */
  readonly lastPartialInput: bigint;
  /** The state after the S-boxes of the last round. */
  readonly last: Vector;
  /** The S-boxes, first those of the full rounds. */
  readonly sboxes: readonly Sbox[];
}

/** The values in an S-box, which computes a fifth power. */
export interface Sbox {
  readonly input: bigint;
  readonly square: bigint;
  readonly fourth: bigint;
}

/**
 * Computes Poseidon of two, three or eleven field elements, and keeps what it computes.
 *
 * @param inputs field elements, each below the order of the field
 */
export function trace(inputs: readonly bigint[]): Trace {
  const parameters = parametersOf((inputs.length + 1) as Width);
  const { first, afterFull, mix, mixRow, mixBeforePartial } = parameters;
  const half = FULL_ROUNDS / 2;
  const sboxes: Sbox[] = [];
  const full: Vector[] = [];
  const throughSboxes = (state: Vector) => state.map((value) => fifthPower(value, sboxes));
  /** Runs the S-boxes and adds the constants of a full round. */
  const fullRound = (state: Vector): Vector => {
    const next = add(throughSboxes(state), afterFull[full.length]!);
    full.push(next);
    return next;
  };

  let state: Vector = add([0n, ...inputs], first);
  while (full.length < half - 1) state = times(mix, fullRound(state));
  const beforePartial = times(mixBeforePartial, fullRound(state));
  const { states, sboxes: partialSboxes, lastInput } = partialRounds(beforePartial, parameters);
  state = states.at(-1)!;
  while (full.length < FULL_ROUNDS - 1) state = times(mix, fullRound(state));
  const last = throughSboxes(state);
  return {
    hash: dot(mixRow, last),
    full,
    beforePartial,
    partial: states,
    lastPartialInput: lastInput,
    last,
    sboxes: [...sboxes, ...partialSboxes],
  };
}

function partialRounds(before: Vector, { sparse, afterPartial }: Parameters) {
  const sboxes: Sbox[] = [];
  const states: Vector[] = [];
  let state = before;
  let lastInput = 0n;
  sparse.forEach(({ row, column }, round) => {
    const [first = 0n, ...rest] = state;
    const input = (fifthPower(first, sboxes) + afterPartial[round]!) % FIELD_ORDER;
    const others = unpackColumn(packColumn(rest) + column * input, rest.length);
    state = [dot(row, [input, ...rest]), ...others];
    states.push(state);
    lastInput = input;
  });
  return { states, sboxes, lastInput };
}

/** Returns input^5, and appends the S-box that computes it to `sboxes`. */
function fifthPower(input: bigint, sboxes: Sbox[]): bigint {
  const square = (input * input) % FIELD_ORDER;
  const fourth = (square * square) % FIELD_ORDER;
  sboxes.push({ input, square, fourth });
  return (fourth * input) % FIELD_ORDER;
}

function add(a: Vector, b: Vector): bigint[] {
  return a.map((value, index) => (value + b[index]!) % FIELD_ORDER);
}
