import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { decimalPattern } from './fields.ts';
import {
  base64Field,
  clauseFromMasks,
  clauseMasks,
  clauseRecord,
  createRuleSetRequest,
  ERROR_CODES,
  errorCodesOf,
  isFinal,
  issueRequest,
  nameField,
  networkResponse,
  OPERATION_STATES,
  OPERATION_TRANSITIONS,
  operationRecord,
  PENDING_STATES,
  REGIONS,
  ROUTES,
  type RouteName,
  ruleSetRecord,
  STATUSES,
  UNMATCHED_ERRORS,
  u64Field,
  verifierRecord,
  webhookRequest,
} from './index.ts';

const WALLET = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi';
const accepts = (schema: z.ZodMiniType, value: unknown) =>
  z.safeDecode(schema as never, value as never).success;

describe('u64 on the wire', () => {
  test('is a decimal string that decodes to the same number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        expect(z.encode(u64Field, value)).toBe(value.toString());
        expect(z.decode(u64Field, value.toString())).toBe(value);
      }),
    );
  });

  const texts = ['', '-1', '+1', '01', '1.0', '1e3', '0x1', ' 1', `${2n ** 64n}`, '9'.repeat(20)];
  test.each([...texts, 1, null])('rejects %j', (value) => expect(accepts(u64Field, value)).toBe(false));
});

test('the pattern of whole numbers matches exactly the numbers between its bounds', () => {
  const bound = fc.bigInt({ min: 1n, max: 2n ** 64n });
  const around = fc.bigInt({ min: -1_000n, max: 1_000n });
  fc.assert(
    fc.property(bound, around, fc.constantFrom<0 | 1>(0, 1), (most, offset, least) => {
      const pattern = decimalPattern({ least, most });
      for (const number of [0n, 1n, most, most + 1n, most + offset, most * 10n, most / 10n]) {
        expect(pattern.test(`${number}`), `${number}`).toBe(number >= least && number <= most);
        expect(pattern.test(`0${number}`)).toBe(false);
      }
    }),
  );
});

describe('names', () => {
  const problemsOf = (name: string) =>
    z.safeParse(nameField, name).error?.issues.map(({ message }) => message);

  const invalid = ['', 'a'.repeat(33), 'ü'.repeat(17), 'a\nb', 'a\u0000', 'a\u007f', '\ud800'];
  test.each(invalid)('%j is rejected', (name) => expect(accepts(nameField, name)).toBe(false));
  test.each([
    ['a right-to-left override', '\u202e'],
    ['an isolate', '\u2066'],
    ['a right-to-left mark', '\u200f'],
    ['a zero-width space', '\u200b'],
    ['a zero-width joiner', '\u200d'],
    ['a byte order mark', '\ufeff'],
    ['a soft hyphen', '\u00ad'],
    ['a line separator', '\u2028'],
    ['a blank letter', '\u3164'],
    ['a tag character', '\u{e0041}'],
    ['a grapheme joiner', '\u034f'],
    ['a variation selector', '\ufe00'],
    ['an emoji mark without an emoji', '\ufe0f'],
    ['a variation selector of an ideograph', '\u{e0100}'],
    ['a Hangul filler', '\u115f'],
    ['a blank of Braille', '\u2800'],
    ['a blank hieroglyph', '\u{13441}'],
    ['a half blank hieroglyph', '\u{13442}'],
    ['a filler of Khitan', '\u{16fe4}'],
    ['a musical sign without a shape', '\u{1d159}'],
  ])('%s is rejected with a message about invisible characters', (_what, character) => {
    for (const name of [character, `Retail${character} EU`])
      expect(problemsOf(name)).toEqual(['must not contain bidirectional or zero-width characters']);
  });
  const valid = ['a', 'a'.repeat(32), 'ü'.repeat(16), 'Retail EU', 'משקיעים', 'مستثمرون', '投资者', '❤️'];
  test.each(valid)('%j is accepted', (name) => expect(accepts(nameField, name)).toBe(true));
  const spaced = [' ', '   ', ' Retail', 'Retail ', '\u00a0Retail', 'Retail\u3000'];
  test.each(spaced)('%j is rejected for the space at its start or end', (name) =>
    expect(problemsOf(name)).toEqual(['must not begin or end with a space']),
  );
  test('on chain are returned unchanged, even if a request with them is rejected', () => {
    for (const name of [' ', 'Retail ', 'Re\u034ftail', '\ufe0f']) {
      expect(accepts(ruleSetRecord.shape.name, name)).toBe(true);
      expect(accepts(verifierRecord.shape.name, name)).toBe(true);
    }
  });
});

