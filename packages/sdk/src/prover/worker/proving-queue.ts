/** Shares one prover between all calls. It makes one proof at a time. */
import type { PrivateInput } from '@service/protocol/eligibility';
import { throwIfAborted, untilAborted } from '../../lib/clock.ts';
import { requirePlatform } from '../../platform/check-platform.ts';
import type { CheckedArtifacts } from '../artifact-source/check-artifacts.ts';
import type { ProofProgress } from '../progress.ts';
import { artifactsInvalid } from '../prover-errors.ts';
import { OwnProverFailure } from './own-prover-failure.ts';
import { type ProofControl, type Prover, proverInWorker, proverOnThisThread } from './prover.ts';
import type { ProverKind, ProverWithFiles } from './thread-messages.ts';

const WHAT = 'Making the proof';

let current: Prover | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** The files of the provers. */
export interface ProvingArtifacts {
  /** The files for the SDK's own prover or, without `compactKey`, for snarkjs. */
  readonly files: CheckedArtifacts;
  /** Loads the files for snarkjs. Called if the SDK's own prover failed. */
  loadForSnarkjs(): Promise<CheckedArtifacts>;
}

/**
 * Makes a proof and verifies it, after the proofs that were requested before. If the SDK's own prover fails, snarkjs makes
 * the proof, and the phases are reported again.
 *
 * @throws ServiceError PROVER_FAILED if the witness calculator rejects the input, the artifacts do not belong together,
 *   WebAssembly is blocked, or the worker ends or sends nothing after it began a proof; ABORTED; NETWORK_ERROR or TIMEOUT
 *   if the prover's code cannot be loaded; the errors of `loadForSnarkjs`
 */
export async function proveInTurn(
  input: PrivateInput,
  { files, loadForSnarkjs }: ProvingArtifacts,
  { signal, onProgress }: ProofControl,
): Promise<Uint8Array> {
  const control = {
    signal,
    onProgress: (progress: ProofProgress) => signal?.aborted || onProgress(progress),
  };
  const prove = (prover: ProverWithFiles) => inTurn(signal, () => proveWith(prover, input, control));
  const first = files.compactKey ? ownProver(files) : snarkjs(files);
  const proof = await prove(first).catch(async (error: unknown) => {
    throwIfAborted(signal, WHAT);
    if (!(error instanceof OwnProverFailure)) throw error;
    // Between two turns, so that other proofs do not wait for a transfer.
    return prove(snarkjs(await loadForSnarkjs()));
  });
  onProgress({ phase: 'verification', fraction: 1 });
  return proof;
}

/** Makes a proof with a prover, on this thread if the platform cannot run its worker. */
async function proveWith<K extends ProverKind>(
  { kind, artifacts }: ProverWithFiles<K>,
  input: PrivateInput,
  control: ProofControl,
): Promise<Uint8Array> {
  const { signal } = control;
  const request = { input, artifacts };
  const prover = await started(kind, signal);
  return prover.prove(request, control).catch(async (error: unknown) => {
    if (signal?.aborted || !prover.isUseless()) throw error;
    // In Bun, a dependency of snarkjs throws at the first message to a worker.
    current = proverOnThisThread(kind);
    return (await started(kind, signal)).prove(request, control);
  });
}

/** Returns the SDK's own prover with its files. */
function ownProver({ manifest, compactKey, vkey }: CheckedArtifacts): ProverWithFiles<'own'> {
  return { kind: 'own', artifacts: { keyHash: manifest.files.compactKey!.sha256, compactKey, vkey } };
}

/** Returns snarkjs with its files. Throws ServiceError ARTIFACTS_INVALID if the source did not return them. */
function snarkjs({ wasm, zkey, vkey }: CheckedArtifacts): ProverWithFiles<'snarkjs'> {
  if (!wasm || !zkey) {
    throw artifactsInvalid(
      'The source did not return wasm and zkey, which snarkjs needs. Check that source.',
    );
  }
  return { kind: 'snarkjs', artifacts: { wasm, zkey, vkey } };
}

/** Starts a prover before the first proof. Throws ServiceError UNSUPPORTED_PLATFORM, and the errors of {@link proveInTurn}. */
export async function startProver(kind: ProverKind, signal: AbortSignal | undefined): Promise<void> {
  requirePlatform(true);
  await inTurn(signal, () => started(kind, signal));
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
async function started<K extends ProverKind>(kind: K, signal: AbortSignal | undefined): Promise<Prover<K>> {
  if (current && (current.kind !== kind || current.isOver())) {
    const ending = current;
    current = undefined;
    await ending.end();
    throwIfAborted(signal, WHAT);
  }
  if (!current) {
    let worker: Prover<K> | undefined;
    try {
      worker = proverInWorker(kind);
      current = worker;
      await worker.ready;
    } catch {
      // An abort also ends the worker.
      throwIfAborted(signal, WHAT);
      await worker?.end();
      throwIfAborted(signal, WHAT);
      current = proverOnThisThread(kind);
    }
  }
  // Only the run whose turn it is changes it, and the kind was checked above.
  const prover = current as Prover<K>;
  try {
    await prover.ready;
    return prover;
  } catch (error) {
    current = undefined;
    throw error;
  }
}

/** Runs after the earlier runs. An abort ends the wait for them, or the run itself. */
function inTurn<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  const turn = queue.then(async () => {
    throwIfAborted(signal, WHAT);
    const running = run();
    try {
      return await untilAborted(running, signal, WHAT);
    } catch (error) {
      if (signal?.aborted) await current?.stop();
      // The turn ends only when nothing of it uses a prover any more. Otherwise two runs would share one.
      await running.catch(() => {});
      throw error;
    }
  });
  queue = turn.catch(() => {});
  return untilAborted(turn, signal, WHAT);
}
