/** A person gets verified: the pages, the messages to the service, and who gets the witness. */
import { createHmac, randomUUID } from 'node:crypto';
import { regionIndexOf, statusIndexOf } from '@service/contract';
import { commitmentOf, fieldToBytes, parseBirthDate } from '@service/protocol/eligibility';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { phoneTokenOf } from '../src/sessions/tokens.ts';
import {
  addressOf,
  expectSigned,
  ORIGIN,
  PERSON,
  startTestVerifier,
  type TestVerifier,
  witnessOf,
} from './support/test-verifier.ts';

let on: TestVerifier;
beforeAll(async () => {
  on = await startTestVerifier();
});
afterAll(() => on.end());
beforeEach(() => {
  on.service.messages.length = 0;
  on.service.next = [];
  on.clock.pass(60);
});

/** A person with an own document. */
const newPerson = () => ({ ...PERSON, document: randomUUID() });

test('a verified person goes back with the witness of the credential that the service got', async () => {
  const browser = on.browser();
  const wallet = addressOf('alice');
  const path = await on.open({ wallet });
  expect(await (await browser.get(path)).text()).toContain(wallet);
  const response = await browser.get(await on.enter(browser, path, newPerson()));
  const witness = witnessOf(response);
  expect(witness).toMatchObject({ wallet, region: 'JP', status: 'professional', birthDate: '1984-02-29' });
  const [event] = on.service.messages;
  expectSigned(on, event);
  const commitment = commitmentOf({
    region: regionIndexOf(witness.region)!,
    status: statusIndexOf(witness.status)!,
    birthDate: parseBirthDate(witness.birthDate),
    salt: BigInt(witness.salt),
    person: BigInt(witness.person),
  });
  expect(event?.data).toMatchObject({
    wallet,
    commitment: Buffer.from(fieldToBytes(commitment)).toString('hex'),
  });
  expect(await (await browser.get(path)).text()).toContain('This verification is finished');
});

test('a second wallet in the same browser needs no document, and is the same person', async () => {
  const [browser, form] = [on.browser(), newPerson()];
  const first = witnessOf(await on.verify(browser, { wallet: addressOf('first') }, form));
  const path = await on.open({ wallet: addressOf('second') });
  expect(await (await browser.get(path)).text()).toContain('You were verified here before');
  const second = witnessOf(await browser.post(path));
  expect(second).toMatchObject({ wallet: addressOf('second'), person: first.person });
  expect(second.salt).not.toBe(first.salt);
  const elsewhere = witnessOf(await on.verify(on.browser(), { wallet: addressOf('third') }, form));
  expect(elsewhere.person).toBe(first.person);
  const other = witnessOf(await on.verify(on.browser(), { wallet: addressOf('fourth') }, newPerson()));
  expect(other.person).not.toBe(first.person);
});

test('another person at the same browser begins a new check', async () => {
  const browser = on.browser();
  const first = witnessOf(await on.verify(browser, {}, newPerson()));
  const agreed = await browser.post(await on.open(), { check: 'new' });
  const entered = await browser.post(new URL(agreed.headers.get('location')!).pathname, newPerson());
  expect(witnessOf(await browser.get(entered.headers.get('location')!)).person).not.toBe(first.person);
});

test('the link alone gives nobody the witness of a person', async () => {
  const browser = on.browser();
  const path = await on.open();
  await on.enter(browser, path, newPerson());
  const service = on.browser();
  for (const response of [
    await service.get(path),
    await service.post(path),
    await service.get(`${path}/back`),
    await service.post(`${path}/again`),
    await service.get(`${path}/state`),
  ]) {
    expect(response.headers.get('location') ?? '').not.toContain('witness');
  }
  expect(await (await service.get(path)).text()).toContain('open in another browser');
  expect(on.service.messages).toEqual([]);
  witnessOf(await browser.get(`${path}/back`));
});

test('a browser that began first keeps the person of another browser away from the check', async () => {
  const attacker = on.browser();
  const path = await on.open();
  await attacker.post(path);
  const person = on.browser();
  expect(await (await person.get(path)).text()).toContain('open in another browser');
  expect((await person.post(path)).headers.get('location')).toBeNull();
});

test('a known person agrees to each wallet: opening a link signs nothing', async () => {
  const browser = on.browser();
  witnessOf(await on.verify(browser, {}, newPerson()));
  on.service.messages.length = 0;
  const path = await on.open({ wallet: addressOf('named by a hostile service') });
  for (const url of [path, `${path}/back`, `${path}/state`]) {
    expect((await browser.get(url)).headers.get('location') ?? '').not.toContain('witness');
  }
  expect(on.service.messages).toEqual([]);
});

test('a form of another site is rejected', async () => {
  const path = await on.open();
  const response = await on.app.request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(response.status).toBe(403);
});

