import type { Wallet } from '@service/sdk';
import {
  useCredential,
  usePass,
  useProofCheck,
  useProve,
  useStartVerification,
  useWitness,
} from '@service/sdk/react';
import { ErrorText } from './error-text.tsx';
import { rule } from './service.ts';

export function Pass({ wallet }: { readonly wallet: Wallet }) {
  const pass = usePass({ rule, wallet: wallet.address });
  const expiry = pass.data?.secondsLeft ? new Date(Number(pass.data.expiresAt) * 1000) : null;
  return (
    <section>
      <h2>Your pass</h2>
      {expiry ? <p>Open until {expiry.toLocaleString()}.</p> : pass.isFetched && <Proof wallet={wallet} />}
      <ErrorText error={pass.error} />
    </section>
  );
}

const VERIFY_AGAIN = ['CREDENTIAL_REQUIRED', 'CREDENTIAL_EXPIRED', 'WITNESS_INVALID'];

function Proof({ wallet }: { readonly wallet: Wallet }) {
  const { witness, forget } = useWitness(wallet, { storage: () => sessionStorage });
  const credential = useCredential(witness);
  const check = useProofCheck({ rule, witness }, { enabled: credential.isFetched });
  const { prove, cancel, progress, isPending, error } = useProve(wallet);
  const reasons = check.data?.ok === false ? check.data.reasons : [];

  if (credential.isOnItsWay) return <p>You are verified. Your credential is on its way.</p>;
  if (!check.data) return check.error ? <ErrorText error={check.error} /> : <p>One moment…</p>;
  if (!witness || reasons.some(({ code }) => VERIFY_AGAIN.includes(code))) {
    return (
      <>
        <ErrorText error={credential.error} />
        <GetVerified />
      </>
    );
  }
  return (
    <>
      {reasons.map(({ code, who }) => (
        <p key={code}>
          {who}: {code}
        </p>
      ))}
      <button
        type="button"
        disabled={!check.data.ok || isPending}
        onClick={() => prove({ rule, witness }).then(forget, () => undefined)}
      >
        Prove
      </button>
      {progress && isPending && (
        <>
          <progress aria-label={progress.step} value={progress.fraction} />
          <button type="button" disabled={!progress.canCancel} onClick={cancel}>
            Cancel
          </button>
        </>
      )}
      <ErrorText error={error} />
    </>
  );
}

function GetVerified() {
  const start = useStartVerification();
  const leave = () =>
    start.mutate(
      { returnUrl: `${location.origin}${location.pathname}` },
      { onSuccess: ({ url }) => location.assign(url) },
    );
  return (
    <>
      <button type="button" disabled={start.isPending} onClick={leave}>
        Get verified
      </button>
      <ErrorText error={start.error} />
    </>
  );
}
