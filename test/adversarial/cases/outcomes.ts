/** Nodes that have forgotten a write, or show another transaction in its place. */
import { MEMO_PROGRAM } from '@service/protocol';
import { getAddressEncoder, getBase64Decoder, getBase64Encoder } from '@solana/kit';
import { expect } from 'vitest';
import { type Edit, type Edits, flipped, nodeWith, withValue } from '../support/node.ts';
import { type Casting, cast, type Players, pretend, type Result } from '../support/play.ts';
import type { Stage } from '../support/stage.ts';
import { expireBlockhash, failsWith, land, ruleSet, valueIn } from '../support/story.ts';
import type { Case } from './case.ts';

interface Story {
  readonly forwards: boolean;
  /** What happens on the way, once the bytes have left. */
  readonly onStep?: (players: Players) => Promise<void>;
  readonly edits?: (stage: Stage) => Edits;
  readonly through?: Casting['through'];
  readonly expect: (result: Result) => void;
}

/** A write whose end is looked for on a node. */
function outcome(id: string, story: Story): Case {
  return {
    id: `node-${id}`,
    isFresh: false,
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      const play = cast(players, {
        person,
        forwards: story.forwards,
        ...(story.edits ? { rpc: nodeWith(stage, story.edits(stage)) } : {}),
        ...(story.through ? { through: story.through } : {}),
      });
      const result = await pretend(
        stage,
        () => play.client.createRuleSet(play.wallet, ruleSet(9n), { timeoutMs: 20_000 }),
        {
          mayPass: () => play.traffic.submits > 0,
          onStep: () => story.onStep?.(players) ?? Promise.resolve(),
        },
      );
      if ('error' in result) players.secrets.searchError(id, result.error);
      story.expect(result);
      expect([play.traffic.asked, play.traffic.submits]).toEqual([1, 1]);
    },
  };
}

const unknown = failsWith({ code: 'OUTCOME_UNKNOWN' });
const unexpected = failsWith({ code: 'UNEXPECTED_RESPONSE' });
const landAndExpire = async (players: Players) => {
  await land(players);
  await expireBlockhash(players);
};

/** What a node says that has lost a transaction. */
const LOST: Edits = {
  getTransaction: () => null,
  getSignatureStatuses: (result) => withValue(result, [null]),
  getSignaturesForAddress: () => [],
};
const lost =
  (...methods: string[]) =>
  () =>
    Object.fromEntries(methods.map((method) => [method, LOST[method]!]));

/** A node that has lost a transaction for so many looks for its absence. */
function lostFor(looks: number): () => Edits {
  return () => {
    let looked = 0;
    const forgetting =
      (method: string): Edit =>
      (result, params) =>
        looked < looks ? LOST[method]!(result, params) : result;
    return {
      getTransaction: forgetting('getTransaction'),
      getSignatureStatuses: forgetting('getSignatureStatuses'),
      // The last question of a look.
      getSignaturesForAddress: (result, params) => {
        const told = forgetting('getSignaturesForAddress')(result, params);
        looked += 1;
        return told;
      },
    };
  };
}

/** A node that has lost a transaction for a time. */
function lostUntil(milliseconds: number): () => Edits {
  return () => {
    let since: number | undefined;
    const forgetting =
      (method: string): Edit =>
      (result, params) => {
        if (method === 'getSignaturesForAddress') since ??= performance.now();
        const isLost = since === undefined || performance.now() - since < milliseconds;
        return isLost ? LOST[method]!(result, params) : result;
      };
    return Object.fromEntries(Object.keys(LOST).map((method) => [method, forgetting(method)]));
  };
}

/** A node that shows another transaction in place of the one that is asked for. */
const showing = (change: (wire: Uint8Array) => Uint8Array) => () => ({
  getTransaction: (result: unknown) => {
    if (!result) return result;
    const { transaction } = result as { transaction: [string, string] };
    const wire = change(new Uint8Array(getBase64Encoder().encode(transaction[0])));
    return { ...(result as object), transaction: [getBase64Decoder().decode(wire), 'base64'] };
  },
});
/** The first account key: version, three counts, the number of keys come before it. */
const FEE_PAYER = 65 + 5;

function placeOf(wire: Uint8Array, part: Uint8Array): number {
  return Buffer.from(wire).indexOf(Buffer.from(part));
}

/** The outcomes of a write that the client finds on a node. */
export const OUTCOME_CASES: readonly Case[] = [
  outcome('proves-absence', {
    forwards: false,
    onStep: expireBlockhash,
    expect: failsWith({ code: 'OPERATION_FAILED', context: { reason: 'NEVER_LANDED' } }),
  }),
  outcome('knows-the-status', {
    forwards: true,
    edits: lost('getTransaction', 'getSignaturesForAddress'),
    onStep: landAndExpire,
    expect: unknown,
  }),
  outcome('knows-the-memo', {
    forwards: true,
    edits: lost('getTransaction', 'getSignatureStatuses'),
    onStep: landAndExpire,
    expect: unknown,
  }),
  outcome('that-begins-later', {
    forwards: false,
    edits: (stage) => ({ getFirstAvailableBlock: () => stage.world.net.slot }),
    onStep: expireBlockhash,
    expect: unknown,
  }),
  outcome('whose-statuses-are-behind', {
    forwards: false,
    edits: () => ({ getSignatureStatuses: (result) => ({ ...(result as object), context: { slot: 1n } }) }),
    onStep: expireBlockhash,
    expect: unknown,
  }),
  outcome('that-remembers-after-one-look', {
    forwards: true,
    edits: lostFor(1),
    onStep: async (players) => {
      await landAndExpire(players);
      await players.stage.world.created.tick();
    },
    expect: valueIn,
  }),
  outcome('that-remembers-the-status-after-one-look', {
    forwards: true,
    edits: () => ({ ...lostFor(1)(), getTransaction: () => null }),
    onStep: landAndExpire,
    expect: unknown,
  }),
  outcome('that-remembers-after-two-seconds', {
    forwards: true,
    edits: lostUntil(2_500),
    onStep: async (players) => {
      await landAndExpire(players);
      await players.stage.world.created.tick();
    },
    expect: valueIn,
  }),
  outcome('that-shows-another-signature', {
    forwards: true,
    edits: showing((wire) => flipped(wire, 1)),
    onStep: land,
    expect: unexpected,
  }),
  outcome('that-shows-another-fee-payer', {
    forwards: true,
    edits: showing((wire) => flipped(wire, FEE_PAYER)),
    onStep: land,
    expect: unexpected,
  }),
  outcome('that-shows-another-memo-program', {
    forwards: true,
    edits: showing((wire) =>
      flipped(wire, placeOf(wire, new Uint8Array(getAddressEncoder().encode(MEMO_PROGRAM)))),
    ),
    onStep: land,
    expect: unexpected,
  }),
  outcome('that-shows-no-transaction', {
    forwards: true,
    edits: showing((wire) => wire.slice(0, 70)),
    onStep: land,
    expect: unexpected,
  }),
  outcome('that-shows-an-overlong-transaction', {
    forwards: true,
    edits: showing((wire) => Uint8Array.from([...wire, ...new Uint8Array(1_300)])),
    onStep: land,
    expect: unexpected,
  }),
];
