/** A person is verified through each adapter, with the fake of its provider. */
import { randomUUID } from 'node:crypto';
import { readVariables } from '@service/configuration';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WEBHOOK_PATH } from '../src/http/app.ts';
import type { Policy } from '../src/policy/policy.ts';
import { PROVIDER_KINDS } from '../src/providers/kinds.ts';
import { type FakePerson, PERSON } from './providers/fake-person.ts';
import type { FakeProvider, FakeWebhook } from './providers/fake-provider.ts';
import { FAKES, startFake } from './providers/fakes.ts';
import {
  addressOf,
  type Browser,
  expectSigned,
  ORIGIN,
  StillClock,
  startTestVerifier,
  type TestVerifier,
  witnessOf,
} from './support/test-verifier.ts';

const POLICY: Policy = {
  version: '1',
  region: 'nationality',
  documents: ['passport'],
  credentialDays: 365,
  statusOfTag: {},
};

describe.each(Object.keys(FAKES) as (keyof typeof FAKES)[])('with %s', (name) => {
  let on: TestVerifier;
  let fake: FakeProvider;
  beforeAll(async () => {
    const clock = new StillClock();
    const times = { now: () => clock.now() };
    const started = await startFake(name, times);
    fake = started.fake;
    const { variables, create } = PROVIDER_KINDS[name]!;
    const { values } = readVariables(variables, started.environment);
    const provider = create(values, { origin: ORIGIN, ...times });
    on = await startTestVerifier({ clock, provider, settings: { policy: POLICY, allowSandbox: false } });
  });
  afterAll(async () => {
    fake.close();
    await on.end();
  });
  beforeEach(() => {
    on.service.messages.length = 0;
    on.clock.pass(60);
  });

  const newPerson = (): FakePerson => ({ ...PERSON, documentNumber: randomUUID() });
  const types = () => on.service.messages.map(({ type }) => type);

  test('a person is told to have an identity document ready', async () => {
    const page = await (await on.browser().get(await on.open())).text();
    expect(page).toContain('Have an identity document ready.');
  });

  /** Delivers a webhook, and lets the verifier read what is due. */
  async function deliver({ headers, body }: FakeWebhook): Promise<number> {
    const response = await on.app.request(`${ORIGIN}${WEBHOOK_PATH}`, { method: 'POST', headers, body });
    await on.background.tick();
    return response.status;
  }

  /** Lets a person agree and go to the provider. Returns the page of the provider. */
  async function begin(browser: Browser, path: string): Promise<string> {
    return (await browser.post(path)).headers.get('location')!;
  }

  /** Lets a person choose at the provider. Returns the page to which the provider sends the person. */
  async function choose(page: string, choice: string, person: FakePerson = newPerson()): Promise<string> {
    const { residence, nationality, ...typed } = person;
    const body = new URLSearchParams({ ...typed, choice });
    const response = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    return response.headers.get('location')!;
  }

  /** Verifies a wallet in a new browser. Returns the id of the check at the provider. */
  async function verify(wallet: string, person: FakePerson): Promise<string> {
    const browser = on.browser();
    const page = await begin(browser, await on.open({ wallet }));
    witnessOf(await browser.get(await choose(page, 'approved', person)));
    return [...fake.checks.keys()].at(-1)!;
  }

  test('an approved person goes back with the witness of what the document says', async () => {
    const browser = on.browser();
    const wallet = addressOf('alice');
    const page = await begin(browser, await on.open({ wallet }));
    expect(new URL(page).origin).toBe(fake.url);
    const witness = witnessOf(await browser.get(await choose(page, 'approved')));
    expect(witness).toMatchObject({ wallet, region: 'DE', status: 'retail', birthDate: '1990-05-17' });
    expect(types()).toEqual(['verification.completed']);
    expectSigned(on, on.service.messages[0]);
  });

  test('a person in review is approved by a webhook days later', async () => {
    const browser = on.browser();
    const path = await on.open();
    const page = await begin(browser, path);
    await browser.get(await choose(page, 'pending'));
    expect(await (await browser.get(path)).text()).toContain('Your check is in review');
    on.clock.pass(3 * 86_400);
    const later = await on.open();
    await browser.post(later);
    await choose(page, 'approved');
    expect(await deliver(fake.webhooks.at(-1)!)).toBe(200);
    expect(await (await browser.get(`${later}/state`)).json()).toEqual({ state: 'approved' });
    witnessOf(await browser.get(`${later}/back`));
  });

  test('a declined person gets no witness', async () => {
    const browser = on.browser();
    const path = await on.open();
    await browser.get(await choose(await begin(browser, path), 'declined'));
    expect(await (await browser.get(path)).text()).toContain('You were not verified');
    await on.background.tick();
    expect(types()).toEqual(['verification.failed']);
  });

  test('an approval with wrong data gives no credential', async () => {
    const browser = on.browser();
    const response = await browser.get(await choose(await begin(browser, await on.open()), 'wrong data'));
    expect(response.headers.get('location') ?? '').not.toContain('witness');
    await on.background.tick();
    expect(types()).not.toContain('verification.completed');
  });

  test('a decision that the provider takes back revokes every wallet of the person', async () => {
    const person = newPerson();
    const [first, second] = [addressOf(randomUUID()), addressOf(randomUUID())];
    const id = await verify(first, person);
    await verify(second, person);
    await verify(addressOf(randomUUID()), newPerson());
    on.service.messages.length = 0;
    on.clock.pass(5);
    await fake.decide(id, 'declined');
    expect(await deliver(fake.webhooks.at(-1)!)).toBe(200);
    expect(on.service.messages.map(({ data }) => data.wallet).sort()).toEqual([first, second].sort());
    expect(new Set(types())).toEqual(new Set(['credential.revoked']));
  });

  test('webhooks that are forged, repeated or late change nothing', async () => {
    const id = await verify(addressOf(randomUUID()), newPerson());
    const approved = fake.webhooks.at(-1)!;
    on.service.messages.length = 0;
    const forged = { ...approved, body: approved.body.replace(/GREEN|approved|Approved/g, 'declined') };
    expect(await deliver(forged)).toBe(401);
    expect(await deliver({ headers: {}, body: approved.body })).toBe(401);
    for (const webhook of [approved, approved]) expect(await deliver(webhook)).toBe(200);
    expect(types()).toEqual([]);

    await fake.decide(id, 'declined');
    const declined = fake.webhooks.at(-1)!;
    for (const webhook of [declined, approved, declined, approved]) expect(await deliver(webhook)).toBe(200);
    expect(types()).toEqual(['credential.revoked']);
  });

  test('nothing about the person is in the log', async () => {
    await verify(addressOf(randomUUID()), { ...PERSON, documentNumber: 'SECRET77' });
    expect(on.log.join('\n')).not.toMatch(/SECRET77|1990-05-17|2045-01-31/);
  });
});
