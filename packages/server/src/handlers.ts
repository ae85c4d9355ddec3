/** The handler of each route of the contract. */
import { issueChallenge, signIn } from './auth/challenge.ts';
import { readSession, signOut } from './auth/session.ts';
import { indexedSlot } from './chain-index/freshness.ts';
import { sharedReadiness } from './health/readiness.ts';
import type { Handlers } from './http/routing/route-types.ts';
import { adopt } from './operations/adopt.ts';
import { withDraftExpiry } from './operations/prepare/drafts.ts';
import { PREPARING_HANDLERS } from './operations/prepare/prepare.ts';
import { findOperation, operationRecordOf } from './operations/record.ts';
import { submit } from './operations/submit.ts';
import { readConfig } from './reads/config.ts';
import { readMintBinding } from './reads/mint-binding.ts';
import { readNetwork } from './reads/network.ts';
import { readPassport } from './reads/passport.ts';
import { readProofContext } from './reads/proof-context.ts';
import { readRules } from './reads/rule-sets.ts';
import type { Service } from './service.ts';
import { startVerification } from './verification/start-verification.ts';
import { receiveWebhook } from './verification/webhook/receive-webhook.ts';

/** All handlers, by the name of the route. */
export const HANDLERS: Handlers = {
  ...PREPARING_HANDLERS,
  adopt,
  submit,
  async operation(service, { params, wallet }) {
    const row = await findOperation(service, { id: params.id ?? '', wallet });
    return operationRecordOf(service, await withDraftExpiry(service, row));
  },
  challenge: issueChallenge,
  verify: signIn,
  async session(service, { context }) {
    const session = await readSession(service, context);
    return { wallet: session.state === 'live' ? session.wallet : null };
  },
  logout: signOut,
  config: readConfig,
  network: (service) => asOfIndex(service, 'network', (signal) => readNetwork(service, signal)),
  rules: (service, { query }) =>
    asOfIndex(service, ['rules', query.limit, query.cursor], (signal) => readRules(service, query, signal)),
  mintBinding: (service, { query: { mint } }) =>
    asOfIndex(service, ['mintBinding', mint], (signal) => readMintBinding(service, mint, signal)),
  passport: readPassport,
  proofContext: readProofContext,
  verificationSessions: startVerification,
  async webhook(service, input) {
    await receiveWebhook(service, input);
    return { received: true };
  },
  live: () => ({ status: 'ok' }),
  ready: sharedReadiness,
};

/** Returns a shared answer. Its key contains the slot of the index, so that the answer is never older than the index. */
async function asOfIndex<T>(service: Service, what: unknown, read: (signal: AbortSignal) => Promise<T>) {
  return service.shared(JSON.stringify([`${await indexedSlot(service)}`, what]), read);
}
