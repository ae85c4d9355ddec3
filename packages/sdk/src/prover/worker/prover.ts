/** The prover as its caller sees it: in a worker, or on this thread where there is none. */
import { ServiceError } from '../../errors.ts';
import { throwIfAborted } from '../../lib/deadline.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { startProverWorker } from '../../platform/index.ts';
import { WORKER_SILENCE_MS, WORKER_START_MS } from '../bounds.ts';
import type { ProofProgress } from '../progress.ts';
import { proverFailed } from '../prover-errors.ts';
import type { ProofOrder, ProverSaid } from './thread-messages.ts';

/** How one proof is followed and stopped. */
export interface Following {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: ProofProgress) => void;
}

/** A prover. It makes one proof at a time. */
export interface Prover {
  /** Rejects when it cannot start. */
  readonly ready: Promise<unknown>;
  /** Throws ServiceError PROVER_FAILED; ABORTED where the signal can stop it. */
  prove(order: ProofOrder, following: Following): Promise<Uint8Array>;
  /** Leaves what it is doing, whose caller has given up. */
  stop(): Promise<void>;
  /** Gives back thread and memory. */
  end(): Promise<void>;
  /** Whether it has ended, by itself or by `stop` or `end`. */
  isOver(): boolean;
}

/**
 * Starts a prover in a worker. Only in a worker of its own, without any threads of snarkjs's own, does it leave the
 * caller's thread free under a policy that allows no `blob:`.
 *
 * @throws whatever the platform throws when it starts no worker
 */
export function proverInWorker(): Prover {
  let over = false;
  let waiting: { hear(said: ProverSaid): void; fail(error: unknown): void } | undefined;

  const worker = startProverWorker({
    onMessage: (data) => waiting?.hear(data as ProverSaid),
    onEnd: (cause) => void finish('The thread of the prover ended unexpectedly. Try again.', cause),
  });

  async function finish(why: string, cause?: unknown): Promise<void> {
    if (over) return;
    over = true;
    waiting?.fail(proverFailed(why, cause));
    await worker.terminate();
  }

  /** Waits for the next answer, as long as anything is heard every so often. */
  function answer(silenceMs: number, onProgress?: Following['onProgress']): Promise<ProverSaid> {
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const restartTimer = () => {
        clearTimeout(timer);
        timer = setTimeout(
          () => void finish(`The prover gave no sign for ${silenceMs} ms. Try again.`),
          silenceMs,
        );
      };
      const settle = (how: () => void) => {
        clearTimeout(timer);
        waiting = undefined;
        how();
      };
      waiting = {
        hear(said) {
          if (said.said === 'progress') {
            restartTimer();
            onProgress?.(said.progress);
          } else if (said.said === 'failure') {
            settle(() => reject(proverFailed(said.message, said.cause)));
          } else {
            settle(() => resolve(said));
          }
        },
        fail: (error) => settle(() => reject(error)),
      };
      restartTimer();
    });
  }

  const ready = answer(WORKER_START_MS);
  // Whoever waits for it may have given up.
  ready.then(() => worker.keepAlive(false)).catch(() => {});
  return {
    ready,
    async prove(order, { onProgress }) {
      worker.keepAlive(true);
      try {
        const answered = answer(WORKER_SILENCE_MS, onProgress);
        worker.post(order);
        const said = await answered;
        if (said.said !== 'proof') throw proverFailed('The thread of the prover gave no proof.');
        return said.proof;
      } finally {
        worker.keepAlive(false);
      }
    },
    stop: () => finish('The prover was stopped.'),
    end: () => finish('The prover was ended.'),
    isOver: () => over,
  };
}

/** Starts a prover on this thread: correct, but nothing else runs while a part of a proof is made. */
export function proverHere(): Prover {
  const loaded = loadChunk(() => import('./make-proof.ts'));
  return {
    ready: loaded.then(({ prepareToProve }) => prepareToProve()).catch(rethrow),
    async prove({ input, artifacts }, { signal, onProgress }) {
      const { makeProof } = await loaded;
      const throwIfStopped = () => throwIfAborted(signal, 'Making the proof');
      return makeProof(input, artifacts, { onProgress, throwIfStopped }).catch(rethrow);
    },
    // The signal stops it at the next part, and the next proof waits for that.
    stop: async () => {},
    end: async () => (await loaded.catch(() => undefined))?.dropCurve(),
    isOver: () => false,
  };
}

/** What the prover itself throws is a plain error; the rest is ours. */
function rethrow(error: unknown): never {
  if (error instanceof ServiceError) throw error;
  const { message, cause } = error as Error;
  throw proverFailed(message, cause);
}
