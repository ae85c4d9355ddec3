/** The tests that every adapter must pass, with its fake provider. */
import { type Environment, readVariables } from '@service/configuration';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyPolicy } from '../../src/policy/apply-policy.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { type Decision, type Provider, ProviderError, WebhookError } from '../../src/provider.ts';
import type { ProviderKind } from '../../src/providers/provider-kind.ts';
import { PERSON } from './fake-person.ts';
import { type FakeProvider, type FakeWebhook, startFakeProvider } from './fake-provider.ts';
import type { Fake } from './fakes.ts';
import { mutationsOf, setAt } from './mutations.ts';

/** The clock of the tests, in Unix milliseconds: 2026-11-28, 03:00 UTC. */
export const NOW = Date.UTC(2026, 10, 28, 3);
const RETURN_URL = 'http://127.0.0.1:9/return?session=1';

/** An adapter, and how its provider is told what to say. */
export interface AdapterUnderTest extends Fake {
  // biome-ignore lint/suspicious/noExplicitAny: each adapter has its own variables
  readonly kind: ProviderKind<any>;
  /** The variables of keys that the API checks. */
  readonly keyVariables: readonly string[];
  readonly sandboxVariable?: string;
  readonly secretsVariable: string;
  /** The documented states: what to set in the response, and the state that follows. */
  readonly states: readonly (readonly [string, Readonly<Record<string, unknown>>, Decision['state']])[];
  /** Changes of an approved response, and the facts that must then be missing. */
  readonly omissions: readonly (readonly [
    string,
    Readonly<Record<string, unknown>>,
    readonly (keyof Decision)[],
  ])[];
  /** The path of the id in the response. */
  readonly idPath: string;
  /** Whether the provider can give labels to a person. */
  readonly hasTags: boolean;
  /** Webhooks that openssl signed, and the id that they name. The clock is at `NOW`. */
  readonly webhooks: readonly (readonly [string, FakeWebhook, string | null])[];
  /** Webhooks that are not authentic. */
  readonly forgeries: readonly (readonly [string, FakeWebhook])[];
  /** What the provider says about the person, beyond the document. */
  readonly facts: Partial<Decision>;
}