test('base64 is canonical in length and alphabet', () => {
  for (const bad of ['A', 'AA', 'AAA', 'A===', 'AA=A', 'AA-_', 'AAAA\n'])
    expect(accepts(base64Field, bad)).toBe(false);
  for (const good of ['', 'AA==', 'AAA=', 'AAAA']) expect(accepts(base64Field, good)).toBe(true);
});

test('base64 accepts only one of the texts that decode to the same bytes', () => {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (const text of [...digits].flatMap((digit) => [`/${digit}==`, `AA/${digit}==`, `//${digit}=`])) {
    const isCanonical = Buffer.from(text, 'base64').toString('base64') === text;
    expect(accepts(base64Field, text), text).toBe(isCanonical);
  }
});

describe('clauses', () => {
  test('regions and statuses have dense, unique indexes that fit the masks', () => {
    expect(REGIONS.map(({ index }) => index)).toEqual(REGIONS.map((_, place) => place));
    expect(new Set(REGIONS.map(({ code }) => code)).size).toBe(REGIONS.length);
    expect(REGIONS.length).toBeLessThanOrEqual(253);
    expect(STATUSES.map(({ index }) => index)).toEqual(STATUSES.map((_, place) => place));
    expect(STATUSES.length).toBeLessThanOrEqual(32);
  });

  test('masks and codes convert to each other', () => {
    const clause = { regions: ['DE', 'FR'], statuses: ['accredited', 'retail'], minAge: 18 };
    const masks = clauseMasks(clause);
    expect(masks.statusMask).toBe(0b11);
    expect(clauseFromMasks(masks)).toEqual({ ...clause, statuses: ['retail', 'accredited'] });
    expect(() => clauseMasks({ ...clause, regions: ['XX'] })).toThrow(RangeError);
  });
});

describe('requests', () => {
  const clause = { regions: ['DE'], statuses: ['retail'], minAge: 18 };
  const rule = { name: 'a', nonce: '1', clauses: [clause], maxPassAgeSeconds: '3600' };

  test('an unknown field, a missing field and a duplicate code are rejected', () => {
    expect(accepts(createRuleSetRequest, rule)).toBe(true);
    for (const change of [
      { more: 1 },
      { nonce: undefined },
      { clauses: [{ ...clause, regions: ['DE', 'DE'] }] },
      { clauses: [] },
      { clauses: Array(9).fill(clause) },
    ]) {
      expect(accepts(createRuleSetRequest, { ...rule, ...change }), JSON.stringify(change)).toBe(false);
    }
  });

  test('an age above 120 is rejected in a request and accepted from the chain', () => {
    const isAllowed = (minAge: number) =>
      accepts(createRuleSetRequest, { ...rule, clauses: [{ ...clause, minAge }] });
    expect([-1, 0, 17.5, 120, 121, 255].filter(isAllowed)).toEqual([0, 120]);
    expect(accepts(clauseRecord, { ...clause, minAge: 255 })).toBe(true);
  });

  test('maxPassAgeSeconds can be an integer', () => {
    const { maxPassAgeSeconds } = z.decode(createRuleSetRequest, { ...rule, maxPassAgeSeconds: 3600 });
    expect(maxPassAgeSeconds).toBe(3600n);
  });

  test('an amount of zero is rejected', () => {
    const issue = { mint: WALLET, destination: WALLET, amount: '0' };
    expect(accepts(issueRequest, issue)).toBe(false);
    expect(accepts(issueRequest, { ...issue, amount: '1' })).toBe(true);
    expect(accepts(issueRequest, { ...issue, amount: '1', mint: `${WALLET}1` })).toBe(false);
  });
});

