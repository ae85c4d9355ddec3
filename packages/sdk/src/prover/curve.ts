import { canStartWorkers } from '../platform/index.ts';
import { proverFailed } from './prover-errors.ts';
import { type Curve, loadSnarkjs, NODE_THREAD, type Snarkjs } from './snarkjs-api.ts';

/** snarkjs finds its curve here, and so does every other copy of it on the page. */
const shared = globalThis as { curve_bn128?: Curve | null };

interface OwnCurve {
  readonly snarkjs: Snarkjs;
  readonly curve: Curve;
  /** Set when a worker has ended by itself. */
  dead: boolean;
  /** Rejects then: what waits for that worker would wait for ever. */
  readonly death: Promise<never>;
}

let own: OwnCurve | undefined;
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
 * snarkjs would make a curve by itself and leave it in a global: two calls at once make two, of which one is lost with
 * its threads running; any other user of snarkjs can end ours; and importing a second copy of it clears the global. So
 * the curve is built once, put into the global for the time of a run, and taken out again.
 */
export function withCurve<T>(run: (lent: LentCurve) => Promise<T>): Promise<T> {
  return inTurn(async () => {
    const { snarkjs, curve, death } = await ownCurve();
    const before = shared.curve_bn128 ?? null;
    const install = () => {
      shared.curve_bn128 = curve;
    };
    keepProcessAlive(curve, true);
    try {
      return await Promise.race([run({ snarkjs, install }), death]);
    } finally {
      keepProcessAlive(curve, false);
      if (shared.curve_bn128 === curve) shared.curve_bn128 = before;
    }
  });
}

/**
 * Ends the prover's threads and gives back their memory, after any proof that is being made. The next proof starts them
 * again. Without it they last as long as the page; in Node they do not keep the process alive between proofs.
 */
export function disposeProver(): Promise<void> {
  return inTurn(endOwnCurve);
}

async function ownCurve(): Promise<OwnCurve> {
  if (own?.dead) await endOwnCurve();
  own ??= await build();
  return own;
}

async function endOwnCurve(): Promise<void> {
  const ending = own;
  own = undefined;
  if (!ending) return;
  const before = shared.curve_bn128 ?? null;
  const ended = ending.curve.terminate();
  // It has cleared the global, whoever's curve was there.
  shared.curve_bn128 = before;
  await ended;
}

async function build(): Promise<OwnCurve> {
  try {
    const snarkjs = await loadSnarkjs();
    const threads = await canStartWorkers();
    const curve = await buildApart(snarkjs, !threads).catch((error) => {
      if (!threads) throw error;
      return buildApart(snarkjs, true);
    });
    return watched(snarkjs, curve);
  } catch (cause) {
    throw proverFailed('The prover could not be started.', cause);
  }
}

/** Builds a curve beside whatever is in the global: a curve found there is somebody else's to end. */
async function buildApart(snarkjs: Snarkjs, singleThread: boolean): Promise<Curve> {
  const before = shared.curve_bn128 ?? null;
  shared.curve_bn128 = null;
  try {
    return await snarkjs.curves.getCurveFromName('bn128', { singleThread });
  } finally {
    shared.curve_bn128 = before;
  }
}

/** Notices the end of any worker. */
function watched(snarkjs: Snarkjs, curve: Curve): OwnCurve {
  let reject: (error: unknown) => void = () => {};
  const death = new Promise<never>((_, rejectDeath) => {
    reject = rejectDeath;
  });
  // It is raced with each run; between runs nobody listens, and the next run builds anew.
  death.catch(() => {});
  const built: OwnCurve = { snarkjs, curve, dead: false, death };
  const died = () => {
    built.dead = true;
    reject(proverFailed('A thread of the prover ended unexpectedly. Try again.'));
  };
  for (const worker of curve.tm.workers ?? []) {
    worker.addEventListener('error', died);
    worker.addEventListener('close', died);
  }
  return built;
}

/** In Node, threads count for the process's life only while a proof is being made. */
function keepProcessAlive(curve: Curve, alive: boolean): void {
  for (const worker of curve.tm.workers ?? []) {
    if (alive) worker[NODE_THREAD]?.ref();
    else worker[NODE_THREAD]?.unref();
  }
}

function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const turn = queue.then(run);
  queue = turn.catch(() => {});
  return turn;
}
