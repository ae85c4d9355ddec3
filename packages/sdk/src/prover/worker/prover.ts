/** The prover for its callers: in a worker, or on this thread if no worker starts. */
import { ServiceError } from '../../errors.ts';
import { throwIfAborted } from '../../lib/clock.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { unexpectedError } from '../../lib/unexpected-error.ts';
import { WORKER_SILENCE_MS, WORKER_START_MS } from '../bounds.ts';
import { PROVER_MODULES, startProverWorker } from '../platform/index.ts';
import type { ProofProgress } from '../progress.ts';
import { proverFailed } from '../prover-errors.ts';
import { OwnProverFailure } from './own-prover-failure.ts';
import { isMistakeOfProver, isUnsupported } from './proof-steps.ts';
import type { ProverModules } from './prover-modules.ts';
import type { ProverModule } from './serve-proofs.ts';
import type { FromProver, ProofRequest, ProverKind } from './thread-messages.ts';

const WHAT = 'Making the proof';

/** How one proof reports progress and is stopped. */
export interface ProofControl {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: ProofProgress) => void;
}

/** A prover. It makes one proof at a time. */
export interface Prover<K extends ProverKind = ProverKind> {
  readonly kind: K;
  /** Rejects when it cannot start. */
  readonly ready: Promise<unknown>;
  /**
   * Makes a proof. Throws ServiceError PROVER_FAILED; UNSUPPORTED_PLATFORM without random numbers; ABORTED if the signal
   * can stop this prover; OwnProverFailure if snarkjs can still make the proof.
   */
  prove(request: ProofRequest<K>, control: ProofControl): Promise<Uint8Array>;
  /** Stops the proof that is being made, after its caller aborted. */
  stop(): Promise<void>;
  /** Frees the thread and the memory. */
  end(): Promise<void>;
  /** Returns whether it ended: unexpectedly, or by `stop` or `end`. */
  isOver(): boolean;
  /** Returns whether it ended without a message about any proof. Then this platform cannot run it. */
  isUseless(): boolean;
}

/**
 * Starts a prover in a worker. The worker keeps the caller's thread free, and needs no `blob:` in the page's policy, as
 * threads of snarkjs would.
 *
 * @throws what the platform throws if it cannot start a worker
 */