describe('the time of an event', () => {
  const event = (timestamp: unknown) => ({
    type: 'verification.failed',
    timestamp,
    data: { sessionId: '00000000-0000-4000-8000-000000000000', wallet: WALLET },
  });
  const times = {
    accepted: [
      ...['Z', '+00:00', '-00:00', '+02:00', '-0530', '+14', '+23:59', '-23:59'].map(
        (offset) => `2026-01-01T00:00:00${offset}`,
      ),
      ...['2024-02-29T23:59:59Z', '2000-02-29T00:00:00Z', '2026-12-31T00:00:00.5+02:00'],
      '2026-01-01T00:00:00.123456789012Z',
    ],
    rejected: [
      ...[
        '',
        'z',
        '+24:00',
        '+02:60',
        '+2:00',
        '+02:0',
        '+02:',
        '+',
        '02:00',
        '+02:00:00',
        'Z+02:00',
        ' +02:00',
      ].map((offset) => `2026-01-01T00:00:00${offset}`),
      ...['2026-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2026-04-31T00:00:00Z', '2026-00-01T00:00:00Z'],
      ...['2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01T00:00:60Z', '2026-01-01T00:00Z'],
      ...['2026-01-01T00:00:00.Z', '2026-01-01T00:00:00,5Z', '2026-01-01 00:00:00Z', '26-01-01T00:00:00Z'],
      ...[
        '2026-01-01T00:00:00Z\n',
        ' 2026-01-01T00:00:00Z',
        '2026-01-01T00:00:00\u221202:00',
        '2026-W01-4',
        0,
        null,
      ],
    ],
  };

  test.each(times.accepted)('may have any offset of ISO 8601: %s', (time) => {
    expect(accepts(webhookRequest, event(time))).toBe(true);
  });

  test.each(times.rejected)('is rejected if it is not a point in time: %j', (time) => {
    expect(accepts(webhookRequest, event(time))).toBe(false);
  });
});

test('the network configuration may come from a service that does not list the circuits', () => {
  const network = {
    governance: null,
    verifiers: [],
    circuit: null,
    upgradeAuthority: null,
    passFee: null,
    passFeesHeld: '0',
    chainTime: '1',
  };
  expect(accepts(networkResponse, network)).toBe(true);
  const { circuit: _, ...withoutActive } = network;
  expect(accepts(networkResponse, withoutActive)).toBe(false);
});

describe('operations', () => {
  test('final states have no transition, and pending states are reached from QUEUED', () => {
    expect(OPERATION_STATES.filter(isFinal)).toEqual(['EXPIRED', 'FINALIZED', 'FAILED']);
    const reached = new Set(['QUEUED']);
    for (const state of OPERATION_STATES)
      for (const next of OPERATION_TRANSITIONS[state]) if (reached.has(state)) reached.add(next);
    expect(OPERATION_STATES.filter((state) => reached.has(state) && !isFinal(state))).toEqual(PENDING_STATES);
  });

  test('a record must have every field of its state', () => {
    const operationId = '3f2b8a3e-5b7e-4c1a-9d3e-0a1b2c3d4e5f';
    const common = { operationId, kind: 'ISSUE', wallet: WALLET, createdAt: '1', expiresAt: '91' };
    for (const [fields, isComplete] of [
      [{ state: 'DRAFT', transaction: 'AAAA' }, true],
      [{ state: 'DRAFT' }, false],
      [{ state: 'FINALIZED', signature: '1'.repeat(64), slot: '1' }, false],
      [{ state: 'LOST' }, false],
    ] as const) {
      expect(accepts(operationRecord, { ...common, ...fields })).toBe(isComplete);
    }
  });
});

describe('routes', () => {
  const names = Object.keys(ROUTES) as RouteName[];

  test('each method and path is listed once', () => {
    const places = names.map((name) => `${ROUTES[name].method} ${ROUTES[name].path}`);
    expect(new Set(places).size).toBe(places.length);
    expect(places).toHaveLength(26);
  });

  test('every error code belongs to a route or to no path, and every code of a route is known', () => {
    const returned = new Set([...names.flatMap(errorCodesOf), ...UNMATCHED_ERRORS]);
    expect([...returned].sort()).toEqual(Object.keys(ERROR_CODES).sort());
  });
});
