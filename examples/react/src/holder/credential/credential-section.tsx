import type { Credential, Passport } from '@service/sdk';
import { useCredential, usePassport } from '@service/sdk/react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { useChainNow } from '../passport/use-chain-now.ts';
import { SavedWitnessForm } from './saved-witness.tsx';
import { useGetVerified } from './use-get-verified.ts';
import { VerificationNotice } from './verification-notice.tsx';
import { useHeldWitness } from './witness.tsx';

export function CredentialSection({ account }: { readonly account: ChosenAccount }) {
  const { data: passport, error: passportError, refetch } = usePassport();
  const { witness, error: witnessError } = useHeldWitness();
  const awaited = useCredential(witness);
  const isWaiting = awaited.isOnItsWay;
  const getVerified = useGetVerified();
  return (
    <section aria-labelledby="credential" className="card stack">
      <h2 id="credential">Your credential</h2>
      {!passport && !passportError && <p role="status">Loading your passport…</p>}
      {passport && !isWaiting && (
        <State passport={passport} hasWitness={witness !== null} hasError={awaited.error !== null} />
      )}
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
      {passport?.credential && !isWaiting && <SavedWitnessForm account={account} />}
      {passportError && <ErrorNotice error={passportError} onRetry={() => refetch()} />}
      {witnessError && <ErrorNotice error={witnessError} account={account} />}
      {awaited.error && <ErrorNotice error={awaited.error} onRetry={() => awaited.refetch()} />}
      {getVerified.error && <ErrorNotice error={getVerified.error} account={account} />}
    </section>
  );
}

interface StateProps {
  readonly passport: Passport;
  readonly hasWitness: boolean;
  /** Whether the page shows why no credential comes. */
  readonly hasError: boolean;
}

function State({ passport: { credential, verification }, hasWitness, hasError }: StateProps) {
  return (
    <>
      <VerificationNotice
        verification={verification}
        hasCredential={credential !== null}
        hasError={hasError}
      />
      {credential ? (
        <CredentialState credential={credential} hasWitness={hasWitness} />
      ) : (
        <p>
          A verifier checks you once. The service puts a credential on chain. It shows none of your
          attributes. Only this browser receives the witness.
        </p>
      )}
    </>
  );
}

interface CredentialStateProps {
  readonly credential: Credential;
  readonly hasWitness: boolean;
}

function CredentialState({ credential: { revoked, expiresAt }, hasWitness }: CredentialStateProps) {
  const now = useChainNow();
  const until = new Date(Number(expiresAt) * 1000).toLocaleDateString();
  if (revoked || (now !== null && expiresAt <= now)) {
    return (
      <p className="notice notice-warn">
        {revoked ? 'The verifier revoked your credential.' : `Your credential expired on ${until}.`} You
        cannot get new passes with it. Get verified again.
      </p>
    );
  }
  return (
    <>
      <p>
        <span className="badge badge-good">verified</span> until {until}.{' '}
        {hasWitness
          ? 'Your witness (region, status, birth date and two secret numbers) is in this tab. With it, you can prove the rule sets that you meet.'
          : 'Your witness is not in this tab any more, and a proof needs it.'}
      </p>
      {hasWitness && (
        <p className="hint">
          It is never sent to a server. Whoever gets it can find all your wallets in rule sets that limit
          them. You lose it when you close the tab, or reload the page after a proof, unless you save it.
        </p>
      )}
    </>
  );
}
