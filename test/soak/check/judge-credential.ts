/** Judges a delivered credential and its revocation by the account on chain. */

import type { Fault, Finding, Judged } from './finding.ts';
import type { CredentialHistory } from './history.ts';

/** The one reason for which the credentials of a campaign may fail: they are valid, and they do not expire during it. */
const REVOKED_FIRST = 'The verifier revoked the credential before it was on chain.';

/** Judges the credential of a wallet, and its revocation if there is one. */
export function judgeCredential(history: CredentialHistory): Judged[] {
  const { revocation } = history;
  return revocation ? [judgeIssue(history), judgeRevocation(history)] : [judgeIssue(history)];
}

function judgeIssue({
  wallet,
  credential,
  revocation,
  session,
  onChain,
  successes,
}: CredentialHistory): Judged {
  const { isAcknowledged, commitment, issuedAt } = credential;
  const findings: Finding[] = [];
  const find = (fault: Fault, what: string) =>
    findings.push({ fault, what: `credential of ${wallet}: ${what}` });
  const state = session?.state ?? 'unknown';
  const isOnChain =
    onChain !== null &&
    onChain.commitment === commitment &&
    (onChain.revoked ? onChain.issuedAt >= issuedAt : onChain.issuedAt === issuedAt);
  if (successes > (revocation ? 2 : 1)) find('doubled', `${successes} transactions changed it`);
  if (state === 'ISSUED' && !isOnChain) find('wrong', 'is ISSUED, but not on chain');
  if (state === 'FAILED') {
    if (session?.failure !== REVOKED_FIRST || !revocation) find('wrong', `failed: ${session?.failure}`);
    else if (isOnChain && !onChain.revoked) find('wrong', 'failed as revoked, but is valid on chain');
  }
  if (state === 'ISSUING') find('stuck', 'is still ISSUING');
  if (isAcknowledged && (state === 'STARTED' || state === 'unknown')) find('lost', `is ${state}`);
  return { isAcknowledged, isFinal: state === 'ISSUED' || state === 'FAILED', findings };
}

function judgeRevocation({ wallet, revocation, revocationState, onChain }: CredentialHistory): Judged {
  const { isAcknowledged, revokedAt } = revocation!;
  const findings: Finding[] = [];
  const find = (fault: Fault, what: string) =>
    findings.push({ fault, what: `revocation of ${wallet}: ${what}` });
  const isLive = onChain !== null && !onChain.revoked && onChain.issuedAt <= revokedAt;
  if (revocationState === 'REVOKING') find('stuck', 'is still REVOKING');
  else if (isAcknowledged && revocationState === null) find('lost', 'is unknown');
  else if (isAcknowledged && isLive)
    find('wrong', `is ${revocationState}, but the credential is valid on chain`);
  return {
    isAcknowledged,
    isFinal: revocationState === 'WATCHING' || revocationState === 'SETTLED',
    findings,
  };
}
