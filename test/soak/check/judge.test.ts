/** Changes histories, so that each check of the judge is seen to fail. */
import { describe, expect, test } from 'vitest';
import { longestClearMs } from './clear-time.ts';
import { countOf, FAULTS, type Fault } from './finding.ts';
import type { CredentialHistory, History, OperationEvent, OperationHistory } from './history.ts';
import { judge } from './judge.ts';

const LANDED = { signature: 'first', slot: 7n, err: null } as const;
const FAILED_ON_CHAIN = { ...LANDED, err: { InstructionError: [1n, { Custom: 6008n }] } };
const onChainError = (instruction: number, code: number) => ({
  reason: 'ON_CHAIN_ERROR' as const,
  instruction,
  programError: { code, name: 'ALREADY_INITIALIZED' as const },
  message: 'failed',
});
const NEVER_LANDED = { reason: 'NEVER_LANDED' as const, message: 'expired' };

let ids = 0;
const operation = (changes: Partial<OperationHistory> = {}): OperationHistory => ({
  id: `operation-${++ids}`,
  isAcknowledged: true,
  record: { state: 'FINALIZED', signature: 'first', slot: '7' },
  landed: [LANDED],
  clearMs: 0,
  move: null,
  ...changes,
});
const failed = (
  failure: NonNullable<OperationHistory['record']>['failure'],
  ...landed: OperationHistory['landed']
) => operation({ record: { state: 'FAILED', signature: 'first', slot: '7', failure }, landed });
const credential = (changes: Partial<CredentialHistory> = {}): CredentialHistory => ({
  wallet: 'a-wallet',
  credential: { isAcknowledged: true, issuedAt: 100n, commitment: 'ab' },
  revocation: null,
  session: { state: 'ISSUED', failure: null },
  revocationState: null,
  onChain: { commitment: 'ab', issuedAt: 100n, revoked: false },
  successes: 1,
  ...changes,
});
const revoked = (changes: Partial<CredentialHistory> = {}) =>
  credential({
    revocation: { isAcknowledged: true, revokedAt: 105n },
    revocationState: 'SETTLED',
    onChain: { commitment: 'ab', issuedAt: 105n, revoked: true },
    successes: 2,
    ...changes,
  });
const REVOKED_FIRST = 'The verifier revoked the credential before it was on chain.';

/** Returns the events that the receiver should have. */
const eventsOf = (operations: readonly OperationHistory[]): OperationEvent[] =>
  operations.flatMap(({ id, record }) => {
    const type = { FINALIZED: 'operation.finalized', FAILED: 'operation.failed' }[record?.state ?? ''];
    return type ? [{ type, wallet: 'a-wallet', operationId: id }] : [];
  });

/** Judges a history, and returns its counts. */
function countsOf({
  operations = [],
  ...history
}: Partial<History>): Partial<Record<Fault | 'acknowledged' | 'final', number>> {
  const judgement = judge({
    operations,
    events: eventsOf(operations),
    repeatedEvents: [],
    answers: new Map(),
    credentials: [],
    balances: new Map(),
    ...history,
  });
  const counts = FAULTS.map((fault) => [fault, countOf(judgement.findings, fault)] as const);
  const { acknowledged, final } = judgement;
  return { acknowledged, final, ...Object.fromEntries(counts.filter(([, count]) => count !== 0)) };
}

test('a history in which every promise was kept', () => {
  const operations = [
    operation(),
    failed(onChainError(1, 6008), FAILED_ON_CHAIN),
    failed(NEVER_LANDED),
    operation({ isAcknowledged: false, record: { state: 'EXPIRED' }, landed: [] }),
    operation({ isAcknowledged: false, record: null, landed: [] }),
  ];
  const refused = revoked({
    session: { state: 'FAILED', failure: REVOKED_FIRST },
    onChain: null,
    successes: 0,
  });
  const credentials = [credential(), revoked(), refused];
  expect(countsOf({ operations, credentials })).toEqual({ acknowledged: 8, final: 8 });
});

