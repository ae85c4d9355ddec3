import type { Passport } from '@service/sdk';
import { usePassport } from '@service/sdk/react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { useCredentialOnItsWay, useGetVerified } from './use-verification.ts';
import { useHeldWitness } from './witness.tsx';

export function CredentialSection({ account }: { readonly account: ChosenAccount }) {
  const { data: passport, error: passportError, refetch } = usePassport();
  const { witness, error: witnessError } = useHeldWitness();
  const onItsWay = useCredentialOnItsWay(account.address);
  const getVerified = useGetVerified(account.address);
  const isWaiting = onItsWay.isFetching;
  return (
    <section aria-labelledby="credential" className="card stack">
      <h2 id="credential">Your credential</h2>
      {!passport && !passportError && <p role="status">Loading your passport…</p>}
      {passport && !isWaiting && <State passport={passport} hasWitness={witness !== null} />}
      <p role="status" className="result">
        {isWaiting && 'You are verified. Waiting until your credential is on chain. This takes some seconds.'}
      </p>
      {passport && !isWaiting && (
        <div>
          <ActionButton
            className={witness && passport.credential ? 'button-quiet' : 'button'}
            busy={getVerified.isPending}
            busyText="Opening the verifier…"
            onClick={() => getVerified.mutate()}
          >
            {passport.credential ? 'Get verified again' : 'Get verified'}
          </ActionButton>
        </div>
      )}
      {passportError && <ErrorNotice error={passportError} onRetry={() => refetch()} />}
      {witnessError && <ErrorNotice error={witnessError} account={account} />}
      {onItsWay.error && <ErrorNotice error={onItsWay.error} onRetry={() => onItsWay.refetch()} />}
      {getVerified.error && <ErrorNotice error={getVerified.error} account={account} />}
    </section>
  );
}

interface StateProps {
  readonly passport: Passport;
  readonly hasWitness: boolean;
}

function State({ passport: { credential, verification }, hasWitness }: StateProps) {
  if (credential?.revoked) {
    return (
      <p className="notice notice-warn">The verifier revoked your credential. It gives no new passes.</p>
    );
  }
  if (!credential) {
    return (
      <>
        {verification?.state === 'FAILED' && (
          <p className="notice notice-warn">The verifier did not verify you. You can try again.</p>
        )}
        {verification?.state === 'STARTED' && (
          <p className="notice">You came back before the verification was complete. Start it again.</p>
        )}
        <p>
          A verifier checks who you are, once. It writes a credential on chain that shows nothing about you,
          and gives the facts behind it only to this browser.
        </p>
      </>
    );
  }
  const until = new Date(Number(credential.expiresAt) * 1000);
  return (
    <>
      <p>
        <span className="badge badge-good">verified</span> until {until.toLocaleDateString()}.{' '}
        {hasWitness
          ? 'This tab has your private data, so you can prove rule sets now.'
          : 'Your private data is not in this tab any more. To prove a rule set, get verified again.'}
      </p>
      {hasWitness && (
        <p className="hint">
          Your private data stays in this tab until you prove or close the tab. It is never sent to a server.
        </p>
      )}
    </>
  );
}
