import { eventRecord } from '@service/contract';
import { CREDENTIAL_OFFSETS } from '@service/protocol';
import { getMintBindingEncoder, getPlaceEncoder, type MintBindingArgs } from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  configAccount,
  credentialAccount,
  indexAt,
  PROGRAM,
  passAccount,
  type ReadAccount,
  type StepReading,
} from '../../test/support/events/index-steps.ts';
import { readEvents } from '../../test/support/events/read-events.ts';
import { randomAddress } from '../../test/support/service-on-chain.ts';
import { databaseOfFile } from '../../test/support/test-database.ts';
import { readPosition } from '../chain-index/position.ts';
import { recordEndedPasses } from './ended-passes.ts';
import { eventJson } from './record.ts';

const database = databaseOfFile();
const INDEX = {
  get db() {
    return database.db;
  },
  settings: { program: PROGRAM },
};
const wallet = randomAddress();
const address = randomAddress();
const DAY = 86_400n;

beforeEach(async () => {
  await sql`truncate event, indexed_account, indexed_signature, index_position`.execute(database.db);
});

type Step = readonly [time: bigint, reading?: StepReading];

/** Runs steps, each at its chain time, and returns the events of each, decoded from the wire. */
async function eventsOf(...steps: readonly Step[]) {
  const found = [];
  for (const [time, reading] of steps) {
    const before = await read();
    expect(await indexAt(database, time, reading)).toBe(true);
    await recordEndedPasses(INDEX, new AbortController().signal);
    found.push((await read()).slice(before.length));
  }
  return found;
}

async function read() {
  const rows = await readEvents(database);
  return rows.map((row) => z.decode(eventRecord, JSON.parse(eventJson(row))));
}

