/** The configuration that all servers of a campaign share. */
import { WEBHOOK_SECRET } from '@service/server/test-service';
import { ORIGIN } from '../load/wallet-client.ts';
import type { Chain } from '../system/chain.ts';
import { openEventReceiver } from '../system/event-receiver.ts';
import { openVerifier } from '../system/verifier.ts';

/** Opens a verifier and a receiver of events, and returns them with the variables of the servers. */
export async function openServing(chain: Chain) {
  const [verifier, receiver] = await Promise.all([openVerifier(), openEventReceiver()]);
  return {
    verifier,
    receiver,
    env: {
      ...chain.env,
      ORIGIN,
      WEBHOOK_SECRET,
      VERIFIER_URL: verifier.url,
      EVENTS_URL: receiver.url,
      EVENTS_SECRET: WEBHOOK_SECRET,
      POLL_INTERVAL_MS: '200',
      // Each wallet of the load has its own address.
      TRUSTED_PROXIES: 'loopback',
      START_SECONDS: '10',
    },
  };
}
