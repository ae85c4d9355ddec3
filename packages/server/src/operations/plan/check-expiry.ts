import { ServiceFault } from '../../http/failures/fault.ts';
import { CHAIN_TIME_SLACK_SECONDS } from './plan-scope.ts';

/** Checks when a pass is to expire, in Unix seconds. @throws ServiceFault INVALID_REQUEST */
export function checkExpiry(
  expiresAt: bigint,
  limits: { now: bigint; maxPassAgeSeconds: bigint; credentialExpiresAt?: bigint },
): void {
  const refuse = (rule: string) => {
    throw new ServiceFault('INVALID_REQUEST', `body.expiresAt must be ${rule}.`);
  };
  const { now, maxPassAgeSeconds, credentialExpiresAt } = limits;
  if (expiresAt <= now) refuse(`later than the chain time, ${now}`);
  const latest = now + maxPassAgeSeconds;
  if (expiresAt > latest + CHAIN_TIME_SLACK_SECONDS) {
    refuse(`at most maxPassAgeSeconds from the chain time: ${latest}`);
  }
  if (credentialExpiresAt !== undefined && expiresAt > credentialExpiresAt) {
    refuse(`no later than the credential’s expiry, ${credentialExpiresAt}`);
  }
}
