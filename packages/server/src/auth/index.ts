import { defineRoute } from '../http/routing/define-route.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { answerChallenge, issueChallenge } from './challenge.ts';
import { clearCookie, endSession, openSession, readSession } from './session.ts';

/** Serves sign-in by wallet (SPEC.md section 5). */
export function registerAuth(app: HttpApp, service: Service): void {
  defineRoute(app, service, 'challenge', ({ body }) => issueChallenge(service, body.wallet));
  defineRoute(app, service, 'verify', async ({ body, context }) => {
    const wallet = await answerChallenge(service, body);
    // End the browser's previous session: its token must not outlive the sign-in of another wallet.
    await endSession(service, context);
    return { wallet, expiresAt: await openSession(service, context, wallet) };
  });
  defineRoute(app, service, 'session', async ({ context }) => {
    const session = await readSession(service, context);
    return { wallet: session.state === 'live' ? session.wallet : null };
  });
  defineRoute(app, service, 'logout', async ({ context }) => {
    await endSession(service, context);
    clearCookie(service, context);
    return { wallet: null };
  });
}
