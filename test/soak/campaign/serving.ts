/** The configuration that all servers of a campaign share. */
import { WEBHOOK_SECRET } from '@service/test-support/service';
import { ORIGIN } from '../load/wallet-client.ts';
import type { Chain } from '../system/chain.ts';
import { openVerifier } from '../system/verifier.ts';

/** Opens a verifier, and returns it with the variables of the servers. */
export async function openServing(chain: Chain) {
  const verifier = await openVerifier();
  return {
    verifier,
    env: {
      ...chain.env,
      ORIGIN,
      WEBHOOK_SECRET,
      VERIFIER_URL: verifier.url,
      POLL_INTERVAL_MS: '200',
      // Each wallet of the load has its own address.
      TRUSTED_PROXIES: 'loopback',
      START_SECONDS: '10',
    },
  };
}
