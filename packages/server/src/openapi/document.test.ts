import { Validator } from '@seriousme/openapi-schema-validator';
import {
  ERROR_CODES,
  errorCodesOf,
  FILE_ROUTES,
  issueRequest,
  ROUTES,
  type RouteName,
  rulesQuery,
  u64Field,
} from '@service/contract';
import { ORIGIN } from '@service/server/test-service';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readDocstrings } from '../../scripts/docstrings.ts';
import { type Answer, checksOf, resolved } from '../../test/support/openapi/answers.ts';
import { endpointsOf, exampleOf, parametersOf } from '../../test/support/openapi/driver.ts';
import { testWorld } from '../../test/support/test-world.ts';
import { createApp } from '../http/app.ts';
import { ServiceFault } from '../http/failures/fault.ts';
import { defineFile, patternOf } from '../http/routing/define-route.ts';
import docstrings from './docstrings.json' with { type: 'json' };
import { openApiDocument } from './document.ts';
import type { JsonSchema } from './types.ts';

const document = openApiDocument(ORIGIN);
const checks = checksOf(document);
const operation = (id: string) =>
  endpointsOf(document).find(({ operation: each }) => each.operationId === id)!.operation;

const requestId = '00000000-0000-4000-8000-000000000000';
const answer = (body: unknown, changes: Partial<Omit<Answer, 'headers'>> = {}, headers = {}): Answer => ({
  status: 200,
  type: 'application/json',
  body,
  headers: new Headers({ 'x-request-id': requestId, 'set-cookie': 'session=', ...headers }),
  ...changes,
});
const error = (code: string) => ({ error: { code, message: 'No.', requestId } });
const problems = (id: string, of: Answer) => checks.problemsOf(operation(id), of);

const world = testWorld({ program: false });

