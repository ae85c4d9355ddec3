/** The read endpoints (SPEC.md section 4). */
import { indexedSlot } from '../chain-index/freshness.ts';
import { defineRoute } from '../http/routing/define-route.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { registerArtifacts } from './artifacts.ts';
import { readConfig } from './config.ts';
import { readNetwork } from './network.ts';
import { readPassport } from './passport.ts';
import { readProofContext } from './proof-context.ts';
import { readRules } from './rule-sets.ts';

export { assertCanProve } from './can-prove.ts';

/** Serves config, network, rules, passport, the proof context, and the proof artifacts. */
export function registerReads(app: HttpApp, service: Service): void {
  const { shared } = service;
  // Include the slot of the index in the key, so that a shared answer is never older than the index.
  const asOfIndex = async (...what: unknown[]) => JSON.stringify([`${await indexedSlot(service)}`, ...what]);
  defineRoute(app, service, 'config', () => readConfig(service));
  defineRoute(app, service, 'network', async () =>
    shared(await asOfIndex('network'), (signal) => readNetwork(service, signal)),
  );
  defineRoute(app, service, 'rules', async ({ query }) =>
    shared(await asOfIndex('rules', query.limit, query.cursor), (signal) =>
      readRules(service, query, signal),
    ),
  );
  defineRoute(app, service, 'passport', ({ wallet, signal }) => readPassport(service, wallet, signal));
  defineRoute(app, service, 'proofContext', ({ wallet, body, signal }) =>
    readProofContext(service, { wallet, rule: body.rule }, signal),
  );
  registerArtifacts(app, service);
}
