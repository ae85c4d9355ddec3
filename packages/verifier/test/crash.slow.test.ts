/**
 * Kills a verifier at each of its calls, one after another: to the database, the provider, the keys and the service. Another
 * process continues, and the person tries again. Nothing is lost, and nothing is signed that the audit trail does not have.
 */
import { randomUUID } from 'node:crypto';
import type { WebhookRequest } from '@service/contract';
import { type Around, throughDriver } from '@service/test-support/through-driver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAudit } from '../src/audit/audit.ts';
import type { Database } from '../src/database/database.ts';
import { fileAttestationKey, filePersonKey } from '../src/keys/file-keys.ts';
import { recordsInMemory } from '../src/providers/decision-records.ts';
import { sandboxProvider } from '../src/providers/sandbox.ts';
import { openTestDatabase } from './support/test-database.ts';
import {
  addressOf,
  Browser,
  ORIGIN,
  PERSON,
  RecordingService,
  StillClock,
  startTestVerifier,
  testKeypair,
  witnessOf,
} from './support/test-verifier.ts';

let database: Database;
const clock = new StillClock();
const records = recordsInMemory();
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** A service that accepts one credential for each session, like the real one. */
class StrictService extends RecordingService {
  readonly accepted = new Map<string, string>();
  constructor() {
    super(clock);
    this.onMessage = (event: WebhookRequest) => {
      if (event.type !== 'verification.completed') return;
      const { sessionId, commitment } = event.data;
      const before = this.accepted.get(sessionId);
      if (before !== undefined && before !== commitment) this.next = [400];
      else this.accepted.set(sessionId, commitment);
    };
  }
}

/** Starts a process on the database. With a number of calls, it is killed after them. */
async function startProcess(service: RecordingService, calls = Number.POSITIVE_INFINITY) {
  let left = calls;
  const around: Around = async (call) => {
    const wasAlive = left >= 0;
    left -= 1;
    if (left >= 0) return call();
    // The last call takes effect, and its response is lost.
    if (wasAlive) await call();
    throw new Error('The process was killed.');
  };
  const provider = sandboxProvider({ origin: ORIGIN, records, clock });
  const [key, person] = [await fileAttestationKey(testKeypair()), filePersonKey(new Uint8Array(32).fill(3))];
  const started = await startTestVerifier({
    clock,
    database: { ...database, db: throughDriver(database.db, around) },
    provider: {
      ...provider,
      start: (check) => around(() => provider.start(check)),
      decision: (id) => around(() => provider.decision(id)),
    },
    attestationKey: { ...key, sign: (message) => around(() => key.sign(message)) },
    personKey: { mac: (id) => around(() => person.mac(id)) },
    fetch: (url, init) => around(() => service.fetch(url, init)),
  }).catch(() => null);
  return { started, hasCrashed: () => left < 0 };
}

/** Does what a person does, as far as the process lives. Returns the witness, or null. */
async function beVerified(browser: Browser, path: string, form: typeof PERSON) {
  const page = await browser.get(path);
  if (page.status !== 200) return null;
  let response = (await page.text()).includes(`${path}/back"`)
    ? await browser.get(`${path}/back`)
    : await browser.post(path);
  for (let steps = 0; steps < 6; steps += 1) {
    const location = response.headers.get('location');
    if (location === null) return null;
    if (location.includes('#witness=')) return witnessOf(response);
    const { pathname } = new URL(location, ORIGIN);
    if (pathname.startsWith('/provider/')) {
      const entered = await browser.post(pathname, form);
      response = entered.status === 303 ? entered : await browser.get(`${path}/back`);
    } else if (pathname.endsWith('/back')) {
      response = await browser.get(pathname);
    } else {
      const shown = await (await browser.get(pathname)).text();
      const provider = /\/provider\/checks\/[\w-]+/.exec(shown)?.[0];
      if (!provider && !shown.includes(`${path}/back"`)) return null;
      response = provider ? await browser.post(provider, form) : await browser.get(`${path}/back`);
    }
  }
  return null;
}

test('a verifier that is killed at any call loses nothing and signs nothing in secret', async () => {
  for (let calls = 1; ; calls += 1) {
    const service = new StrictService();
    const form = { ...PERSON, document: randomUUID() };
    const wallet = addressOf(randomUUID());
    const crashing = await startProcess(service, calls);
    const app = { current: crashing.started?.app };
    const browser = new Browser({ request: (url, init) => app.current!.request(url, init) });
    let path: string | null = null;
    let witness = null;
    if (crashing.started) {
      path = await crashing.started.open({ wallet }).catch(() => null);
      witness = path && (await beVerified(browser, path, form).catch(() => null));
    }
    const hasCrashed = crashing.hasCrashed();
    // The lease of a session that was being signed ends.
    clock.pass(61);
    const next = (await startProcess(service)).started!;
    app.current = next.app;
    if (path && !witness) witness = await beVerified(browser, path, form);
    // If the service had accepted a credential whose witness was lost, the person starts again at the site.
    if (!witness) witness = await beVerified(browser, await next.open({ wallet }), form);
    expect(witness, `killed at call ${calls}`).toMatchObject({ wallet });
    await next.background.tick();

    // Kill the revocation too, with the same number of calls.
    const completed = service.messages.filter(({ type }) => type === 'verification.completed');
    clock.pass(60);
    const check = await database.db
      .selectFrom('person_check')
      .select('provider_id')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const revoking = await startProcess(service, calls);
    app.current = revoking.started?.app;
    if (app.current) await browser.post(`/provider/checks/${check.provider_id}/take-back`).catch(() => null);
    app.current = next.app;
    await browser.post(`/provider/checks/${check.provider_id}/take-back`);
    await revoking.started?.background.tick().catch(() => undefined);
    for (let step = 0; step < 3; step += 1) {
      clock.pass(86_400);
      await next.background.tick();
    }
    const revocations = service.messages.filter(({ type }) => type === 'credential.revoked');
    expect(new Set(revocations.map(({ id }) => id)).size, `killed at call ${calls}`).toBe(1);
    const times = completed.map(({ data }) => (data as { issuedAt: bigint }).issuedAt);
    expect(times).toEqual([...new Set(times)].sort());
    const revokedAt = (revocations[0]!.data as { revokedAt: bigint }).revokedAt;
    expect(times.every((time) => time <= revokedAt)).toBe(true);

    // Every credential that left is in the audit trail.
    const signed = new Set<string>();
    await verifyAudit(database.db, (entry) => {
      const { what, commitment } = JSON.parse(entry);
      if (what === 'credential signed') signed.add(commitment);
    });
    for (const { data } of completed) {
      expect(signed.has((data as { commitment: string }).commitment), `killed at call ${calls}`).toBe(true);
    }
    if (!hasCrashed && !revoking.hasCrashed()) {
      // Fewer calls would mean that the process no longer does the work.
      expect(calls).toBeGreaterThan(40);
      break;
    }
  }
});