test('a person in review leaves, and comes back days later in a new session without a document', async () => {
  const browser = on.browser();
  const path = await on.open();
  const page = new URL((await browser.post(path)).headers.get('location')!).pathname;
  const back = (await browser.post(`${page}/review`)).headers.get('location')!;
  expect((await browser.get(back)).headers.get('location')).toBe(path);
  expect(await (await browser.get(path)).text()).toContain('Your check is in review');
  on.clock.pass(3 * 86_400);
  expect((await browser.get(path)).status).toBe(404);
  const later = await on.open();
  expect((await browser.post(later)).headers.get('location')).toBe(later);
  expect(await (await browser.get(later)).text()).toContain('Your check is in review');
  await browser.get(later);
  await on.background.tick();
  expect(on.service.messages.map(({ type }) => type)).toEqual([
    'verification.pending',
    'verification.pending',
  ]);
  await browser.post(page, newPerson());
  expect(await (await browser.get(`${later}/state`)).json()).toEqual({ state: 'review' });
  await on.background.tick();
  expect(await (await browser.get(`${later}/state`)).json()).toEqual({ state: 'approved' });
  witnessOf(await browser.get(`${later}/back`));
});

test('a declined person goes back without a witness, and the service is told', async () => {
  const browser = on.browser();
  const path = await on.open();
  const page = new URL((await browser.post(path)).headers.get('location')!).pathname;
  await browser.get((await browser.post(`${page}/decline`)).headers.get('location')!);
  expect(await (await browser.get(path)).text()).toContain('You were not verified');
  await on.background.tick();
  expect(on.service.messages.map(({ type }) => type)).toEqual(['verification.failed']);
});

test('a check that failed for a bad picture can be repeated in the same session', async () => {
  const browser = on.browser();
  const path = await on.open();
  const page = new URL((await browser.post(path)).headers.get('location')!).pathname;
  await browser.get((await browser.post(`${page}/retry`)).headers.get('location')!);
  expect(await (await browser.get(path)).text()).toContain('Please try again');
  const again = new URL((await browser.post(`${path}/again`)).headers.get('location')!).pathname;
  expect(again).not.toBe(page);
  witnessOf(await browser.get((await browser.post(again, newPerson())).headers.get('location')!));
});

test('a session begins at most five checks', async () => {
  const browser = on.browser();
  const path = await on.open();
  await browser.post(path);
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await browser.post(`${path}/again`)).status);
  expect(statuses).toEqual([303, 303, 303, 303, 429]);
});

test('a check on the phone lets the first page go on by itself', async () => {
  const browser = on.browser();
  const path = await on.open();
  expect((await browser.post(path, { device: 'phone' })).headers.get('location')).toBe(path);
  const page = await (await browser.get(path)).text();
  const link = /http:\/\/127\.0\.0\.1:3001(\/phone\/[\w-]+)/.exec(page)![1]!;
  expect(await (await browser.get(`${path}/state`)).json()).toEqual({ state: 'phone' });
  const phone = on.browser();
  expect(await (await phone.get(link)).text()).toContain('Continue only if you scanned the code');
  const check = new URL((await phone.post(link)).headers.get('location')!).pathname;
  const back = (await phone.post(check, newPerson())).headers.get('location')!;
  const done = await phone.get(back);
  expect(await done.text()).toContain('Done on this phone');
  expect(on.service.messages).toEqual([]);
  expect(await (await browser.get(`${path}/state`)).json()).toEqual({ state: 'approved' });
  witnessOf(await browser.get(`${path}/back`));
});

test('two tabs sign one credential', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open(), newPerson());
  const both = await Promise.all([browser.get(back), browser.get(back)]);
  expect(both.filter((each) => each.headers.get('location')?.includes('witness'))).toHaveLength(1);
  expect(on.service.messages).toHaveLength(1);
});

test('after a request that died, the person tries again when its lease has ended', async () => {
  const browser = on.browser();
  const path = await on.open();
  const back = await on.enter(browser, path, newPerson());
  await on.database.db
    .updateTable('session')
    .set({ state: 'SIGNING', signing_until: BigInt(on.clock.now() + 60_000) })
    .where('state', '=', 'OPEN')
    .where('browser_hash', 'is not', null)
    .execute();
  expect((await browser.get(back)).headers.get('location')).toBeNull();
  expect(await (await browser.get(`${path}/state`)).json()).toEqual({ state: 'busy' });
  on.clock.pass(61);
  await on.background.tick();
  witnessOf(await browser.get(back));
});

test('of two requests, only the one that has the session reports a credential', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open(), newPerson());
  const { attestationKey } = on.verifier;
  const sign = attestationKey.sign.bind(attestationKey);
  let second: Response | undefined;
  Object.assign(attestationKey, {
    async sign(message: Uint8Array) {
      Object.assign(attestationKey, { sign });
      // The first request is so slow that its lease ends.
      on.clock.pass(61);
      second = await browser.get(back);
      return sign(message);
    },
  });
  const first = await browser.get(back);
  expect(first.headers.get('location') ?? '').not.toContain('witness');
  witnessOf(second!);
  expect(on.service.messages).toHaveLength(1);
  expect(await (await browser.get(back)).text()).toContain('This verification is finished');
});

