import { verifyWebhook, webhookSecrets } from '@service/contract/verifier';
import { ServiceFault } from '../http/failures/fault.ts';
import type { Service } from '../service.ts';
import { verifiersOf } from '../verification/verifiers.ts';

/**
 * Returns the name of the verifier that signed a webhook, by its headers and exact body.
 *
 * @throws ServiceFault AUTHENTICATION_REQUIRED if none did
 */
export function requireVerifier(
  { settings, clock }: Service,
  { headers, body }: { headers: Headers; body: string },
): string {
  let reason = '';
  for (const verifier of verifiersOf(settings)) {
    const secret = webhookSecrets(verifier);
    const verdict = verifyWebhook({ secret, now: clock.now(), body, headers });
    if (verdict.authentic) return verifier.name;
    reason = verdict.reason;
  }
  throw new ServiceFault('AUTHENTICATION_REQUIRED', `${reason}.`);
}
