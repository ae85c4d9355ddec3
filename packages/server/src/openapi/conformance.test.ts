/**
 * Drives a running service with its OpenAPI document. Valid requests must get the documented response, and invalid ones the
 * documented status and code. `OPENAPI_EXAMPLES=write` records the examples of the document again.
 */
import { ERROR_CODES, type ErrorCode } from '@service/contract';
import { ORIGIN } from '@service/server/test-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, checksOf, resolved } from '../../test/support/openapi/answers.ts';
import {
  Driver,
  type Endpoint,
  endpointsOf,
  exampleOf,
  parametersOf,
} from '../../test/support/openapi/driver.ts';
import { recordExamples } from '../../test/support/openapi/record.ts';
import { type Site, startSite } from '../../test/support/openapi/site.ts';
import { spoil } from '../../test/support/openapi/spoil.ts';
import { RATE_LIMITS } from '../http/rate-limits.ts';
import { openApiDocument } from './document.ts';
import type { JsonSchema } from './types.ts';

const document = openApiDocument(ORIGIN);
const { problemsOf, accepts, fits } = checksOf(document);
const endpoints = endpointsOf(document);
const named = endpoints.map((endpoint) => [endpoint.operation.operationId, endpoint] as const);
const endpoint = (id: string) => endpoints.find(({ operation }) => operation.operationId === id)!;

let site: Site;
let driver: Driver;

beforeAll(async () => {
  site = await startSite();
  driver = new Driver(document, site);
});
afterAll(() => site.close());

/** Signs another wallet in through the document. */
async function signedIn(): Promise<Driver> {
  const other = new Driver(document, site, await site.world.visitor());
  const { address: wallet } = other.wallet;
  for (const id of ['challenge', 'verify']) {
    const draft = await other.draft(endpoint(id), { wallet });
    other.follow(endpoint(id), await other.send(endpoint(id), draft));
  }
  return other;
}

/** Sends a valid request and expects the documented response. Returns its body. */
async function succeed(of: Endpoint): Promise<Record<string, unknown>> {
  const draft = await driver.draft(of);
  if (of.operation.requestBody)
    expect(accepts(of.operation, draft.body), JSON.stringify(draft.body)).toBe(true);
  const answer = await driver.send(of, draft);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expectConforming(of, answer);
  driver.follow(of, answer);
  return answer.body as Record<string, unknown>;
}

/** Returns invalid values of a header, a path or a query, as their texts. */
function spoiltTexts(schema: JsonSchema, value: unknown): string[] {
  const types = schema.type === 'integer' ? ['string', 'number'] : ['string'];
  return spoil(document, schema, value).flatMap(({ value: wrong }) =>
    types.includes(typeof wrong) && !fits(resolved(document, schema), wrong) ? [String(wrong)] : [],
  );
}

function expectConforming({ operation }: Endpoint, answer: Answer): void {
  expect(problemsOf(operation, answer)).toEqual([]);
}

function expectRefused(of: Endpoint, answer: Answer, code: string, sent = ''): void {
  expect(answer.body, sent).toMatchObject({ error: { code } });
  expect(answer.status).toBe(ERROR_CODES[code as ErrorCode].status);
  expectConforming(of, answer);
}

it.runIf(process.env.OPENAPI_EXAMPLES === 'write')('records the examples', async () => {
  await recordExamples(driver, endpoints);
});