test('a lease covers the report, however late it begins', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open(), newPerson());
  const { attestationKey } = on.verifier;
  const sign = attestationKey.sign.bind(attestationKey);
  Object.assign(attestationKey, {
    async sign(message: Uint8Array) {
      on.clock.pass(50);
      return sign(message);
    },
  });
  let during = '';
  on.service.onMessage = async () => {
    on.service.onMessage = () => undefined;
    on.clock.pass(30);
    during = await (await browser.get(back)).text();
  };
  witnessOf(await browser.get(back));
  Object.assign(attestationKey, { sign });
  expect(during).toContain('Another');
  expect(on.service.messages).toHaveLength(1);
});

test('a person tries again when the service does not respond', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open(), newPerson());
  on.service.next = [null, 503, null];
  const failed = await browser.get(back);
  expect(failed.status).toBe(502);
  expect(await failed.text()).toContain('Please try again in a moment');
  witnessOf(await browser.get(back));
});

test('a service that rejects the credential ends the session, and a new one needs no document', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open(), newPerson());
  on.service.next = [400];
  const refused = await browser.get(back);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('The site did not accept the result');
  witnessOf(await browser.post(await on.open()));
});

test('a person whom the policy does not accept learns what to do, and the service is told', async () => {
  const browser = on.browser();
  const back = await on.enter(browser, await on.open(), newPerson());
  await on.decide({ documentExpires: '2025-12-31' });
  const refused = await browser.get(back);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('Your document has expired');
  await on.background.tick();
  expect(on.service.messages.map(({ type }) => type)).toEqual(['verification.failed']);
});

test('a service that asks twice gets the same session; another session of this id is rejected', async () => {
  const fields = {
    sessionId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    expiresAt: `${Math.floor(on.clock.now() / 1_000) + 600}`,
  };
  const [first, second] = [await on.open(fields), await on.open(fields)];
  expect((await on.browser().get(first)).status).toBe(404);
  const browser = on.browser();
  expect((await browser.get(second)).status).toBe(200);
  expect((await on.ask({ ...fields, wallet: addressOf('other') })).status).toBe(409);
  await browser.post(second);
  expect((await on.ask(fields)).status).toBe(409);
});

test('the sandbox asks for no identity document', async () => {
  const page = await (await on.browser().get(await on.open())).text();
  expect(page).toContain('It checks nothing, so you need no document.');
  expect(page).not.toContain('Have an identity document ready.');
});

test('the pages speak German to those who read it', async () => {
  const browser = on.browser();
  browser.language = 'fr-FR,en;q=0.5,de-AT;q=0.9';
  const page = await (await browser.get(await on.open())).text();
  expect(page).toContain('<html lang="de">');
  expect(page).toContain('Identität bestätigen');
});

test('a form without an origin is rejected, and fills no log', async () => {
  const path = await on.open();
  const before = on.log.length;
  const response = await on.app.request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(response.status).toBe(403);
  expect((await on.app.request(`${ORIGIN}${path}`, { method: 'POST' })).status).toBe(403);
  const large = await on.browser().post(path, { device: 'x'.repeat(70_000) });
  expect(large.status).toBe(413);
  expect(on.log.slice(before)).toEqual([]);
});

test('the link of a session does not give the service the page on the phone', async () => {
  const path = await on.open();
  const token = path.split('/').at(-1)!;
  await on.browser().post(path, { device: 'phone' });
  const guess = createHmac('sha256', token).update('phone').digest('base64url');
  expect((await on.browser().get(`/phone/${guess}`)).status).toBe(404);
  expect((await on.browser().post(`/phone/${phoneTokenOf(token, '')}`)).status).toBe(404);
});

test('the page on the phone ends with the session', async () => {
  const browser = on.browser();
  const path = await on.open();
  await browser.post(path, { device: 'phone' });
  const page = await (await browser.get(path)).text();
  const link = /http:\/\/127\.0\.0\.1:3001(\/phone\/[\w-]+)/.exec(page)![1]!;
  const phone = on.browser();
  const check = new URL((await phone.post(link)).headers.get('location')!).pathname;
  await phone.get((await phone.post(check, newPerson())).headers.get('location')!);
  witnessOf(await browser.get(`${path}/back`));
  expect((await phone.get(link)).status).toBe(404);
  expect((await phone.post(link)).status).toBe(404);
});

test('a person is sent to no page outside the origins of the provider', async () => {
  const { provider } = on.verifier;
  const start = provider.start.bind(provider);
  try {
    for (const url of ['https://evil.example/check', `${ORIGIN}.evil.example/`, 'javascript:alert(1)']) {
      Object.assign(provider, { start: async () => ({ id: randomUUID(), url }) });
      const response = await on.browser().post(await on.open());
      expect(response.status).toBe(503);
      expect(response.headers.get('location')).toBeNull();
    }
  } finally {
    Object.assign(provider, { start });
  }
});
