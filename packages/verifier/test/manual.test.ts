/** The manual provider: an operator decides on its page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Policy } from '../src/policy/policy.ts';
import { recordsInMemory } from '../src/providers/decision-records.ts';
import { manualProvider, referenceOf } from '../src/providers/manual.ts';
import {
  ORIGIN,
  StillClock,
  startTestVerifier,
  type TestVerifier,
  witnessOf,
} from './support/test-verifier.ts';

const PASSWORD = 'the password of the operators';
const AUTHORIZATION = `Basic ${Buffer.from(`operator:${PASSWORD}`).toString('base64')}`;
const policy: Policy = {
  version: '1',
  region: 'document',
  documents: ['passport'],
  credentialDays: 365,
  statusOfTag: { 'paper of a bank': 'accredited' },
};

const records = recordsInMemory();
let on: TestVerifier;
beforeAll(async () => {
  const clock = new StillClock();
  const provider = manualProvider({
    origin: ORIGIN,
    records,
    password: PASSWORD,
    instructions: 'Come to the office with your passport.',
    policy,
    clock,
  });
  on = await startTestVerifier({ clock, provider, settings: { policy, allowSandbox: false } });
});
afterAll(() => on.end());

const PASSPORT = {
  birthDate: '1990-05-17',
  documentType: 'passport',
  documentCountry: 'FR',
  documentNumber: '12 AB 345',
  documentExpires: '2031-12-31',
};

/** Sends a form of the operator. */
const decide = (id: string, form: Record<string, string>, authorization = AUTHORIZATION) =>
  on.app.request(`${ORIGIN}/provider/operator/${id}`, {
    method: 'POST',
    body: new URLSearchParams(form).toString(),
    headers: { origin: ORIGIN, authorization, 'content-type': 'application/x-www-form-urlencoded' },
  });

/** Lets a person agree and go on. Returns the browser, the page of the session, and the id of the check. */
async function waiting() {
  const [browser, path] = [on.browser(), await on.open()];
  const page = new URL((await browser.post(path)).headers.get('location')!).pathname;
  const id = page.split('/').at(-1)!;
  expect(await (await browser.get(page)).text()).toContain(referenceOf(id));
  await browser.get(`${path}/back`);
  return { browser, path, id };
}

test('a person waits in review, and is verified when the operator approves', async () => {
  const { browser, path, id } = await waiting();
  expect(await (await browser.get(path)).text()).toContain('Your check is in review');
  expect((await decide(id, { ...PASSPORT, what: 'approve', tag: 'paper of a bank' })).status).toBe(303);
  const witness = witnessOf(await browser.get(`${path}/back`));
  expect(witness).toMatchObject({ region: 'FR', status: 'accredited', birthDate: '1990-05-17' });
  // The audit trail and the operator name the check alike.
  const { check_id } = await on.database.db
    .selectFrom('session')
    .select('check_id')
    .where('state', '=', 'REPORTED')
    .executeTakeFirstOrThrow();
  expect(check_id).toBe(id);

  expect((await decide(id, { what: 'decline' })).status).toBe(303);
  await on.background.tick();
  expect(on.service.messages.at(-1)?.type).toBe('credential.revoked');
});

test('nobody but an operator sees or decides a check', async () => {
  const { id } = await waiting();
  const wrong = `Basic ${Buffer.from('operator:another password').toString('base64')}`;
  for (const authorization of ['', wrong]) {
    for (const path of ['/provider/operator', `/provider/operator/${id}`]) {
      const response = await on.app.request(`${ORIGIN}${path}`, { headers: { authorization } });
      expect(response.status).toBe(401);
    }
    expect((await decide(id, { ...PASSPORT, what: 'approve' }, authorization)).status).toBe(401);
  }
  expect((await records.get(id))?.decision.state).toBe('pending');
  const list = await on.app.request(`${ORIGIN}/provider/operator`, {
    headers: { authorization: AUTHORIZATION },
  });
  expect(await list.text()).toContain(referenceOf(id));
});

test.each([
  ['no birth date', { birthDate: '' }, 'Enter the birth date'],
  ['a day that does not exist', { birthDate: '1990-02-31' }, 'birth date'],
  ['no kind of document', { documentType: '' }, 'Choose the kind of document'],
  ['a document that the policy does not accept', { documentType: 'driving-licence' }, 'document'],
  ['a document that has expired', { documentExpires: '2025-12-31' }, 'document expired'],
  ['no country', { documentCountry: '' }, 'Choose the country'],
  ['a country that does not exist', { documentCountry: 'ZZ' }, 'region'],
  ['no number', { documentNumber: '--' }, 'Enter the number'],
])('an approval with %s is not recorded', async (_what, changed, problem) => {
  const { id } = await waiting();
  const response = await decide(id, { ...PASSPORT, ...changed, what: 'approve' });
  expect(response.status).toBe(422);
  expect(await response.text()).toContain(problem);
  expect((await records.get(id))?.decision.state).toBe('pending');
});

test('a decision that was made is not changed, except that an approval can be taken back', async () => {
  const { id } = await waiting();
  await decide(id, { what: 'decline' });
  for (const what of ['approve', 'retry']) {
    expect((await decide(id, { ...PASSPORT, what })).status).toBe(422);
  }
  expect((await records.get(id))?.decision.state).toBe('declined');
});
