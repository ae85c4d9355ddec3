import { isServiceError } from '@service/sdk';
import type { ProveStep } from '@service/sdk/query';
import { useId } from 'react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { Countdown, READY } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { useProving } from './proving.tsx';

const STEPS: Readonly<Record<ProveStep, string>> = {
  checks: 'Checking the rule set and your credential',
  artifacts: 'Loading the proof artifacts',
  proof: 'Making the proof on this device',
  verification: 'Checking the proof',
  wallet: 'Approve in your wallet',
  finality: 'Waiting until your pass is final',
  confirmed: 'Confirmed. Waiting until your pass is final',
  done: 'Done. You have a pass',
};

/** One bar for the whole way, from the first check to the final pass. */
export function ProofProgress({ account }: { readonly account: ChosenAccount }) {
  const { progress, isPending, isReady, isDone, error, sign, cancel } = useProving();
  const label = useId();
  if (error) {
    // The person cancelled, so there is nothing to fix.
    if (isServiceError(error, 'ABORTED')) return <p role="status">Cancelled. Nothing was sent.</p>;
    return <ErrorNotice error={error} account={account} />;
  }
  if (isDone) return <p role="status">{STEPS.done}.</p>;
  if (!isPending) return null;
  const { step = 'checks', fraction = 0, canCancel = true } = progress ?? {};
  return (
    <div className="stack-small">
      <p id={label} role="status">
        {isReady ? `${READY} You have half a minute.` : `${STEPS[step]}…`}
        <Countdown confirmed={progress?.confirmed} />
      </p>
      <progress className="progress" value={fraction} aria-labelledby={label} />
      <div className="row">
        {isReady && (
          <button type="button" className="button" onClick={sign}>
            Sign
          </button>
        )}
        <button type="button" className="button-quiet" disabled={!canCancel} onClick={cancel}>
          Cancel
        </button>
        {!canCancel && <span className="hint">You signed, so the proof can no longer be cancelled.</span>}
      </div>
    </div>
  );
}