describe.skipIf(process.env.OPENAPI_EXAMPLES === 'write')('a running service', () => {
  it('serves this document', async () => {
    expect(await succeed(endpoint('openApi'))).toEqual(JSON.parse(JSON.stringify(document)));
  });

  describe('returns the documented response to a valid request', () => {
    it.each(named)('%s', async (_id, of) => {
      await succeed(of);
    });

    it('also in later states and with more records', async () => {
      const go = (id: string) => succeed(endpoint(id));
      for (const id of ['challenge', 'verify']) await go(id);
      // The operation that was submitted above.
      expect(await statesUntilFinal()).toContain('FINALIZED');
      // The transfer moves tokens that the wallet does not have.
      for (const id of ['transfer', 'submit']) await go(id);
      expect(await statesUntilFinal()).toContain('FAILED');
      for (const id of ['prove', 'submit']) await go(id);
      expect(await statesUntilFinal()).toContain('FINALIZED');
      // One was proved, and the other granted.
      const records = { passes: [{}], bindings: [{}], ruleSets: [{ livePasses: '2' }] };
      expect(await go('passport')).toMatchObject(records);
      expect(await go('rules')).toMatchObject({ ruleSets: [{}] });

      async function statesUntilFinal(): Promise<unknown[]> {
        const states: unknown[] = [];
        for (let round = 0; round < 3; round += 1) {
          states.push((await go('operation')).state);
          await site.world.finalize();
        }
        return [...states, (await go('operation')).state];
      }
    });
  });

  describe('returns the documented error to an invalid request', () => {
    const withBody = named.filter(([, { operation }]) => operation.requestBody);

    it.each(withBody)('%s: its body', async (_id, of) => {
      const caller = await signedIn();
      const { 'x-error-code': code, 'x-max-bytes': most, content } = of.operation.requestBody!;
      const valid = await caller.draft(of);
      const { schema } = content['application/json']!;
      const spoilt = spoil(document, schema, exampleOf(of.operation)).filter(
        ({ value }) => !accepts(of.operation, value),
      );
      expect(spoilt.length).toBeGreaterThan(0);
      for (const { what, value } of spoilt) {
        const text = JSON.stringify(value);
        const headers = { ...valid.headers, ...caller.webhookHeaders(of.operation, text) };
        const answer = await caller.send(of, { ...valid, headers }, text);
        expectRefused(of, answer, code, `${what}: ${text.slice(0, 200)}`);
      }
      const json = JSON.stringify(valid.body);
      const asText = { ...valid, headers: { ...valid.headers, 'Content-Type': 'text/plain' } };
      expectRefused(of, await caller.send(of, asText, json), code);
      expectRefused(of, await caller.send(of, valid, json.slice(0, -1)), code);
      expectRefused(of, await caller.send(of, valid, new Uint8Array([0x22, 0xff, 0x22])), code);
      expectRefused(of, await caller.send(of, valid, json.padEnd(most + 1)), 'PAYLOAD_TOO_LARGE');
    });

    const withHeaders = named.filter(([, { operation }]) =>
      parametersOf(document, operation).some((parameter) => parameter.in === 'header'),
    );
    it.each(withHeaders)('%s: its headers', async (_id, of) => {
      const caller = await signedIn();
      const send = async (headers: Record<string, string>) =>
        caller.send(of, { ...(await caller.draft(of)), headers });
      for (const parameter of parametersOf(document, of.operation)) {
        const { name, required, schema, in: where, 'x-error-code': code } = parameter;
        if (where !== 'header') continue;
        const { [name]: sent, ...others } = (await caller.draft(of)).headers;
        if (required) expectRefused(of, await send(others), code!);
        const valid = schema.type === 'integer' ? Number(sent) : (sent ?? parameter.example);
        const wrong = spoiltTexts(schema, valid).filter((value) => /^[\x20-\x7e]*$/.test(value));
        expect(wrong.length, name).toBeGreaterThan(0);
        for (const value of wrong) {
          const { headers } = await caller.draft(of);
          expectRefused(of, await send({ ...headers, [name]: String(value) }), code!);
        }
      }
    });

    const guarded = named.filter(
      ([, { operation }]) =>
        operation.security.length > 0 && operation.security.every((each) => Object.keys(each).length),
    );
    it.each(guarded)('%s: its credential', async (_id, of) => {
      const [name] = of.operation.security.flatMap((each) => Object.keys(each));
      const scheme = document.components.securitySchemes[name as 'session' | 'webhookSignature'];
      const caller = await signedIn();
      const draft = await caller.draft(of);
      const carrier = scheme.in === 'cookie' ? 'Cookie' : scheme.name;
      const { [carrier]: credential, ...without } = draft.headers;
      expect(credential).toMatch(scheme.in === 'cookie' ? `${scheme.name}=` : /^v1,/);
      expectRefused(of, await caller.send(of, { ...draft, headers: without }), scheme['x-error-code']);
      const wrong = credential!.replace(/.{6}$/, 'AAAAA=');
      const headers = { ...without, [carrier]: wrong };
      expectRefused(of, await caller.send(of, { ...draft, headers }), scheme['x-error-code']);
    });

    it.each(named)('%s: its path and query', async (_id, of) => {
      const caller = await signedIn();
      for (const { name, in: where, schema } of parametersOf(document, of.operation)) {
        if (where === 'header') continue;
        const draft = await caller.draft(of);
        const wrong = spoiltTexts(schema, schema.type === 'integer' ? 12 : '12');
        for (const value of wrong.length > 0 ? wrong : ['none']) {
          const spoilt = { ...draft, [where]: { ...draft[where], [name]: value } };
          const code = where === 'path' ? 'NOT_FOUND' : 'INVALID_REQUEST';
          expectRefused(of, await caller.send(of, spoilt), code);
        }
        const twice = { ...draft, query: { ...draft.query, more: '1' } };
        if (where === 'query') expectRefused(of, await caller.send(of, twice), 'INVALID_REQUEST');
      }
    });
  });

  describe('returns a documented response', () => {
    it('when a session has expired', async () => {
      const caller = await signedIn();
      const { clock } = site.world;
      clock.ms += 12 * 3_600_000;
      for (const of of endpoints.filter(({ operation }) => operation.responses[401])) {
        if (!of.operation.security.some((each) => 'session' in each)) continue;
        expectRefused(of, await caller.send(of, await caller.draft(of)), 'SESSION_EXPIRED');
      }
      clock.ms -= 12 * 3_600_000;
    });

    it('when the chain is down', async () => {
      const caller = await signedIn();
      const refused: string[] = [];
      // Skip the last endpoint, which signs out.
      for (const of of endpoints.slice(0, -1)) {
        const draft = await caller.draft(of);
        site.world.net.pause('unavailable');
        const answer = await caller.send(of, draft);
        site.world.net.resume();
        expectConforming(of, answer);
        if (answer.status === 503) refused.push(of.operation.operationId);
      }
      expect(refused).toEqual(
        expect.arrayContaining(['network', 'rules', 'ready', 'passport', 'createRuleSet']),
      );
    });

    it('when there are too many requests', async () => {
      const caller = await signedIn();
      const limited = endpoints.filter(({ operation }) => operation.responses[429]);
      expect(endpoints.length - limited.length).toBe(2);
      const drafts = await Promise.all(limited.map(async (of) => [of, await caller.draft(of)] as const));
      const { limits } = site.world.created.service;
      const exhaust = async () => {
        for (let count = 0; count <= RATE_LIMITS.address.points; count += 1) {
          await limits.takeAddress('127.0.0.1', null).catch(() => undefined);
        }
      };
      await exhaust();
      for (const [of, draft] of drafts) {
        let answer = await caller.send(of, draft);
        // The minute of the limit may have just ended.
        if (answer.status !== 429) {
          await exhaust();
          answer = await caller.send(of, draft);
        }
        expectRefused(of, answer, 'RATE_LIMITED');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    });
  });
});
