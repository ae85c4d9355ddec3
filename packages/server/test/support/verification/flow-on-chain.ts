/** Set-up of tests of a whole verification: a service and a sandbox verifier that listen. */
import { type Passport, passportResponse } from '@service/contract';
import type { Visitor } from '@service/server/test-service';
import { takeApprovalBack, visitHostedPage } from '@service/test-support';
import * as z from 'zod/mini';
import { startCredentialIssuer } from '../../../src/verification/issuing/issuer.ts';
import { serviceOnChain } from '../service-on-chain.ts';

/** What a person enters on the hosted page. */
export const PERSON = { region: 'JP', status: 'professional', birthDate: '1984-02-29' } as const;

/** Registers the hooks of `serviceOnChain` with a verifier, and returns its parts with steps of a verification. */
export function flowOnChain(options: Parameters<typeof serviceOnChain>[0] = {}) {
  const on = serviceOnChain({ withVerifier: true, ...options });
  return Object.assign(on, {
    /** Starts a verification of a wallet. */
    start: (by: Visitor, returnUrl = `${on.site}/`) =>
      by.post<{ sessionId: string; url: string; expiresAt: string }>('/api/verification-sessions', {
        returnUrl,
      }),

    /** Passes the hosted page. Returns the URL to which the person goes back, and the page of the check. */
    complete: (url: string) => visitHostedPage(url, PERSON),

    /** Takes an approval back, and resolves when the service has the revocation. */
    async takeBack(checkUrl: string): Promise<void> {
      await takeApprovalBack(checkUrl);
      await on.verifier.settle();
    },

    /** Runs the issuer until its transactions are finalized and it has read them. */
    async settle(): Promise<void> {
      const issuer = startCredentialIssuer(on.service.service);
      for (const _ of ['send', 'see']) {
        await issuer.tick();
        await on.service.follow();
      }
      await issuer.tick();
    },

    passport: async (of: Visitor): Promise<Passport> =>
      z.decode(passportResponse, (await of.get('/api/passport')).body as never),
  });
}
