import type { Passport } from '@service/sdk';

interface VerificationNoticeProps {
  /** The latest verification of the wallet, if there is one. */
  readonly verification: Passport['verification'];
  readonly hasCredential: boolean;
  /** Whether the page shows why no credential comes. */
  readonly hasError: boolean;
}

/** Says why a verification has not led to a credential. */
export function VerificationNotice({ verification, hasCredential, hasError }: VerificationNoticeProps) {
  if (verification?.state === 'FAILED' && !hasError)
    return <p className="notice notice-warn">The verifier did not verify you. You can try again.</p>;
  if (verification?.state !== 'STARTED') return null;
  if (verification.pendingSince !== undefined)
    return (
      <p className="notice">
        Your verification is in review. This can take days. Come back later, and get verified again.
      </p>
    );
  if (hasCredential) return null;
  return <p className="notice">You came back before the verification was complete. Start it again.</p>;
}
