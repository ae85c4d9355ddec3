/** A provider takes a decision back: every wallet of the person is revoked. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { scheduleReading } from '../src/checks/read-decisions.ts';
import { KeyError } from '../src/keys/keys.ts';
import {
  addressOf,
  type Browser,
  expectSigned,
  PERSON,
  startTestVerifier,
  type TestVerifier,
  witnessOf,
} from './support/test-verifier.ts';

let on: TestVerifier;
let signs = true;
beforeAll(async () => {
  on = await startTestVerifier();
  const { attestationKey } = on.verifier;
  const sign = attestationKey.sign.bind(attestationKey);
  Object.assign(attestationKey, {
    sign: (message: Uint8Array) =>
      signs ? sign(message) : Promise.reject(new KeyError('The key service did not respond.')),
  });
});
afterAll(() => on.end());
beforeEach(() => {
  on.service.messages.length = 0;
  on.service.next = [];
  signs = true;
  on.clock.pass(60);
});

const newPerson = () => ({ ...PERSON, document: randomUUID() });
const newWallet = () => addressOf(randomUUID());
const revoked = () => on.service.messages.filter(({ type }) => type === 'credential.revoked');

/** Lets the provider decide anew about the latest check. */
async function changes(decision: Parameters<TestVerifier['decide']>[0]): Promise<void> {
  await scheduleReading(on.verifier, await on.decide(decision));
  await on.background.tick();
}

/** Verifies wallets of one person, each in an own browser. */
async function verifyAll(form: typeof PERSON, ...wallets: string[]): Promise<Browser[]> {
  const browsers = [];
  for (const wallet of wallets) {
    const browser = on.browser();
    witnessOf(await on.verify(browser, { wallet }, form));
    browsers.push(browser);
  }
  on.service.messages.length = 0;
  return browsers;
}

test.each(['declined', 'retry'] as const)(
  'all wallets of the person are revoked, once, when a decision becomes %s',
  async (state) => {
    const wallets = [newWallet(), newWallet()];
    await verifyAll(newPerson(), newWallet());
    await verifyAll(newPerson(), ...wallets);
    await changes({ state });
    expect(
      revoked()
        .map(({ data }) => data.wallet)
        .sort(),
    ).toEqual([...wallets].sort());
    for (const event of revoked()) expectSigned(on, event);
    await changes({ state });
    expect(revoked()).toHaveLength(2);
  },
);

test('a revocation is repeated, with the same bytes, until the service accepts it', async () => {
  await verifyAll(newPerson(), newWallet());
  const sent: string[] = [];
  on.service.onMessage = ({ data }) => void sent.push(JSON.stringify(data, (_key, value) => `${value}`));
  on.service.next = [null, 503, 400, 404, 400, 401, 429];
  await changes({ state: 'declined' });
  for (let count = 0; count < 10; count += 1) {
    on.clock.pass(700);
    await on.background.tick();
  }
  expect(revoked()).toHaveLength(1);
  expect(sent).toHaveLength(8);
  expect(new Set(sent).size).toBe(1);
});

test('a key service that does not respond delays a revocation', async () => {
  await verifyAll(newPerson(), newWallet());
  signs = false;
  await changes({ state: 'declined' });
  expect(revoked()).toEqual([]);
  signs = true;
  on.clock.pass(60);
  await on.background.tick();
  expect(revoked()).toHaveLength(1);
});

test('one message that cannot be signed does not hold up the others', async () => {
  await verifyAll(newPerson(), newWallet());
  signs = false;
  await changes({ state: 'declined' });
  const browser = on.browser();
  const page = new URL((await browser.post(await on.open())).headers.get('location')!).pathname;
  await browser.get((await browser.post(`${page}/decline`)).headers.get('location')!);
  on.clock.pass(60);
  await on.background.tick();
  expect(on.service.messages.map(({ type }) => type)).toEqual(['verification.failed']);
  signs = true;
  on.clock.pass(60);
  await on.background.tick();
  expect(revoked()).toHaveLength(1);
});

test('an older decision that arrives late changes nothing', async () => {
  await verifyAll(newPerson(), newWallet());
  const before = on.clock.now() - 1;
  await changes({ state: 'declined', updatedAt: before });
  expect(revoked()).toEqual([]);
  await changes({ state: 'declined' });
  expect(revoked()).toHaveLength(1);
  on.clock.pass(1);
  await changes({ state: 'approved', updatedAt: before });
  const check = await on.database.db
    .selectFrom('person_check')
    .select('state')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(check.state).toBe('declined');
});

test('a person whom the provider declined later is not verified in another browser', async () => {
  const form = newPerson();
  const [first] = await verifyAll(form, newWallet(), newWallet());
  on.clock.pass(60);
  await changes({ state: 'declined' });
  const path = await on.open();
  // The key is not even asked.
  signs = false;
  const refused = await first!.post(path);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('took back an earlier approval');
});

test('a person who is approved again gets a credential that is newer than the revocation', async () => {
  const [wallet, form] = [newWallet(), newPerson()];
  await verifyAll(form, wallet);
  await changes({ state: 'declined' });
  const [revocation] = revoked();
  witnessOf(await on.verify(on.browser(), { wallet }, form));
  const completed = on.service.messages.find(({ type }) => type === 'verification.completed');
  const { revokedAt } = revocation!.data as { revokedAt: bigint };
  expect((completed!.data as { issuedAt: bigint }).issuedAt).toBeGreaterThan(revokedAt);
});

