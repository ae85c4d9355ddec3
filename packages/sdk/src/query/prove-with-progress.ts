/** Proves with one progress of the whole way: checks, artifacts, proof, wallet, chain. */
import type { OperationState } from '@service/contract';
import type { ServiceClient } from '../client/service-client.ts';
import type { ProveRequest } from '../operations/requests.ts';
import type { PassOpened, WriteOptions } from '../operations/writes.ts';
import type { ProofPhase } from '../prover/progress.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ProveProgress, type ProveStep, progressReporter } from './prove-progress.ts';

/** Options of {@link proveWithProgress}. */
export interface ProveWithProgressOptions extends WriteOptions {
  /** Called with each change. An error that it throws is reported as an error of the page and ends nothing. */
  readonly onProgress?: ((progress: ProveProgress) => void) | undefined;
}

/** The share of the whole that each phase takes: estimates for a first proof on an ordinary machine and network. */
const PHASES: Readonly<Record<ProofPhase, readonly [step: ProveStep, from: number, to: number]>> = {
  artifacts: ['artifacts', 0.03, 0.2],
  prover: ['proof', 0.2, 0.24],
  witness: ['proof', 0.24, 0.28],
  proof: ['proof', 0.28, 0.42],
  verification: ['verification', 0.42, 0.45],
};
const ASKED = 0.5;
const CONFIRMED = 0.8;
/** The states that follow the signature. FINALIZED is only the word of the service. */
const STATES: Partial<Readonly<Record<OperationState | 'SIGNED', number>>> = {
  SIGNED: 0.6,
  QUEUED: 0.65,
  SUBMITTED: 0.7,
  UNRESOLVED: 0.7,
  FINALIZED: 0.95,
};
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
 *   onProgress: ({ fraction }) => console.log(`${Math.round(100 * fraction)} %`),
 * });
 */
export async function proveWithProgress(
  client: ServiceClient,
  wallet: Wallet,
  request: ProveRequest,
  options: ProveWithProgressOptions = {},
): Promise<PassOpened> {
  const { onProgress, ...writeOptions } = options;
  const report = progressReporter(onProgress);
  let unsubscribe = () => {};
  const noteState = (state: OperationState | 'SIGNED', operationId: string) => {
    const fraction = STATES[state];
    if (fraction !== undefined) report('finality', fraction, { operationId });
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
        report('wallet', ASKED, { operationId });
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
      onConfirmed(confirmed) {
        report('confirmed', CONFIRMED, { confirmed });
        options.onConfirmed?.(confirmed);
      },
    });
    report('done', 1, { operationId: opened.operationId });
    return opened;
  } finally {
    unsubscribe();
  }
}
