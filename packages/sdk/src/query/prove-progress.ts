/** The progress of a proof, which only goes forward. */
import { notify } from '../lib/notify.ts';
import type { Confirmed } from '../rpc/confirmed-options.ts';

/**
 * The steps of a proof, in order. In `wallet` the person is asked to sign; with `prepare` or `onReady`, the proof waits for
 * the click first. In `finality` the transaction is signed, and a cancel changes nothing on the chain. In `confirmed`, your own
 * RPC shows it as confirmed. The pass exists only in `done`. If your RPC does not show that, `done` follows `finality`.
 */
export type ProveStep =
  | 'checks'
  | 'artifacts'
  | 'proof'
  | 'verification'
  | 'wallet'
  | 'finality'
  | 'confirmed'
  | 'done';

/** The progress of a proof from the first check to its final transaction. */
export interface ProveProgress {
  /** The finished part of the whole, from 0 to 1. It never decreases, and is 1 only once the pass is final. */
  readonly fraction: number;
  /** The current step. It never goes back. */
  readonly step: ProveStep;
  /** Whether a cancel still prevents the transaction: true until the wallet has signed. */
  readonly canCancel: boolean;
  /** UUID of the operation, once it is prepared. Keep it for `waitForOperation`. */
  readonly operationId?: string;
  /** In `confirmed`: when the transaction is probably final. */
  readonly confirmed?: Confirmed;
}

const ORDER: readonly ProveStep[] = [
  'checks',
  'artifacts',
  'proof',
  'verification',
  'wallet',
  'finality',
  'confirmed',
  'done',
];

/** Returns a function that reports only what goes forward. */
export function progressReporter(onProgress: ((progress: ProveProgress) => void) | undefined) {
  let last: ProveProgress | undefined;
  return (
    step: ProveStep,
    fraction: number,
    {
      operationId = last?.operationId,
      confirmed,
    }: { readonly operationId?: string; readonly confirmed?: Confirmed } = {},
  ) => {
    if (last && ORDER.indexOf(step) < ORDER.indexOf(last.step)) return;
    const next = Math.max(fraction, last?.fraction ?? 0);
    if (last?.step === step && last.fraction === next && last.operationId === operationId) return;
    const canCancel = ORDER.indexOf(step) < ORDER.indexOf('finality');
    last = Object.freeze({
      ...{ fraction: next, step, canCancel },
      ...(operationId ? { operationId } : {}),
      ...(confirmed ? { confirmed } : {}),
    });
    const progress = last;
    if (onProgress) notify(() => onProgress(progress));
  };
}
