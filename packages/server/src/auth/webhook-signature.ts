import { verifyWebhook, webhookSecrets } from '@service/contract/verifier';
import { ServiceFault } from '../http/failures/fault.ts';
import type { Service } from '../service.ts';

/** Checks that the verifier signed a webhook, by its headers and exact body. @throws ServiceFault AUTHENTICATION_REQUIRED */
export function requireVerifier(
  { settings, clock }: Service,
  { headers, body }: { headers: Headers; body: string },
): void {
  const secret = webhookSecrets(settings.verifier);
  const verdict = verifyWebhook({ secret, now: clock.now(), body, headers });
  if (!verdict.authentic) throw new ServiceFault('AUTHENTICATION_REQUIRED', `${verdict.reason}.`);
}