export function proverInWorker<K extends ProverKind>(kind: K): Prover<K> {
  let over = false;
  /** Whether the worker sent anything about a proof. */
  let worked = false;
  /** SHA-256 of the compact key that the worker has. */
  let keyHash: string | undefined;
  let waiting: { receive(message: FromProver): void; fail(error: unknown): void } | undefined;

  const worker = startProverWorker(kind, {
    onMessage: (data) => waiting?.receive(data as FromProver),
    onEnd: (cause) => void finish('The worker of the prover ended unexpectedly. Try again.', cause),
  });

  /** Ends the worker. The next proof starts another one, so the same call can succeed. */
  async function finish(why: string, cause?: unknown): Promise<void> {
    if (over) return;
    over = true;
    waiting?.fail(proverFailed(why, cause, true));
    await worker.terminate();
  }

  /** Waits for the next answer. Ends the worker if it sends nothing for `silenceMs` milliseconds. */
  function answer(silenceMs: number, onProgress?: ProofControl['onProgress']): Promise<FromProver> {
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const restartTimer = () => {
        clearTimeout(timer);
        timer = setTimeout(
          () => void finish(`The worker of the prover sent nothing for ${silenceMs} ms. Try again.`),
          silenceMs,
        );
      };
      const settle = (how: () => void) => {
        clearTimeout(timer);
        waiting = undefined;
        how();
      };
      waiting = {
        receive(message) {
          worked ||= message.type !== 'ready';
          if (message.type === 'progress') {
            restartTimer();
            onProgress?.(message.progress);
          } else if (message.type === 'failure') {
            const { message: text, cause } = message;
            // The worker may have dropped its key.
            keyHash = undefined;
            settle(() =>
              reject(
                message.isMistake
                  ? unexpectedError(WHAT, text)
                  : message.isUnsupported
                    ? noRandomNumbers(text, cause)
                    : message.trySnarkjs
                      ? new OwnProverFailure(text, cause)
                      : proverFailed(text, cause),
              ),
            );
          } else {
            settle(() => resolve(message));
          }
        },
        fail: (error) => settle(() => reject(error)),
      };
      restartTimer();
    });
  }

  /** Sends a request, with the compact key only if the worker does not have it. */
  function send({ input, artifacts }: ProofRequest<K>): void {
    if ('keyHash' in artifacts) {
      const isNeeded = artifacts.compactKey && artifacts.keyHash !== keyHash;
      // A copy that is transferred takes less memory than one that postMessage makes.
      const compactKey = isNeeded ? new Uint8Array(artifacts.compactKey) : undefined;
      worker.post({ input, artifacts: { ...artifacts, compactKey } }, compactKey ? [compactKey.buffer] : []);
      keyHash = artifacts.keyHash;
    } else {
      worker.post({ input, artifacts }, []);
    }
  }

  const ready = answer(WORKER_START_MS);
  // Nobody may be waiting any more when it fails.
  ready.then(() => worker.keepAlive(false)).catch(() => {});
  return {
    kind,
    ready,
    async prove(request, { onProgress }) {
      // A worker that ended never answers, and all later proofs wait for this one.
      if (over) throw proverFailed('The worker of the prover ended. Try again.', undefined, true);
      if (waiting) throw proverFailed('The prover is making another proof. Report the error.');
      worker.keepAlive(true);
      try {
        const answered = answer(WORKER_SILENCE_MS, onProgress);
        try {
          send(request);
        } catch (cause) {
          void finish('The worker of the prover could not receive the artifacts. Try again.', cause);
        }
        const message = await answered;
        if (message.type !== 'proof')
          throw proverFailed(
            'The worker of the prover returned no proof. Update this SDK, or report the error.',
          );
        return message.proof;
      } finally {
        worker.keepAlive(false);
      }
    },
    stop: () => finish('The prover was stopped.'),
    end: () => finish('The prover was ended.'),
    isOver: () => over,
    isUseless: () => over && !worked,
  };
}

/** Returns the modules of the provers. Throws ServiceError PROVER_FAILED on a platform that can run neither of them. */
export function proverModules(): ProverModules {
  if (PROVER_MODULES) return PROVER_MODULES;
  throw proverFailed(
    'React Native cannot run the provers of the SDK. Pass a native prover: new ServiceClient({ deployment, prover }).',
  );
}

/** Starts a prover on this thread. It blocks the thread while it makes a part of a proof. */
export function proverOnThisThread<K extends ProverKind>(kind: K): Prover<K> {
  const loaded = loadChunk<ProverModule<K>>(proverModules()[kind]);
  return {
    kind,
    ready: loaded.then(({ prepareToProve }) => prepareToProve()).catch(rethrow),
    async prove({ input, artifacts }, { signal, onProgress }) {
      const { makeProof } = await loaded;
      const throwIfStopped = () => throwIfAborted(signal, WHAT);
      return makeProof(input, artifacts, { onProgress, throwIfStopped }).catch(rethrow);
    },
    // The signal stops it before its next part, and the next proof waits for that.
    stop: async () => {},
    end: async () => (await loaded.catch(() => undefined))?.release(),
    isOver: () => false,
    isUseless: () => false,
  };
}

/** Throws a ServiceError. The prover itself throws plain errors. */
function rethrow(error: unknown): never {
  if (error instanceof ServiceError || error instanceof OwnProverFailure) throw error;
  if (isMistakeOfProver(error)) throw unexpectedError(WHAT, error);
  const { message, cause } = error as Error;
  throw isUnsupported(error) ? noRandomNumbers(message, cause) : proverFailed(message, cause);
}

/** Returns the error for a source of random numbers that does not work. */
function noRandomNumbers(message: string, cause: unknown): ServiceError<'UNSUPPORTED_PLATFORM'> {
  const feature = 'crypto.getRandomValues';
  const remedy = 'Remove what replaces it, such as a polyfill, or use another browser or runtime.';
  return new ServiceError('UNSUPPORTED_PLATFORM', {
    message: `${message} ${remedy}`,
    context: { missing: [{ feature, neededFor: 'proofs', remedy }] },
    cause,
  });
}
