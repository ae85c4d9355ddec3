/** Verification: sessions at the external verifier, its webhook, and the issuer of credentials and revocations. */
import { WEBHOOK_HEADERS } from '@service/contract/verifier';
import { defineRoute } from '../http/routing/define-route.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';
import { issuerStep } from './issuing/issuer.ts';
import { startVerification } from './start-verification.ts';
import { receiveWebhook } from './webhook/receive-webhook.ts';

export { isFeePayerPoor, readFeePayerBalance, warnOfLowBalance } from './issuing/fee-payer.ts';

/** Registers verification sessions and the verifier's webhook. */
export function registerVerification(app: HttpApp, service: Service): void {
  defineRoute(app, service, 'verificationSessions', ({ wallet, body, signal }) =>
    startVerification(service, { wallet, returnUrl: body.returnUrl, signal }),
  );
  defineRoute(app, service, 'webhook', async ({ body, context }) => {
    const id = context.req.header(WEBHOOK_HEADERS.id) ?? '';
    await receiveWebhook(service, { id, event: body });
    return { received: true };
  });
}

/** Starts the issuer, which puts accepted credentials and revocations on chain. */
export function startCredentialIssuer(service: Service): Background {
  return startBackground(service, {
    name: 'credential issuer',
    job: 'credential issuer',
    step: (signal) => issuerStep(service, signal),
  });
}