/** Returns the adapter with these variables. Throws Error if one of them is wrong. */
export function adapterOf(
  under: AdapterUnderTest,
  url: string,
  changes: Environment = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Provider {
  const environment = { ...under.variables, [under.urlVariable]: url, ...changes };
  const { values, faults } = readVariables(under.kind.variables, environment);
  if (faults.length > 0) throw new Error(faults.map(({ line }) => line).join('\n'));
  return under.kind.create(values, { origin: 'http://127.0.0.1:9', now: () => NOW, fetch });
}

const policy = (region: Policy['region']): Policy => ({
  version: '1',
  region,
  documents: ['passport'],
  credentialDays: 365,
  statusOfTag: {},
});

function apply(decision: Decision, region: Policy['region'], flow: string) {
  const now = BigInt(NOW / 1000);
  return applyPolicy(decision, { policy: policy(region), flow, allowSandbox: false, now });
}

/** Runs the tests. */
export function testAdapter(under: AdapterUnderTest): void {
  let fake: FakeProvider;
  let adapter: Provider;
  beforeAll(async () => {
    fake = await startFakeProvider(under.protocol, { now: () => NOW });
    adapter = adapterOf(under, fake.url);
  });
  beforeEach(() => {
    fake.alter = (json) => json;
  });
  afterAll(() => fake.close());

  let references = 0;
  async function started() {
    references += 1;
    const reference = `0b6f1c52-8f0e-4a55-9d0e-${String(references).padStart(12, '0')}`;
    return { reference, ...(await adapter.start({ reference, returnUrl: RETURN_URL })) };
  }
  async function approved() {
    const check = await started();
    await fake.decide(check.id, 'approved');
    return check;
  }
  const setAll = (changes: Readonly<Record<string, unknown>>) => (json: unknown) =>
    Object.entries(changes).reduce((changed, [path, value]) => setAt(changed, path.split('.'), value), json);

  describe('a check', () => {
    it('starts at a page of the provider, and goes on with what the person does there', async () => {
      const { id, url, reference } = await started();
      expect(adapter.origins).toContain(new URL(url).origin);
      expect(fake.checks.get(id)).toMatchObject({ reference, returnUrl: RETURN_URL });
      expect(await adapter.decision(id)).toMatchObject({ state: 'pending', tags: [] });
      expect(await (await fetch(url)).text()).toContain('Fake identity provider');
      expect(await adapter.decision(id)).toMatchObject({ state: 'pending', tags: [] });

      const body = new URLSearchParams({ choice: 'approved', documentNumber: 'XY 77' });
      const back = await fetch(url, { method: 'POST', body, redirect: 'manual' });
      expect(back.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:9\/return\?session=1&/);
      expect(await adapter.decision(id)).toMatchObject({
        state: 'approved',
        sandbox: false,
        flow: adapter.flow,
        personId: 'IT passport XY77',
      });
    });

    it('is approved with what the provider checked, and nothing else', async () => {
      const { id } = await approved();
      expect(await adapter.decision(id)).toEqual({
        state: 'approved',
        sandbox: false,
        flow: adapter.flow,
        updatedAt: NOW,
        birthDate: '1990-05-17',
        nationality: 'DE',
        documentCountry: 'IT',
        documentType: 'passport',
        documentExpires: '2045-01-31',
        personId: 'IT passport C01X2345',
        tags: [],
        ...under.facts,
      });
    });

    it('of a person without a proof of address has no residence', async () => {
      const { id } = await started();
      await fake.decide(id, 'approved', { ...PERSON, residence: null });
      expect(await adapter.decision(id)).not.toHaveProperty('residence');
    });

    it.each(['identity-card', 'driving-licence', 'residence-permit'] as const)(
      'with a document of the kind %s has this kind',
      async (documentType) => {
        const { id } = await started();
        await fake.decide(id, 'approved', { ...PERSON, documentType });
        expect(await adapter.decision(id)).toMatchObject({
          documentType,
          personId: `IT ${documentType} C01X2345`,
        });
      },
    );

    it('with wrong data gives no credential', async () => {
      const { id, url } = await started();
      await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ choice: 'wrong data' }),
        redirect: 'manual',
      });
      const decision = await adapter.decision(id);
      expect(decision.state).toBe('approved');
      expect(apply(decision, 'nationality', adapter.flow)).toEqual({ refusal: 'region' });
      expect(apply(decision, 'document', adapter.flow)).toEqual({ refusal: 'document expired' });
    });

    it('that was approved can be declined', async () => {
      const { id } = await approved();
      await fake.decide(id, 'declined');
      const decision = await adapter.decision(id);
      expect(decision.state).toBe('declined');
      expect(decision).not.toHaveProperty('personId');
    });

    it.each(under.states)('%s', async (_what, changes, state) => {
      const { id } = await approved();
      fake.alter = setAll(changes);
      expect(await adapter.decision(id)).toMatchObject({ state });
    });

    it.each(under.omissions)('%s', async (_what, changes, missing) => {
      const { id } = await approved();
      fake.alter = setAll(changes);
      const decision = await adapter.decision(id);
      expect(decision.state).toBe('approved');
      for (const fact of missing) expect(decision).not.toHaveProperty(fact);
    });

    it('has the labels that the provider gives, if it can give any', async () => {
      const { id } = await approved();
      Object.assign(fake.checks.get(id) ?? {}, { tags: ['investor', 'vip'] });
      expect((await adapter.decision(id)).tags).toEqual(under.hasTags ? ['investor', 'vip'] : []);
    });

    it('of somebody else is not accepted', async () => {
      const { id } = await approved();
      fake.alter = setAll({ [under.idPath]: 'another' });
      await expect(adapter.decision(id)).rejects.toThrow(ProviderError);
    });

    it.each(under.keyVariables)(
      'with a wrong %s gives a ProviderError, which does not show it',
      async (key) => {
        const { id } = await approved();
        const wrong = adapterOf(under, fake.url, { [key]: 'wrong-key' });
        for (const call of [wrong.decision(id), wrong.start({ reference: 'r', returnUrl: RETURN_URL })]) {
          const error = await call.catch((thrown: unknown) => thrown);
          expect(error).toBeInstanceOf(ProviderError);
          expect(String(error)).toContain('responded with 401');
          expect(String(error)).not.toContain('wrong-key');
        }
      },
    );

    it('that the provider cannot read gives a ProviderError', async () => {
      const other = adapterOf(under, 'http://127.0.0.1:9');
      await expect(other.start({ reference: 'r', returnUrl: RETURN_URL })).rejects.toThrow(ProviderError);
      await expect(other.decision('r')).rejects.toThrow(ProviderError);
    });
  });

  describe('an approved response that was changed', () => {
    const attributes = /1990|C01X|2345|2045|passport|"DE|DEU|ITA|FRA/i;

    it('never gives a credential with other facts, and fails only with a ProviderError', async () => {
      const { id } = await approved();
      const responses: unknown[] = [];
      fake.alter = (json) => {
        responses.push(json);
        return json;
      };
      const whole = await adapter.decision(id);
      const mutations = responses.flatMap((response, at) =>
        mutationsOf(response).map(({ what, changed }) => ({ what, changed: responses.with(at, changed) })),
      );
      expect(mutations.length).toBeGreaterThan(400);
      for (const { what, changed } of mutations) {
        const rest = changed.values();
        const respond = async () => new Response(JSON.stringify(rest.next().value));
        const decision = await adapterOf(under, fake.url, {}, respond)
          .decision(id)
          .catch((error) => {
            expect(error, what).toBeInstanceOf(ProviderError);
            expect(String(error), what).not.toMatch(attributes);
            return null;
          });
        if (decision?.state !== 'approved') continue;
        for (const region of ['nationality', 'residence', 'document'] as const) {
          const outcome = apply(decision, region, adapter.flow);
          if ('attested' in outcome) expect(outcome, what).toEqual(apply(whole, region, adapter.flow));
        }
      }
    });

    it('still gives the credential of the response itself', async () => {
      const { id } = await approved();
      const outcome = apply(await adapter.decision(id), 'nationality', adapter.flow);
      expect(outcome).toMatchObject({ attested: { region: 'DE', personId: 'IT passport C01X2345' } });
    });
  });

  describe('a webhook', () => {
    const read = ({ headers, body }: FakeWebhook) =>
      adapter.readWebhook(new TextEncoder().encode(body), new Headers(headers), NOW);

    it.each(under.webhooks)('%s is authentic', async (_what, webhook, id) => {
      expect(await read(webhook)).toBe(id);
    });

    it.each(under.forgeries)('%s is rejected', async (_what, webhook) => {
      const error = await read(webhook).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(WebhookError);
      expect(String(error)).not.toMatch(/current-|previous-|0b6f1c52|approved|GREEN/);
    });

    it('that was changed in one byte is rejected', async () => {
      await approved();
      const { headers, body } = fake.webhooks.at(-1)!;
      const bytes = new TextEncoder().encode(body);
      for (const at of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
        const changed = bytes.with(at, bytes[at]! ^ 1);
        await expect(adapter.readWebhook(changed, new Headers(headers), NOW)).rejects.toThrow(WebhookError);
      }
    });

    it('names its check in any order and as often as it comes, and the API decides', async () => {
      const { id } = await approved();
      await fake.decide(id, 'declined');
      const [first, second] = fake.webhooks.slice(-2);
      for (const webhook of [second!, first!, second!, first!]) expect(await read(webhook)).toBe(id);
      expect(await adapter.decision(id)).toMatchObject({ state: 'declined' });
    });
  });

  describe('the variables', () => {
    it('send the person to the pages of the provider, and to those of a stand-in only on this machine', () => {
      const real = adapterOf(under, 'https://api.provider.example');
      expect(real.origins.length).toBeGreaterThan(0);
      expect(real.origins.every((origin) => /^https:\/\/(\*\.)?[a-z.]+$/.test(origin))).toBe(true);
      expect(real.origins.join()).not.toContain('provider.example');
    });

    it('reject plain http to another machine', () => {
      expect(() => adapterOf(under, 'http://api.provider.example')).toThrow(under.urlVariable);
    });

    it.each(['', ',', 'secret,', ',secret', 'secret, ,other'])(
      'reject %j as secrets of webhooks',
      (secrets) => {
        expect(() => adapterOf(under, fake.url, { [under.secretsVariable]: secrets })).toThrow(
          under.secretsVariable,
        );
      },
    );

    it('do not show a secret in an error', () => {
      const secrets = 'hidden-secret,';
      const given = { [under.secretsVariable]: secrets };
      expect(() => adapterOf(under, fake.url, given)).toThrow(/^(?!.*hidden-secret)/s);
    });

    const { sandboxVariable } = under;
    if (sandboxVariable === undefined) return;
    it('make every decision one of a sandbox, unless they deny it', async () => {
      const { id } = await approved();
      const decide = (value: string) => adapterOf(under, fake.url, { [sandboxVariable]: value }).decision(id);
      expect(await decide('')).toMatchObject({ state: 'approved', sandbox: true });
      expect(await decide('true')).toMatchObject({ sandbox: true });
      expect(await decide('false')).toMatchObject({ sandbox: false });
      await expect(async () => decide('no')).rejects.toThrow(sandboxVariable);
    });
  });
}
