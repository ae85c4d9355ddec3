// biome-ignore lint/suspicious/noTsIgnore: another package of the same build may declare the module.
// @ts-ignore
import * as untyped from 'snarkjs';
import type { Curve, Snarkjs } from './snarkjs-api.ts';

const snarkjs = untyped as unknown as Snarkjs;

/** snarkjs finds its curve here, and so does every other copy of it on the page. */
const shared = globalThis as { curve_bn128?: Curve | null };

let own: Promise<Curve> | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** snarkjs with its curve in place, lent for one run. */
export interface LentCurve {
  readonly snarkjs: Snarkjs;
  /** Makes sure that snarkjs finds this curve. To be called right before each call of snarkjs that needs one. */
  install(): void;
}

/**
 * Runs with snarkjs and a curve that is this module's own, one run at a time.
 *
 * The curve has no threads: the prover has one of its own, and with more, which snarkjs starts from `blob:`, a proof
 * would be little faster. snarkjs would make a curve by itself and leave it in a global, with threads: any other user
 * of snarkjs could end it, and importing a second copy of it clears the global. So the curve is built once, put into
 * the global for the time of a run, and taken out again.
 */
export function withCurve<T>(run: (lent: LentCurve) => Promise<T>): Promise<T> {
  const turn = queue.then(async () => {
    const curve = await ownCurve();
    const before = shared.curve_bn128 ?? null;
    const install = () => {
      shared.curve_bn128 = curve;
    };
    try {
      return await run({ snarkjs, install });
    } finally {
      if (shared.curve_bn128 === curve) shared.curve_bn128 = before;
    }
  });
  queue = turn.catch(() => {});
  return turn;
}

/** Gives back the curve's memory once nobody uses it. */
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
