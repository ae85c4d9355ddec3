// biome-ignore lint/suspicious/noTsIgnore: another package of the same build may declare this module.
// @ts-ignore
import * as untyped from 'snarkjs';
import type { Curve, Snarkjs } from './snarkjs-api.ts';

const snarkjs = untyped as unknown as Snarkjs;

/** Every copy of snarkjs on the page looks for its curve here. */
const shared = globalThis as { curve_bn128?: Curve | null };

/** The bytes of a scalar. */
const SCALAR_BYTES = 32;

let own: Promise<Curve> | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** snarkjs and its curve, for one run. */
export interface CurveUse {
  readonly snarkjs: Snarkjs;
  /** Makes snarkjs find this curve. Call it immediately before each call of snarkjs that needs a curve. */
  install(): void;
  /**
   * Lets the curve return these scalars, each 32 bytes, little-endian, where `run` draws random ones. Throws Error if
   * `run` does not draw exactly these.
   */
  withScalars<T>(scalars: Uint8Array, run: () => Promise<T>): Promise<T>;
}

/**
 * Runs something with snarkjs and this module's own curve, one run at a time.
 *
 * The curve has no threads: the prover already runs in a worker, and the threads that snarkjs starts from `blob:` make a
 * proof only a little faster. By default snarkjs leaves a curve with threads in a global. Any other user of snarkjs could
 * end that curve, and importing a second copy of snarkjs clears the global. So this module builds its curve once, puts
 * it into the global during a run, and removes it afterwards.
 */
export function withCurve<T>(run: (use: CurveUse) => Promise<T>): Promise<T> {
  const turn = queue.then(async () => {
    const curve = await ownCurve();
    const before = shared.curve_bn128 ?? null;
    const install = () => {
      shared.curve_bn128 = curve;
    };
    try {
      return await run({
        snarkjs,
        install,
        withScalars: (scalars, runWith) => replaceRandom(curve, scalars, runWith),
      });
    } finally {
      if (shared.curve_bn128 === curve) shared.curve_bn128 = before;
    }
  });
  queue = turn.catch(() => {});
  return turn;
}

async function replaceRandom<T>({ Fr }: Curve, scalars: Uint8Array, run: () => Promise<T>): Promise<T> {
  const { random } = Fr;
  let drawn = 0;
  Fr.random = () => {
    const start = drawn;
    drawn += SCALAR_BYTES;
    if (drawn > scalars.length) throw new Error('snarkjs draws too many random numbers. Update this SDK.');
    return Fr.fromRprLE(scalars, start);
  };
  try {
    const result = await run();
    if (drawn === scalars.length) return result;
    throw new Error('snarkjs does not draw its random numbers from its curve. Update this SDK.');
  } finally {
    Fr.random = random;
  }
}

/** Frees the curve's memory as soon as nothing uses it. */
export function dropCurve(): void {
  own = undefined;
}

function ownCurve(): Promise<Curve> {
  if (!own) {
    const building = snarkjs.curves.getCurveFromName('bn128', { singleThread: true });
    own = building;
    building.catch(() => {
      if (own === building) own = undefined;
    });
  }
  return own;
}