describe('an operation', () => {
  test.each<[string, OperationHistory, object]>([
    ['is unknown', operation({ record: null }), { final: 0, lost: 1 }],
    ['expired', operation({ record: { state: 'EXPIRED' }, landed: [] }), { final: 0, lost: 1 }],
    ['is a draft', operation({ record: { state: 'DRAFT' } }), { final: 0, lost: 1 }],
    ['landed twice', operation({ landed: [LANDED, { ...LANDED, signature: 'second' }] }), { doubled: 1 }],
    ['is QUEUED', operation({ record: { state: 'QUEUED' } }), { final: 0, stuck: 1 }],
    ['is UNRESOLVED', operation({ record: { state: 'UNRESOLVED' }, landed: [] }), { final: 0, stuck: 1 }],
    ['is FINALIZED without a transaction', operation({ landed: [] }), { wrong: 1 }],
    ['is FINALIZED and failed on chain', operation({ landed: [FAILED_ON_CHAIN] }), { wrong: 1 }],
    ['has another slot', operation({ landed: [{ ...LANDED, slot: 8n }] }), { wrong: 1 }],
    ['has another signature', operation({ landed: [{ ...LANDED, signature: 'other' }] }), { wrong: 1 }],
    ['is NEVER_LANDED and landed', failed(NEVER_LANDED, LANDED), { wrong: 1 }],
    ['is NEVER_LANDED and failed on chain', failed(NEVER_LANDED, FAILED_ON_CHAIN), { wrong: 1 }],
    ['is ON_CHAIN_ERROR and succeeded', failed(onChainError(1, 6008), LANDED), { wrong: 1 }],
    ['is ON_CHAIN_ERROR without a transaction', failed(onChainError(1, 6008)), { wrong: 1 }],
    ['has another error', failed(onChainError(1, 6009), FAILED_ON_CHAIN), { wrong: 1 }],
    ['has an error elsewhere', failed(onChainError(0, 6008), FAILED_ON_CHAIN), { wrong: 1 }],
    ['failed without a reason', failed(undefined, FAILED_ON_CHAIN), { wrong: 1 }],
  ])('that %s', (_what, doctored, counts) => {
    expect(countsOf({ operations: [doctored] })).toEqual({ acknowledged: 1, final: 1, ...counts });
  });

  test('that is NEVER_LANDED although nothing hindered the service is worse than it should be', () => {
    const judged = (clearMs: number) => countsOf({ operations: [{ ...failed(NEVER_LANDED), clearMs }] });
    expect(judged(4_999)).toEqual({ acknowledged: 1, final: 1 });
    expect(judged(5_000)).toEqual({ acknowledged: 1, final: 1, worse: 1 });
  });

  test('that nobody acknowledged must still be judged truly', () => {
    const silent = { isAcknowledged: false } as const;
    const operations = [
      operation({ ...silent, record: { state: 'SUBMITTED' } }),
      operation({ ...silent, record: { state: 'EXPIRED' } }),
      operation({ ...silent, landed: [] }),
    ];
    expect(countsOf({ operations })).toEqual({ acknowledged: 0, final: 0, stuck: 1, wrong: 2 });
  });
});

describe('a credential', () => {
  test.each<[string, CredentialHistory, object]>([
    ['is unknown', credential({ session: null }), { final: 0, lost: 1 }],
    ['was not stored', credential({ session: { state: 'STARTED', failure: null } }), { final: 0, lost: 1 }],
    ['is ISSUING', credential({ session: { state: 'ISSUING', failure: null } }), { final: 0, stuck: 1 }],
    ['is ISSUED and not on chain', credential({ onChain: null }), { wrong: 1 }],
    [
      'is another one on chain',
      credential({ onChain: { commitment: 'cd', issuedAt: 100n, revoked: false } }),
      { wrong: 1 },
    ],
    [
      'was issued at another time',
      credential({ onChain: { commitment: 'ab', issuedAt: 99n, revoked: false } }),
      { wrong: 1 },
    ],
    [
      'failed for no true reason',
      credential({ session: { state: 'FAILED', failure: 'expired' } }),
      { wrong: 1 },
    ],
    [
      'failed as revoked, without a revocation',
      credential({ session: { state: 'FAILED', failure: REVOKED_FIRST } }),
      { wrong: 1 },
    ],
    ['was changed twice', credential({ successes: 2 }), { doubled: 1 }],
  ])('that %s', (_what, doctored, counts) => {
    expect(countsOf({ credentials: [doctored] })).toEqual({ acknowledged: 1, final: 1, ...counts });
  });
});