test('a decision that changes while a credential is signed leaves no credential', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open(), newPerson());
  const id = (await on.records.ids()).at(-1)!;
  const { personKey } = on.verifier;
  const mac = personKey.mac.bind(personKey);
  let isFirst = true;
  Object.assign(personKey, {
    mac: async (message: Uint8Array) => {
      if (isFirst) {
        isFirst = false;
        on.clock.pass(1);
        await changes({ state: 'declined' });
      }
      return mac(message);
    },
  });
  expect((await browser.get(back)).headers.get('location') ?? '').not.toContain('witness');
  Object.assign(personKey, { mac });
  expect(on.service.messages.map(({ type }) => type)).not.toContain('verification.completed');
  expect((await on.records.get(id))?.decision.state).toBe('declined');
});

test('a webhook that is lost is made good by the reading of a day later', async () => {
  await verifyAll(newPerson(), newWallet());
  await on.decide({ state: 'declined' });
  on.clock.pass(86_400);
  await on.background.tick();
  expect(revoked()).toHaveLength(1);
});

test('an approval is taken back while another approval of the person is signed: nothing is signed', async () => {
  const form = newPerson();
  witnessOf(await on.verify(on.browser(), { wallet: newWallet() }, form));
  const taken = (await on.records.ids()).at(-1)!;
  const browser = on.browser();
  const back = await on.enter(browser, await on.open({ wallet: newWallet() }), form);
  on.service.messages.length = 0;
  const { attestationKey } = on.verifier;
  const sign = attestationKey.sign.bind(attestationKey);
  Object.assign(attestationKey, {
    async sign(message: Uint8Array) {
      Object.assign(attestationKey, { sign });
      on.clock.pass(1);
      const record = (await on.records.get(taken))!;
      const decision = { ...record.decision, state: 'declined' as const, updatedAt: on.clock.now() };
      await on.records.set(taken, { ...record, decision });
      await scheduleReading(on.verifier, taken);
      await on.background.tick();
      return sign(message);
    },
  });
  const refused = await browser.get(back);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('took back an earlier approval');
  expect(on.service.messages.map(({ type }) => type)).not.toContain('verification.completed');
});

test('a webhook that comes while the decision is read is not lost', async () => {
  await verifyAll(newPerson(), newWallet());
  const latest = (await on.records.ids()).at(-1)!;
  const { provider } = on.verifier;
  const decision = provider.decision.bind(provider);
  Object.assign(provider, {
    async decision(id: string) {
      const before = await decision(id);
      if (id !== latest) return before;
      Object.assign(provider, { decision });
      on.clock.pass(1);
      await scheduleReading(on.verifier, await on.decide({ state: 'declined' }));
      return before;
    },
  });
  await scheduleReading(on.verifier, latest);
  await on.background.tick();
  await on.background.tick();
  expect(revoked()).toHaveLength(1);
});

test('a check that cannot be read for a defect does not hold up the others', async () => {
  const declined: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    await verifyAll(newPerson(), newWallet());
    on.clock.pass(1);
    declined.push(await on.decide({ state: 'declined' }));
  }
  const { provider } = on.verifier;
  const decision = provider.decision.bind(provider);
  let isFirst = true;
  Object.assign(provider, {
    async decision(id: string) {
      // The order in which the two are read is not certain.
      if (isFirst && declined.includes(id)) {
        isFirst = false;
        throw new TypeError('The adapter has a defect.');
      }
      return decision(id);
    },
  });
  for (const id of declined) await scheduleReading(on.verifier, id);
  await on.background.tick();
  expect(revoked()).toHaveLength(1);
  on.clock.pass(61);
  await on.background.tick();
  Object.assign(provider, { decision });
  expect(revoked()).toHaveLength(2);
});

test('an approval without a time gives no credential', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open({ wallet: newWallet() }), newPerson());
  await on.decide({ updatedAt: Number.NaN });
  expect((await browser.get(back)).status).toBe(503);
  await on.decide({ state: 'declined' });
});

test('an approval at a time in the future does not outdate a later decision', async () => {
  await verifyAll(newPerson(), newWallet());
  await changes({ updatedAt: on.clock.now() + 100 * 86_400_000 });
  on.clock.pass(60);
  await changes({ state: 'declined' });
  expect(revoked()).toHaveLength(1);
});

test('the revocation of a credential whose report got no response is repeated until the service accepts it', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open({ wallet: newWallet() }), newPerson());
  on.service.next = [null, null, null];
  expect((await browser.get(back)).status).toBe(502);
  on.service.next = Array<number>(10).fill(401);
  await changes({ state: 'declined' });
  for (let count = 0; count < 12; count += 1) {
    on.clock.pass(700);
    await on.background.tick();
  }
  expect(revoked()).toHaveLength(1);
});

test('the service learns that a person was declined while the credential was signed', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open({ wallet: newWallet() }), newPerson());
  const { attestationKey } = on.verifier;
  const sign = attestationKey.sign.bind(attestationKey);
  Object.assign(attestationKey, {
    async sign(message: Uint8Array) {
      Object.assign(attestationKey, { sign });
      on.clock.pass(1);
      await changes({ state: 'declined' });
      return sign(message);
    },
  });
  await browser.get(back);
  await on.background.tick();
  expect(on.service.messages.map(({ type }) => type)).toEqual(['verification.failed']);
});

test('a person who was declined long ago is still not verified by an older approval', async () => {
  const form = newPerson();
  const [first] = await verifyAll(form, newWallet(), newWallet());
  on.clock.pass(400 * 86_400);
  await changes({ state: 'declined' });
  for (let count = 0; count < 3; count += 1) await on.background.tick();
  const refused = await first!.post(await on.open());
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('took back an earlier approval');
});
