/** Shares one prover between all calls. It makes one proof at a time. */
import type { CircuitInput } from '@service/protocol/eligibility';
import { throwIfAborted, untilAborted } from '../../lib/deadline.ts';
import type { ProvingArtifacts } from './make-proof.ts';
import { type ProofControl, type Prover, proverInWorker, proverOnThisThread } from './prover.ts';

const WHAT = 'Making the proof';

let current: Prover | undefined;
let queue: Promise<unknown> = Promise.resolve();

/**
 * Makes a proof and verifies it, after the proofs that were requested before.
 *
 * @throws ServiceError PROVER_FAILED if the witness calculator rejects the input, the artifacts do not belong together,
 *   WebAssembly is blocked, or the worker ends or sends nothing after it began a proof; ABORTED; NETWORK_ERROR or TIMEOUT
 *   if the prover's code cannot be loaded
 */
export function proveInTurn(
  input: CircuitInput,
  artifacts: ProvingArtifacts,
  { signal, onProgress }: ProofControl,
): Promise<Uint8Array> {
  return inTurn(signal, async () => {
    const prover = await started(signal);
    const { wasm, zkey, vkey } = artifacts;
    const prove = (by: Prover) =>
      by.prove(
        { input, artifacts: { wasm, zkey, vkey } },
        { signal, onProgress: (progress) => signal?.aborted || onProgress(progress) },
      );
    const proof = await prove(prover).catch(async (error: unknown) => {
      if (signal?.aborted || !prover.isUseless()) throw error;
      // In Bun, a dependency of snarkjs throws at the first message to a worker.
      current = proverOnThisThread();
      return prove(await started(signal));
    });
    onProgress({ phase: 'verification', fraction: 1 });
    return proof;
  });
}

/** Starts the prover before the first proof. Throws the errors of {@link proveInTurn}. */
export async function startProver(signal: AbortSignal | undefined): Promise<void> {
  await inTurn(signal, () => started(signal));
}

/**
 * Ends the prover's thread and frees its memory, after any proof that is being made. The next proof starts it again.
 * Without this call the thread lives as long as the page. In Node it does not keep the process alive between proofs.
 */
export function disposeProver(): Promise<void> {
  return inTurn(undefined, async () => {
    const ending = current;
    current = undefined;
    await ending?.end();
  });
}

/** Returns the prover when it is ready. If no worker starts, it runs on this thread until disposeProver. */
async function started(signal: AbortSignal | undefined): Promise<Prover> {
  if (current?.isOver()) current = undefined;
  if (!current) {
    try {
      current = proverInWorker();
      await current.ready;
    } catch {
      // An abort also ends the worker.
      throwIfAborted(signal, WHAT);
      await current?.end();
      current = proverOnThisThread();
    }
  }
  try {
    await current.ready;
    return current;
  } catch (error) {
    current = undefined;
    throw error;
  }
}

/** Runs after the earlier runs. An abort ends the wait for them, or the run itself. */
function inTurn<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  const turn = queue.then(async () => {
    throwIfAborted(signal, WHAT);
    try {
      return await untilAborted(run(), signal, WHAT);
    } catch (error) {
      if (signal?.aborted) await current?.stop();
      throw error;
    }
  });
  queue = turn.catch(() => {});
  return untilAborted(turn, signal, WHAT);
}