async function count(): Promise<number> {
  const { n } = await database.db
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<bigint>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

const typesOf = async (...steps: readonly Step[]) =>
  (await eventsOf(...steps)).map((events) => events.map(({ type }) => type));

describe('a credential', () => {
  const issued = credentialAccount(wallet, { address, issuedAt: 5n });

  test('that is new is issued, with its record', async () => {
    const [first, second] = await eventsOf([1n], [2n, { accounts: [issued] }]);
    expect(first).toEqual([]);
    expect(second).toMatchObject([
      { type: 'credential.issued', wallet, data: { address, wallet, issuedAt: 5n, revoked: false } },
    ]);
  });

  test('has no event in the first reading, in a full reading without a change, and when it is read again', async () => {
    const all = { accounts: [issued], full: true };
    expect(await typesOf([1n, all], [2n, all], [3n, { accounts: [issued] }])).toEqual([[], [], []]);
  });

  test('that is replaced is issued again, and revoked once', async () => {
    const replaced = credentialAccount(wallet, { address, issuedAt: 7n, salt: 2 });
    const revoked = credentialAccount(wallet, { address, issuedAt: 8n, salt: 2, revoked: true });
    const again = credentialAccount(wallet, { address, issuedAt: 9n, salt: 2, revoked: true });
    const back = credentialAccount(wallet, { address, issuedAt: 10n, salt: 3 });
    expect(
      await typesOf(
        [1n, { accounts: [issued] }],
        [2n, { accounts: [replaced] }],
        [3n, { accounts: [revoked], full: true }],
        [4n, { accounts: [again] }],
        [5n, { accounts: [back] }],
      ),
    ).toEqual([[], ['credential.issued'], ['credential.revoked'], [], ['credential.issued']]);
  });

  test('has no event when only the time of another verifier changes, or the version', async () => {
    const bytes = Uint8Array.from(issued.bytes);
    bytes[CREDENTIAL_OFFSETS.version]! -= 1;
    bytes.fill(1, CREDENTIAL_OFFSETS.voidUntil);
    const kept = { ...issued, bytes };
    expect(await typesOf([1n, { accounts: [issued], full: true }], [2n, { accounts: [kept] }])).toEqual([
      [],
      [],
    ]);
  });

  test('that was revoked before the service saw it is revoked', async () => {
    const revoked = credentialAccount(wallet, { address, issuedAt: 8n, revoked: true });
    expect(await typesOf([1n], [2n, { accounts: [revoked] }])).toEqual([[], ['credential.revoked']]);
  });
});

describe('a pass that expires soon', () => {
  const start = 1_000_000n;
  const long = passAccount(wallet, { address, issuedAt: start, expiresAt: start + 10n * DAY });
  const short = passAccount(wallet, { address, issuedAt: start, expiresAt: start + 3_600n });

  test('has one event, 24 hours before its end', async () => {
    const due = start + 9n * DAY;
    const all = { accounts: [long], full: true };
    const steps = await eventsOf([start, all], [due - 1n], [due], [due + 1n], [due + 2n, all]);
    expect(steps.map((events) => events.length)).toEqual([0, 0, 1, 0, 0]);
    expect(steps[2]).toMatchObject([
      { type: 'pass.expiring', wallet, data: { address, expiresAt: start + 10n * DAY } },
    ]);
  });

  test('has it after half of a shorter life', async () => {
    const steps = await typesOf([start, { accounts: [short] }], [start + 1_799n], [start + 1_800n]);
    expect(steps).toEqual([[], [], ['pass.expiring']]);
  });

  test('has it when it appears late, and again after a renewal, for each expiry once', async () => {
    const renewed = passAccount(wallet, { address, issuedAt: start + 2_000n, expiresAt: start + 5_600n });
    expect(
      await typesOf(
        [start + 1_900n],
        [start + 2_000n, { accounts: [short] }],
        [start + 2_001n, { accounts: [renewed] }],
        [start + 3_900n],
        [start + 3_901n, { accounts: [renewed], full: true }],
      ),
    ).toEqual([[], ['pass.expiring'], [], ['pass.expiring'], []]);
  });

  test('has it when a slice of a full reading finds it late', async () => {
    const steps = await typesOf(
      [start],
      [start + 1_900n],
      [start + 1_901n, { accounts: [short], slicesLeft: 1 }],
      [start + 1_902n],
    );
    expect(steps).toEqual([[], [], ['pass.expiring'], []]);
  });

  test('has none when it has expired, or was ended', async () => {
    const ended = passAccount(wallet, { issuedAt: start, expiresAt: start + 3_600n, isEnded: true });
    const steps = await typesOf(
      [start],
      [start + 3_600n, { accounts: [short] }],
      [start + 3_000n, { accounts: [ended] }],
    );
    expect(steps.flat()).toEqual([]);
  });

  test('has it once after the index was deleted, also if it was due meanwhile', async () => {
    const other = passAccount(randomAddress(), { issuedAt: start, expiresAt: start + 7_200n });
    const all = { accounts: [short, other], full: true };
    await eventsOf([start, all], [start + 1_800n]);
    await sql`delete from indexed_account`.execute(database.db);
    await sql`delete from index_position`.execute(database.db);
    expect(await typesOf([start + 3_599n, all])).toEqual([[]]);
    await sql`delete from indexed_account`.execute(database.db);
    await sql`delete from index_position`.execute(database.db);
    expect(await typesOf([start + 3_600n, all], [start + 3_601n])).toEqual([['pass.expiring'], []]);
  });
});

describe('a pass without a proof', () => {
  const start = 1_000n;
  const granted = { issuedAt: start, expiresAt: start + 3_600n, opened: 'granted' } as const;

  test('that was granted has its event, and those of any other pass', async () => {
    const pass = passAccount(wallet, { address, ...granted });
    const again = passAccount(wallet, { address, ...granted, expiresAt: start + 7_200n });
    const [, given, renewed, same, closed] = await eventsOf(
      [start],
      [start + 1_801n, { accounts: [pass] }],
      [start + 1_802n, { accounts: [again] }],
      [start + 1_803n, { accounts: [again], full: true }],
      [start + 2_000n, { gone: [address] }],
    );
    const data = { address, wallet, granted: true, suspendedUntil: 0n };
    expect(given).toMatchObject([
      { type: 'pass.granted', wallet, data: { ...data, expiresAt: start + 3_600n } },
      { type: 'pass.expiring' },
    ]);
    expect(renewed).toMatchObject([{ type: 'pass.granted', data: { ...data, expiresAt: start + 7_200n } }]);
    expect(same).toEqual([]);
    expect(closed).toMatchObject([{ type: 'pass.closed', data: { granted: true, reason: 'ENDED' } }]);
  });

  test('that was opened to suspend its wallet has only the events of the suspension', async () => {
    const pass = passAccount(wallet, { address, issuedAt: 0n, expiresAt: 0n, opened: 'suspended' });
    const [, begun, lifted] = await eventsOf(
      [start],
      [start + 1n, { accounts: [pass] }],
      [start + 2n, { gone: [address] }],
    );
    const event = { type: 'pass.suspended', wallet };
    expect(begun).toMatchObject([{ ...event, data: { address, suspendedUntil: 2n ** 64n - 1n } }]);
    expect(lifted).toMatchObject([{ ...event, data: { address, suspendedUntil: 0n } }]);
  });
});

describe('a suspension', () => {
  const start = 1_000n;
  const pass = (suspendedUntil: bigint, issuedAt = start) =>
    passAccount(wallet, { address, issuedAt, expiresAt: 900_000n, suspendedUntil });
  const untilOf = async (...steps: readonly Step[]) =>
    (await eventsOf(...steps)).map((events) =>
      events.map(({ type, data }) => [type, 'suspendedUntil' in data && data.suspendedUntil]),
    );

  test('has an event when it begins, changes and is lifted, and when the same one begins again', async () => {
    const suspended = (until: bigint) => [['pass.suspended', until]];
    expect(
      await untilOf(
        [start, { accounts: [pass(0n)] }],
        [start + 1n, { accounts: [pass(5_000n)] }],
        [start + 2n, { accounts: [pass(5_000n)], full: true }],
        [start + 3n, { accounts: [pass(6_000n)] }],
        [start + 4n, { accounts: [pass(0n)] }],
        [start + 5n, { accounts: [pass(5_000n)] }],
      ),
    ).toEqual([[], suspended(5_000n), [], suspended(6_000n), suspended(0n), suspended(5_000n)]);
  });

  test('has none when it lapses and the pass is renewed or closed', async () => {
    const steps = [
      [start, { accounts: [pass(2_000n)] }],
      [2_000n, { accounts: [pass(0n, 2_000n)] }],
    ] as const;
    expect((await untilOf(...steps)).flat()).toEqual([]);
    await indexAt(database, 2_001n, { accounts: [pass(3_000n, 2_000n)] });
    expect((await typesOf([3_000n, { gone: [address] }])).flat()).toEqual(['pass.closed']);
  });
});

describe('a place of a person', () => {
  const rule = randomAddress();
  const tag = new Uint8Array(32).fill(1);
  const held = (by: Address, since: bigint): ReadAccount => ({
    address,
    bytes: getPlaceEncoder().encode({ bump: 255, rule, tag, wallet: by, pass: randomAddress(), since }),
  });
  const [lost, found] = [randomAddress(), randomAddress()];

  test('has an event each time that another wallet takes it, and none when its wallet proves again', async () => {
    const [, created, same, taken, again, back] = await eventsOf(
      [1n],
      [2n, { accounts: [held(lost, 2n)] }],
      [3n, { accounts: [held(lost, 2n)], full: true }],
      [4n, { accounts: [held(found, 4n)] }],
      [5n, { accounts: [held(found, 4n)] }],
      [6n, { accounts: [held(lost, 6n)], full: true }],
    );
    expect([created, same, again]).toEqual([[], [], []]);
    const event = { type: 'place.taken', wallet: found };
    expect(taken).toMatchObject([{ ...event, data: { address, rule, replaced: lost, since: 4n } }]);
    expect(back).toMatchObject([{ type: 'place.taken', wallet: lost, data: { replaced: found, since: 6n } }]);
    expect(taken![0]!.id).not.toBe(back![0]!.id);
  });

  test('has no event when the index first finds it', async () => {
    expect(await typesOf([1n, { accounts: [held(lost, 1n)], full: true }])).toEqual([[]]);
  });
});

describe('a mint binding', () => {
  const [mint, rule, other, issuer, next] = Array.from({ length: 5 }, randomAddress) as [
    Address,
    Address,
    Address,
    Address,
    Address,
  ];
  const binding = (change: Partial<MintBindingArgs> = {}): ReadAccount => ({
    address,
    bytes: getMintBindingEncoder().encode({ bump: 255, mint, rule, issuer, requireSource: true, ...change }),
  });
  const data = { address, mint, rule, issuer, nominee: null, nextRule: null, nextRuleFrom: 0n };

  test('has an event when a rule set is announced, again, withdrawn and applied', async () => {
    const announced = (from: bigint) => binding({ nextRule: other, nextRuleFrom: from });
    const [, first, second, same, withdrawn, , applied] = await eventsOf(
      [1n, { accounts: [binding()] }],
      [2n, { accounts: [announced(9n)] }],
      [3n, { accounts: [announced(10n)] }],
      [4n, { accounts: [announced(10n)], full: true }],
      [5n, { accounts: [binding()] }],
      [6n, { accounts: [announced(11n)] }],
      [11n, { accounts: [binding({ rule: other })] }],
    );
    const event = { type: 'rule.announced', wallet: issuer };
    expect(first).toMatchObject([{ ...event, data: { ...data, nextRule: other, nextRuleFrom: 9n } }]);
    expect(second).toMatchObject([{ ...event, data: { nextRule: other, nextRuleFrom: 10n } }]);
    expect(same).toEqual([]);
    expect(withdrawn).toMatchObject([{ ...event, data }]);
    expect(applied).toMatchObject([{ type: 'rule.changed', wallet: issuer, data: { ...data, rule: other } }]);
  });

  test('has an event when an issuer is nominated, withdrawn and accepts', async () => {
    const [, nominated, withdrawn, , accepted] = await eventsOf(
      [1n, { accounts: [binding()] }],
      [2n, { accounts: [binding({ nominee: next })] }],
      [3n, { accounts: [binding()] }],
      [4n, { accounts: [binding({ nominee: next })] }],
      [5n, { accounts: [binding({ issuer: next })] }],
    );
    const event = { type: 'issuer.nominated', wallet: issuer };
    expect(nominated).toMatchObject([{ ...event, data: { ...data, nominee: next } }]);
    expect(withdrawn).toMatchObject([{ ...event, data }]);
    expect(accepted).toMatchObject([
      { type: 'issuer.changed', wallet: next, data: { ...data, issuer: next } },
    ]);
  });

  test('has each event when both change in one step, and another follows at once', async () => {
    const [, types] = await typesOf(
      [1n, { accounts: [binding({ nextRule: other, nextRuleFrom: 2n, nominee: next })] }],
      [
        3n,
        {
          accounts: [binding({ rule: other, issuer: next, nextRule: rule, nextRuleFrom: 9n, nominee: mint })],
        },
      ],
    );
    expect(types).toEqual(['rule.changed', 'rule.announced', 'issuer.changed', 'issuer.nominated']);
  });

  test('has no event when it is new, also in a full reading', async () => {
    const steps = await typesOf([1n], [2n, { accounts: [binding({ nominee: next })] }], [3n, { full: true }]);
    expect(steps.flat()).toEqual([]);
  });
});

describe('a pass that closes', () => {
  const live = passAccount(wallet, { address, issuedAt: 100n, expiresAt: 9_000n });

  test('has one event when its account is gone, as it was before', async () => {
    const [, events, again] = await eventsOf(
      [200n, { accounts: [live] }],
      [300n, { gone: [address] }],
      [400n, { full: true }],
    );
    expect(events).toMatchObject([
      { type: 'pass.closed', wallet, data: { address, expiresAt: 9_000n, reason: 'ENDED', closedAt: 300n } },
    ]);
    expect(again).toEqual([]);
  });

  test('is found by a full reading', async () => {
    expect(await typesOf([200n, { accounts: [live] }], [300n, { full: true }])).toEqual([
      [],
      ['pass.closed'],
    ]);
  });

  test('has its event when it was ended, and none when its account is closed then', async () => {
    const ended = passAccount(wallet, { address, issuedAt: 100n, expiresAt: 250n, isEnded: true });
    const [, events, closed] = await eventsOf(
      [200n, { accounts: [live] }],
      [300n, { accounts: [ended] }],
      [400n, { gone: [address] }],
    );
    expect(events).toMatchObject([{ type: 'pass.closed', data: { expiresAt: 9_000n, reason: 'ENDED' } }]);
    expect(closed).toEqual([]);
    // Also if the event was deleted meanwhile.
    await indexAt(database, 500n, { accounts: [ended] });
    await sql`truncate event`.execute(database.db);
    expect(await typesOf([600n, { gone: [address] }])).toEqual([[]]);
  });

  test('had expired', async () => {
    const [, events] = await eventsOf([200n, { accounts: [live] }], [9_000n, { gone: [address] }]);
    expect(events).toMatchObject([{ type: 'pass.closed', data: { reason: 'EXPIRED' } }]);
  });

  test('is not renewed: a renewal has no event', async () => {
    const renewed = passAccount(wallet, { address, issuedAt: 250n, expiresAt: 9_999n });
    expect(await typesOf([200n, { accounts: [live] }], [300n, { accounts: [renewed] }])).toEqual([[], []]);
  });

  test.each([false, true])(
    'was ended by governance, with all that were issued before (full reading: %s)',
    async (full) => {
      const later = passAccount(randomAddress(), { issuedAt: 260n, expiresAt: 9_000n });
      const expired = passAccount(randomAddress(), { issuedAt: 100n, expiresAt: 210n });
      const passes = [live, later, expired];
      const rest = full ? passes : [];
      const [, events, again] = await eventsOf(
        [280n, { accounts: [configAccount(0n), ...passes] }],
        [300n, { accounts: [configAccount(260n), ...rest], full }],
        [400n, { accounts: [configAccount(260n), ...rest], full }],
      );
      expect(events).toMatchObject([{ type: 'pass.closed', wallet, data: { address, reason: 'ENDED' } }]);
      expect(again).toEqual([]);
      // Its account is closed much later.
      expect(await typesOf([500n, { gone: [address] }])).toEqual([[]]);
    },
  );

  test('was ended by governance, and is found when the others have their events', async () => {
    const [, , found, gone] = await eventsOf(
      [280n, { accounts: [configAccount(0n)] }],
      [300n, { accounts: [configAccount(260n)] }],
      [310n, { accounts: [live] }],
      [320n, { gone: [address] }],
    );
    expect(found).toMatchObject([{ type: 'pass.closed', wallet, data: { address, reason: 'ENDED' } }]);
    expect(gone).toEqual([]);
  });

  test('by governance with very many has one event, whatever happens between two batches', async () => {
    const passes = Array.from({ length: 2_500 }, () =>
      passAccount(randomAddress(), { issuedAt: 100n, expiresAt: 9_000n }),
    );
    passes.sort((a, b) => (a.address < b.address ? -1 : 1));
    const [gone, renewed, ended] = [passes[2_400]!, passes[2_410]!, passes[2_420]!].map(
      ({ address }) => address,
    );
    await indexAt(database, 280n, { accounts: [configAccount(0n), ...passes] });
    await indexAt(database, 300n, { accounts: [configAccount(260n)] });
    // A signal that aborts ends the step after its first batch.
    const stop = new AbortController();
    const one = {
      ...INDEX,
      get db() {
        stop.abort();
        return database.db;
      },
    };
    await recordEndedPasses(one, stop.signal);
    expect(await count()).toBe(1_000);
    const accounts = [
      passAccount(randomAddress(), { address: renewed!, issuedAt: 300n, expiresAt: 9_999n }),
      passAccount(randomAddress(), { address: ended!, issuedAt: 100n, expiresAt: 310n, isEnded: true }),
    ];
    await indexAt(database, 310n, { accounts, gone: [gone!] });
    expect(await count()).toBe(1_003);
    await indexAt(database, 320n, { accounts: [configAccount(261n)] });
    await recordEndedPasses(INDEX, new AbortController().signal);
    expect(await count()).toBe(2_500);
    expect(await readPosition(database.db)).toMatchObject({ ended_until: 261n, ending_after: null });
  });
});

test('a step can name very many accounts that are not of the program', async () => {
  await indexAt(database, 1n);
  expect(await indexAt(database, 2n, { gone: Array.from({ length: 66_000 }, randomAddress) })).toBe(true);
});

test('a step that fails writes no event, and another process that was faster wins', async () => {
  const pass = passAccount(wallet, { issuedAt: 1n, expiresAt: 9n });
  await indexAt(database, 2n);
  const other = await database.another();
  const both = await Promise.all([
    indexAt(database, 3n, { accounts: [credentialAccount(wallet, { address, issuedAt: 5n })] }),
    indexAt(other, 3n, { accounts: [credentialAccount(wallet, { address, issuedAt: 5n })] }),
  ]);
  expect(both.filter(Boolean)).toHaveLength(1);
  expect(await read()).toHaveLength(1);
  const failing = database.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'DeleteQueryNode') throw new Error('killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const revoked = credentialAccount(wallet, { address, issuedAt: 6n, revoked: true });
  await expect(indexAt({ db: failing }, 4n, { accounts: [pass, revoked], full: true })).rejects.toThrow(
    'killed',
  );
  expect(await read()).toHaveLength(1);
});