describe('the document', () => {
  it('is OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has every route of the app, and no other', () => {
    const routes = world.created.app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`);
    const described = endpointsOf(document).map(
      ({ method, path }) => `${method.toUpperCase()} ${patternOf(path)}`,
    );
    expect(described.sort()).toEqual(routes.sort());
    expect(new Set(described).size).toBe(Object.keys(ROUTES).length + Object.keys(FILE_ROUTES).length);
  });

  it('names the codes that each route declares, under their statuses', () => {
    for (const name of [...Object.keys(ROUTES), ...Object.keys(FILE_ROUTES)] as RouteName[]) {
      const described = Object.entries(operation(name).responses).flatMap(([status, { content }]) =>
        Object.keys(status === '200' ? {} : (content['application/json']?.examples ?? {})).map((code) => [
          code,
          +status,
        ]),
      );
      const declared = errorCodesOf(name).map((code) => [code, ERROR_CODES[code].status]);
      expect(described.sort(), name).toEqual(declared.sort());
    }
  });

  it('describes every schema, field, parameter and header', () => {
    const silent: string[] = [];
    const visit = (node: unknown, where: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties = {} } = node as JsonSchema;
      for (const [field, schema] of Object.entries(properties)) {
        if (!schema.description) silent.push(`${where}.${field}`);
      }
      for (const [key, value] of Object.entries(node)) visit(value, `${where}.${key}`);
    };
    const { schemas, headers, parameters } = document.components;
    visit(schemas, 'schemas');
    const inline = endpointsOf(document).flatMap(({ operation: each }) => each.parameters);
    for (const part of [...[schemas, headers, parameters].flatMap(Object.values), ...inline]) {
      if (!resolved(document, part as { description?: string }).description)
        silent.push(JSON.stringify(part));
    }
    expect(silent).toEqual([]);
  });

  it('accepts the same numbers as the service', () => {
    const parameters = parametersOf(document, operation('rules'));
    const { schema: limit } = parameters.find(({ name }) => name === 'limit')!;
    const { amount } = issueRequest.shape;
    const forms = [
      [document.components.schemas.U64!, u64Field],
      [document.components.schemas.Amount!, amount],
    ] as const;
    const numbers = [0n, 1n, 9n, 10n, 99n, 100n, 499n, 500n, 501n, 509n, 510n, 600n, 999n, 1_000n];
    const edges = [-2n, -1n, 0n, 1n, 5n, 85n, 10n ** 18n].map((offset) => 2n ** 64n + offset);
    const texts = [...numbers, ...edges].flatMap((number) => [`${number}`, `0${number}`, `-${number}`]);
    for (const text of [...texts, '', ' 1', '1\n', '+1', '1.0', '1e2', '0x1', '\u0661'])
      for (const [schema, form] of forms)
        expect(checks.fits(schema, text), text).toBe(
          z.safeDecode(form as z.ZodMiniType, text as never).success,
        );
    for (const number of [...numbers, ...edges, -1n, -100n]) {
      const { success } = z.safeDecode(rulesQuery.shape.limit, `${number}`);
      expect(checks.fits(limit!, Number(number)), `${number}`).toBe(success);
    }
  });

  it('rejects a field in a request that it does not list', () => {
    const names = new Set<string>();
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const name = (node as JsonSchema).$ref?.split('/').at(-1);
      if (name !== undefined && !names.has(name)) {
        names.add(name);
        visit(document.components.schemas[name]);
      }
      Object.values(node).forEach(visit);
    };
    for (const { operation: each } of endpointsOf(document)) visit(each.requestBody);
    expect(names.size).toBeGreaterThan(25);
    for (const name of names) {
      const schema = document.components.schemas[name]!;
      if (schema.type === 'object') expect(schema.additionalProperties, name).toBe(false);
    }
  });

  it('has the current docstrings of the contract as descriptions', () => {
    expect(docstrings).toEqual(readDocstrings());
  });

  it('has recorded examples that fit their schemas', () => {
    for (const name of Object.keys(ROUTES)) {
      const { requestBody, responses } = operation(name);
      const example = responses[200]!.content['application/json']!.examples?.example;
      expect(problems(name, answer(example && 'value' in example && example.value)), name).toEqual([]);
      if (requestBody) expect(checks.accepts(operation(name), exampleOf(operation(name))), name).toBe(true);
    }
  });

  it('contains no secret, and only the origin of the settings', () => {
    const text = JSON.stringify(document);
    const { settings, feePayer } = world.created.service;
    expect(text).not.toContain(settings.verifier.webhookSecret);
    expect(text).not.toContain(feePayer.address);
    expect(text).not.toContain(settings.artifacts.directory);
    expect(text).toContain('https://site.example');
    expect(JSON.stringify(openApiDocument('http://127.0.0.1:3000'))).toContain('"name":"session"');
    expect(text).toContain('"name":"__Host-session"');
  });
});

describe('the check of responses', () => {
  it('accepts documented responses', () => {
    expect(problems('session', answer({ wallet: null }))).toEqual([]);
    expect(problems('operation', answer(error('NOT_FOUND'), { status: 404 }))).toEqual([]);
    const checked = { database: true, chain: false, index: false, jobs: true, clock: true };
    const failing = { status: 'failing', checks: checked, ...error('UNAVAILABLE') };
    expect(problems('ready', answer(failing, { status: 503 }))).toEqual([]);
  });

  const unready = answer({ status: 'failing', ...error('UNAVAILABLE') }, { status: 503 });
  const withStack = answer({ error: { ...error('NOT_FOUND').error, stack: '' } }, { status: 404 });
  it.each<[string, string, Answer]>([
    ['an undeclared property', 'session', answer({ wallet: null, admin: true })],
    ['an undeclared property of a nested record', 'operation', withStack],
    ['a missing property', 'session', answer({})],
    ['a malformed value', 'session', answer({ wallet: '0x0' })],
    ['an undeclared status', 'session', answer(error('NOT_FOUND'), { status: 404 })],
    ['an undeclared code', 'operation', answer(error('NOT_ISSUER'), { status: 404 })],
    ['a code of another status', 'passport', answer(error('SESSION_EXPIRED'), { status: 503 })],
    ['another media type', 'session', answer({ wallet: null }, { type: 'text/plain' })],
    ['a missing header', 'session', answer(error('RATE_LIMITED'), { status: 429 })],
    ['a malformed header', 'session', answer({ wallet: null }, {}, { 'x-request-id': 'x' })],
    ['a readiness body at another endpoint', 'live', unready],
  ])('finds %s', (_what, id, of) => {
    expect(problems(id, of)).not.toEqual([]);
  });
});

it('a code that the route does not declare is INTERNAL, and logged', async () => {
  const lines: string[] = [];
  const app = createApp(pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }));
  defineFile(app, world.created.service, 'docs', () => {
    throw new ServiceFault('NOT_ISSUER');
  });
  const response = await app.request('/api/docs');
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { code: 'INTERNAL' } });
  expect(lines.join()).toContain('the route does not declare NOT_ISSUER; sent INTERNAL');
});

describe('the page', () => {
  it('has a policy that allows its own script and style, and nothing of the site', async () => {
    const response = await world.created.app.request('/api/docs');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src data:;/);
    expect(policy).toMatch(/; sandbox allow-scripts$/);
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    const page = await response.text();
    expect([...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target)).toEqual([
      'docs.css',
      'docs.js',
    ]);
    const [, json = ''] = /id="document">(.*)<\/script>\n<script/.exec(page) ?? [];
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
