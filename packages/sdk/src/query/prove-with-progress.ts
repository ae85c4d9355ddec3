/** Proves with one progress of the whole way: checks, artifacts, proof, wallet, chain. */
import type { OperationState } from '@service/contract';
import type { ServiceClient } from '../client/service-client.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { notify } from '../lib/notify.ts';
import type { ProveRequest } from '../operations/requests.ts';
import type { PassOpened, WriteOptions } from '../operations/writes.ts';
import type { ProofPhase } from '../prover/progress.ts';
import type { Wallet } from '../wallet/wallet.ts';

/**
 * The steps of a proof, in order. In `wallet` the person is asked to sign. In `finality` the transaction is signed, and a
 * cancel changes nothing on the chain. Not in SPEC.md: how a page shows it.
 */
export type ProveStep = 'checks' | 'artifacts' | 'proof' | 'verification' | 'wallet' | 'finality' | 'done';

/** The progress of a proof from the first check to its final transaction. Not in SPEC.md: how a page shows it. */
export interface ProveProgress {
  /** The finished part of the whole, from 0 to 1. It never decreases, and is 1 only once the pass is final. */
  readonly fraction: number;
  /** The current step. It never goes back. */
  readonly step: ProveStep;
  /** Whether a cancel still prevents the transaction: true until the wallet has signed. */
  readonly canCancel: boolean;
  /** UUID of the operation, once it is prepared. Keep it for `waitForOperation`. */
  readonly operationId?: string;
}

/** Options of {@link proveWithProgress}. Not in SPEC.md: how a page shows it. */
export interface ProveWithProgressOptions extends WriteOptions {
  /** Called with each change. An error that it throws is reported as an error of the page and ends nothing. */
  readonly onProgress?: ((progress: ProveProgress) => void) | undefined;
}

/** What of the whole each part takes: measured shares of the time of a first proof on an ordinary machine and network. */
const PHASES: Readonly<Record<ProofPhase, readonly [step: ProveStep, from: number, to: number]>> = {
  artifacts: ['artifacts', 0.03, 0.2],
  prover: ['proof', 0.2, 0.24],
  witness: ['proof', 0.24, 0.28],
  proof: ['proof', 0.28, 0.42],
  verification: ['verification', 0.42, 0.45],
};
const ASKED = 0.5;
/** The states that follow the signature. FINALIZED is only the word of the service. */
const STATES: Partial<Readonly<Record<OperationState | 'SIGNED', number>>> = {
  SIGNED: 0.6,
  QUEUED: 0.65,
  SUBMITTED: 0.7,
  UNRESOLVED: 0.7,
  FINALIZED: 0.95,
};
const ORDER: readonly ProveStep[] = [
  'checks',
  'artifacts',
  'proof',
  'verification',
  'wallet',
  'finality',
  'done',
];

/**
 * Proves a rule set, as `client.prove` does, and reports one progress of everything: the checks, the artifacts, the proof,
 * the wallet's prompt, and the wait until the pass is final (SPEC.md sections 1 and 4).
 *
 * `signal` cancels. What a cancel means depends on when it comes:
 *
 * | when | what happens |
 * |---|---|
 * | before the wallet is asked | the proof ends at once, nothing is signed, ABORTED |
 * | while the wallet is asked | ABORTED, and the client sends nothing. The prompt stays open: its answer is never sent |
 * | after the wallet has signed (`canCancel` is false) | only the wait ends: OUTCOME_UNKNOWN with the id for `waitForOperation` |
 *
 * @throws ServiceError those of `client.prove`
 * @example
 * const cancel = new AbortController();
 * await proveWithProgress(client, wallet, { rule, witness }, {
 *   signal: cancel.signal,
 *   onProgress: ({ fraction }) => { bar.value = fraction; },
 * });
 */
export async function proveWithProgress(
  client: ServiceClient,
  wallet: Wallet,
  request: ProveRequest,
  options: ProveWithProgressOptions = {},
): Promise<PassOpened> {
  const { onProgress, ...writeOptions } = options;
  const report = reporter(onProgress);
  let unsubscribe = () => {};
  let signedId: string | undefined;
  const noteState = (state: OperationState | 'SIGNED', operationId: string) => {
    const fraction = STATES[state];
    if (fraction === undefined) return;
    signedId = operationId;
    report('finality', fraction, operationId);
  };
  report('checks', 0);
  try {
    const opened = await client.prove(wallet, request, {
      ...writeOptions,
      onProgress({ phase, fraction }) {
        const [step, from, to] = PHASES[phase];
        report(step, from + fraction * (to - from));
      },
      onPrepared(prepared) {
        const { operationId } = prepared;
        report('wallet', ASKED, operationId);
        // The snapshot shows the signature before its bytes leave. No other event does.
        unsubscribe = client.subscribe(() => {
          const operation = client.getSnapshot().operations.find((each) => each.operationId === operationId);
          if (operation) noteState(operation.state, operationId);
        });
        options.onPrepared?.(prepared);
      },
      onState(state, operation) {
        noteState(state, operation.operationId);
        options.onState?.(state, operation);
      },
    });
    report('done', 1, opened.operationId);
    return opened;
  } catch (error) {
    if (signedId === undefined || !isServiceError(error, 'ABORTED')) throw error;
    throw new ServiceError('OUTCOME_UNKNOWN', {
      message: `The wait was cancelled after the wallet had signed, so the pass can still open. Call client.waitForOperation('${signedId}') to learn the outcome, and do not prove again before it has ended.`,
      context: { operationId: signedId },
      cause: error,
    });
  } finally {
    unsubscribe();
  }
}

/** Returns a function that reports only what goes forward. */
function reporter(onProgress: ProveWithProgressOptions['onProgress']) {
  let last: ProveProgress | undefined;
  return (step: ProveStep, fraction: number, operationId = last?.operationId) => {
    if (last && ORDER.indexOf(step) < ORDER.indexOf(last.step)) return;
    const next = Math.max(fraction, last?.fraction ?? 0);
    if (last?.step === step && last.fraction === next && last.operationId === operationId) return;
    const canCancel = ORDER.indexOf(step) < ORDER.indexOf('finality');
    last = Object.freeze({ fraction: next, step, canCancel, ...(operationId ? { operationId } : {}) });
    const progress = last;
    if (onProgress) notify(() => onProgress(progress));
  };
}