describe('a revocation', () => {
  const valid = { commitment: 'ab', issuedAt: 100n, revoked: false };
  test.each<[string, CredentialHistory, object]>([
    ['is unknown', revoked({ revocationState: null }), { final: 1, lost: 1 }],
    ['is REVOKING', revoked({ revocationState: 'REVOKING' }), { final: 1, stuck: 1 }],
    ['does not hold on chain', revoked({ onChain: valid }), { wrong: 1 }],
    ['was sent twice', revoked({ successes: 3 }), { doubled: 1 }],
  ])('that %s', (_what, doctored, counts) => {
    expect(countsOf({ credentials: [doctored] })).toEqual({ acknowledged: 2, final: 2, ...counts });
  });
});

test('balances must equal the sum of the finalized operations', () => {
  const operations = [
    operation({ move: { from: null, to: 'a', amount: 100n } }),
    operation({ move: { from: 'a', to: 'b', amount: 30n } }),
    { ...failed(onChainError(1, 6008), FAILED_ON_CHAIN), move: { from: 'b', to: 'a', amount: 30n } },
  ];
  const of = (a: bigint, b: bigint) =>
    countsOf({
      operations,
      balances: new Map([
        ['a', a],
        ['b', b],
      ]),
    });
  expect(of(70n, 30n)).toEqual({ acknowledged: 3, final: 3 });
  expect(of(100n, 0n)).toMatchObject({ wrong: 2 });
  expect(of(70n, 31n)).toMatchObject({ wrong: 1 });
});

describe('events', () => {
  const [first, second] = [operation({ id: 'first' }), operation({ id: 'second' })];
  const [earlier, later] = eventsOf([first, second]);
  const of = (...events: readonly (OperationEvent | undefined)[]) =>
    countsOf({ operations: [first, second], events: events.filter((event) => event !== undefined) });

  test.each<[string, object, object]>([
    ['came in order', of(earlier, later), {}],
    ['are missing', of(earlier), { 'events lost': 1 }],
    ['came with two ids', of(earlier, earlier, later), { 'events doubled': 1 }],
    ['came in another order', of(later, earlier), { 'events out of order': 1 }],
    ['have another type', of({ ...earlier!, type: 'operation.failed' }, later), { wrong: 1 }],
  ])('that %s', (_what, counts, expected) => {
    expect(counts).toEqual({ acknowledged: 2, final: 2, ...expected });
  });
});

test('an event that came again without a cause is doubled', () => {
  expect(countsOf({ repeatedEvents: ['evt_1', 'evt_2'] })).toMatchObject({ 'events doubled': 2 });
});

test('each answer without a cause counts', () => {
  const answers = new Map([
    ['/api/transactions/submit 409 DRAFT_EXPIRED', 3],
    ['sign-in 401 AUTHENTICATION_REQUIRED', 1],
    ['/api/transactions/submit 404 NOT_FOUND', 35],
    ['/api/operations/{id} 500 INTERNAL', 229],
  ]);
  expect(countsOf({ answers })).toMatchObject({ 'unexpected answers': 35 + 229 });
});

test('the longest time without a hindrance', () => {
  const life = { from: 10, to: 30 };
  expect(longestClearMs([], life)).toBe(20);
  expect(longestClearMs([{ from: 0, to: 12 }], life)).toBe(18);
  expect(longestClearMs([{ from: 25, to: Infinity }], life)).toBe(15);
  const overlapping = [
    { from: 22, to: 23 },
    { from: 14, to: 20 },
    { from: 15, to: 16 },
  ];
  expect(longestClearMs(overlapping, life)).toBe(7);
  expect(longestClearMs([{ from: 0, to: 40 }], life)).toBeLessThanOrEqual(0);
});
