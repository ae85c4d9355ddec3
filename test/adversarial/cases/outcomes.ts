/** Nodes that lost a write, or show another transaction in its place. */
import { MEMO_PROGRAM } from '@service/protocol';
import { errorOf } from '@service/test-support';
import { getAddressEncoder } from '@solana/kit';
import { expect } from 'vitest';
import { type Edit, flipped, LOST } from '../../support/node.ts';
import { type Casting, cast, type Players, pretend } from '../support/play.ts';
import { bytesOf, expireBlockhash, land, ruleSet, withBytes } from '../support/story.ts';
import type { Case } from './case.ts';

const UNKNOWN = { code: 'OUTCOME_UNKNOWN' };
const UNEXPECTED = { code: 'UNEXPECTED_RESPONSE' };

/** A write that a client looks for on a node. It lands unless `forwards` is false. `null`: it must be final. */
function outcome(
  id: string,
  expected: object | null,
  onStep: (players: Players) => Promise<void>,
  edits: NonNullable<Casting['edits']> = () => ({}),
  forwards = true,
): Case {
  return {
    id: `node-${id}`,
    async play(players) {
      const { stage } = players;
      const play = cast(players, { person: await stage.newcomer(), forwards, edits });
      const writing = pretend(
        stage,
        () => play.client.createRuleSet(play.wallet, ruleSet(9n), { timeoutMs: 20_000 }),
        { mayPass: () => play.traffic.submits > 0, onStep: () => onStep(players) },
      );
      if (expected) {
        const error = await errorOf(writing);
        players.secrets.searchError(id, error);
        expect(error).toMatchObject(expected);
      } else await writing;
      expect([play.traffic.asked, play.traffic.submits]).toEqual([1, 1]);
    },
  };
}

/** A write that never lands. */
const absent = (id: string, expected: object, edits?: Casting['edits']) =>
  outcome(id, expected, expireBlockhash, edits, false);

async function landAndExpire(players: Players): Promise<void> {
  await land(players);
  await expireBlockhash(players);
}
async function landExpireAndTick(players: Players): Promise<void> {
  await landAndExpire(players);
  await players.stage.world.created.tick();
}

/** Lost results while `isLost` says so. It sees the method of each call. */
const lostWhile = (isLost: (method: string) => boolean) =>
  Object.fromEntries(
    Object.entries<Edit>(LOST).map(([method, lose]): [string, Edit] => [
      method,
      (result, params) => (isLost(method) ? lose(result, params) : result),
    ]),
  );

/** A node that lost a transaction during the client's first search for it. */
function lostOnce() {
  let searches = 0;
  return lostWhile((method) => {
    const isLost = searches < 1;
    // The last request of a search.
    if (method === 'getSignaturesForAddress') searches += 1;
    return isLost;
  });
}

/** A node that lost a transaction for 2.5 seconds. */
function lostForSeconds() {
  let since: number | undefined;
  return lostWhile((method) => {
    if (method === 'getSignaturesForAddress') since ??= performance.now();
    return since === undefined || performance.now() - since < 2_500;
  });
}

/** A write for which the node returns changed bytes. */
const showing = (id: string, change: (wire: Uint8Array) => Uint8Array) =>
  outcome(`that-shows-${id}`, UNEXPECTED, land, () => ({
    getTransaction: (result: { transaction: [string, string] } | null) => {
      if (!result) return result;
      const found = { data: result.transaction };
      return { ...result, transaction: withBytes(found, change(bytesOf(found))).data };
    },
  }));
/** The first account key: the version, three counts and the number of keys come before it. */
const FEE_PAYER = 65 + 5;
const memoProgram = Buffer.from(getAddressEncoder().encode(MEMO_PROGRAM));
const { getTransaction, getSignatureStatuses, getSignaturesForAddress } = LOST;

/** The outcomes of a write that the client finds on a node. */
export const OUTCOME_CASES: readonly Case[] = [
  absent('proves-absence', { code: 'OPERATION_FAILED', context: { reason: 'NEVER_LANDED' } }),
  outcome('knows-the-status', UNKNOWN, landAndExpire, () => ({ getTransaction, getSignaturesForAddress })),
  outcome('knows-the-memo', UNKNOWN, landAndExpire, () => ({ getTransaction, getSignatureStatuses })),
  absent('that-begins-later', UNKNOWN, ({ world }) => ({ getFirstAvailableBlock: () => world.net.slot })),
  absent('whose-statuses-are-behind', UNKNOWN, () => ({
    getSignatureStatuses: (result: object) => ({ ...result, context: { slot: 1n } }),
  })),
  outcome('that-remembers-after-one-search', null, landExpireAndTick, lostOnce),
  outcome('that-remembers-the-status-after-one-search', UNKNOWN, landAndExpire, () => ({
    ...lostOnce(),
    getTransaction,
  })),
  outcome('that-remembers-after-two-seconds', null, landExpireAndTick, lostForSeconds),
  showing('another-signature', (wire) => flipped(wire, 1)),
  showing('another-fee-payer', (wire) => flipped(wire, FEE_PAYER)),
  showing('another-memo-program', (wire) => flipped(wire, Buffer.from(wire).indexOf(memoProgram))),
  showing('no-transaction', (wire) => wire.slice(0, 70)),
  showing('an-overlong-transaction', (wire) => Uint8Array.from([...wire, ...new Uint8Array(1_300)])),
];
