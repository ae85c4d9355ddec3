import { isServiceError } from '@service/sdk';
import { RefusalReport } from '../lies/refusal-report.tsx';
import { refusalOf } from '../lies/refusals.ts';
import type { ChosenAccount } from '../wallet/chosen-wallet.tsx';
import { ErrorDetails } from './error-details.tsx';
import { Remedy } from './remedy.tsx';

interface ErrorNoticeProps {
  readonly error: Error;
  /** The account that acts. With it, the notice can offer SOL. */
  readonly account?: ChosenAccount;
  /** Does the same again. It is offered only if that can help. */
  readonly onRetry?: () => void;
}

/** Says what happened and what to do, and offers the next step. A refused lie of the service gets a report instead. */
export function ErrorNotice({ error, account, onRetry }: ErrorNoticeProps) {
  const refusal = refusalOf(error);
  if (refusal) {
    return (
      <div role="alert">
        <RefusalReport refusal={refusal} />
      </div>
    );
  }
  return (
    <div role="alert" className="notice notice-bad stack-small">
      <p>{messageOf(error)}</p>
      <Remedy error={error} account={account} onRetry={onRetry} />
      <ErrorDetails error={error} />
    </div>
  );
}

/** Messages of the SDK are for people: what happened, then what to do. These two need words of this page. */
function messageOf(error: Error): string {
  if (isServiceError(error, 'WALLET_REJECTED')) {
    return 'You declined in your wallet. Nothing was sent. Try again when you are ready.';
  }
  if (isServiceError(error, 'NOT_ELIGIBLE')) {
    return 'You do not meet this rule set, so no pass was opened. Nothing was sent.';
  }
  return error.message;
}
