/** One prover for all who prove, and one proof at a time. */
import type { CircuitInput } from '@service/protocol/eligibility';
import { throwIfAborted, untilAborted } from '../../lib/deadline.ts';
import type { ProvingArtifacts } from './make-proof.ts';
import { type Following, type Prover, proverHere, proverInWorker } from './prover.ts';

const WHAT = 'Making the proof';

let own: Prover | undefined;
let queue: Promise<unknown> = Promise.resolve();

/**
 * Makes a proof and verifies it, after those that were asked for before.
 *
 * @throws ServiceError PROVER_FAILED when the witness calculator refuses the input, the artifacts do not belong
 *   together, WebAssembly is blocked, or the thread dies or gives no sign; ABORTED; NETWORK_ERROR or TIMEOUT when
 *   the prover's code does not load
 */
export function proveInTurn(
  input: CircuitInput,
  artifacts: ProvingArtifacts,
  { signal, onProgress }: Following,
): Promise<Uint8Array> {
  return inTurn(signal, async () => {
    const prover = await started(signal);
    const { wasm, zkey, vkey } = artifacts;
    const proof = await prover.prove(
      { input, artifacts: { wasm, zkey, vkey } },
      { signal, onProgress: (progress) => signal?.aborted || onProgress(progress) },
    );
    onProgress({ phase: 'verification', fraction: 1 });
    return proof;
  });
}

/** Starts the prover ahead of the first proof. Throws as {@link proveInTurn} does. */
export async function startProver(signal: AbortSignal | undefined): Promise<void> {
  await inTurn(signal, () => started(signal));
}

/**
 * Ends the prover's thread and gives back its memory, after any proof that is being made. The next proof starts it
 * again. Without it the thread lasts as long as the page; in Node it does not keep the process alive between proofs.
 */
export function disposeProver(): Promise<void> {
  return inTurn(undefined, async () => {
    const ending = own;
    own = undefined;
    await ending?.end();
  });
}

/** The prover, ready: in a worker, or, where none starts, here until disposeProver. */
async function started(signal: AbortSignal | undefined): Promise<Prover> {
  if (own?.isOver()) own = undefined;
  if (!own) {
    try {
      own = proverInWorker();
      await own.ready;
    } catch {
      // What looks like a failure may be an abort.
      throwIfAborted(signal, WHAT);
      await own?.end();
      own = proverHere();
    }
  }
  try {
    await own.ready;
    return own;
  } catch (error) {
    own = undefined;
    throw error;
  }
}

/** Runs when those before are done. An abort ends the wait for that, or the run itself. */
function inTurn<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  const turn = queue.then(async () => {
    throwIfAborted(signal, WHAT);
    try {
      return await untilAborted(run(), signal, WHAT);
    } catch (error) {
      if (signal?.aborted) await own?.stop();
      throw error;
    }
  });
  queue = turn.catch(() => {});
  return untilAborted(turn, signal, WHAT);
}
