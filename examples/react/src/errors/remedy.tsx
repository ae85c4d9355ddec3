import { isServiceError, type ServiceErrorCode } from '@service/sdk';
import { FaucetButton } from '#demo/development-wallet/faucet-button.tsx';
import { SectionLink } from '../site/section-link.tsx';
import type { ChosenAccount } from '../wallet/chosen-wallet.tsx';
import { RetryLater } from './retry-later.tsx';

interface RemedyProps {
  readonly error: Error;
  readonly account: ChosenAccount | undefined;
  readonly onRetry: (() => void) | undefined;
}

/** Pages where the person can fix an error. */
const PAGES: Partial<Record<ServiceErrorCode, readonly [path: string, name: string]>> = {
  CREDENTIAL_REQUIRED: ['/holder#credential', 'Get verified'],
  CREDENTIAL_EXPIRED: ['/holder#credential', 'Get verified'],
  VERIFIER_INACTIVE: ['/holder#credential', 'Get verified'],
  WITNESS_INVALID: ['/holder#credential', 'Get verified'],
  VERIFICATION_FAILED: ['/holder#credential', 'Get verified'],
  NO_PLACE_FREE: ['/holder#rule-sets', 'Choose a wallet to replace'],
  PLACE_TAKEN: ['/holder#rule-sets', 'Prove again'],
  PLACE_NOT_HELD: ['/holder#rule-sets', 'Choose another wallet'],
  MINT_NOT_BOUND: ['/issuer#bind', 'Bind the token'],
};

/** Offers the next step of an error, if a page can offer one. */
export function Remedy({ error, account, onRetry }: RemedyProps) {
  if (!isServiceError(error)) return onRetry ? <RetryButton onRetry={onRetry} /> : null;
  if (isServiceError(error, 'INSUFFICIENT_FUNDS') && account) {
    return <FaucetButton account={error.context.wallet} name={account.name} />;
  }
  if (isServiceError(error, 'SIGNED_OPERATION_PENDING') && error.context.seconds && onRetry) {
    return <RetryLater seconds={error.context.seconds} onRetry={onRetry} />;
  }
  const page = PAGES[error.code];
  if (page) {
    const [path, name] = page;
    return <SectionLink href={path}>{name}</SectionLink>;
  }
  const canRetry = error.retryable || isServiceError(error, 'OUTCOME_UNKNOWN');
  return canRetry && onRetry ? <RetryButton onRetry={onRetry} /> : null;
}

function RetryButton({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div>
      <button type="button" className="button-small" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
