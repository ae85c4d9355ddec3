import { RefusalReport } from '#demo/lies/refusal-report.tsx';
import { refusalOf } from '#demo/lies/refusals.ts';
import { InView } from '../site/in-view.tsx';
import type { ChosenAccount } from '../wallet/chosen-wallet.tsx';
import { ErrorDetails } from './error-details.tsx';
import { wordsOf } from './error-words.ts';
import { Remedy } from './remedy.tsx';
import { useIsOver } from './use-is-over.ts';

interface ErrorNoticeProps {
  readonly error: Error;
  /** The account that acts. With it, the notice can offer SOL. */
  readonly account?: ChosenAccount;
  /** Does the same again. It is offered only if that can help. */
  readonly onRetry?: () => void;
}

/** Says what happened and what to do, and offers the next step. A refused lie of the service gets a report instead. */
export function ErrorNotice({ error, account, onRetry }: ErrorNoticeProps) {
  const isOver = useIsOver(error);
  const refusal = refusalOf(error);
  if (refusal) {
    return (
      <InView>
        <RefusalReport refusal={refusal} />
      </InView>
    );
  }
  if (isOver) return null;
  return (
    <div role="alert" className="notice notice-bad stack-small">
      <p>{wordsOf(error)}</p>
      <Remedy error={error} account={account} onRetry={onRetry} />
      <ErrorDetails error={error} />
    </div>
  );
}
