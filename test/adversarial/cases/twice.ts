import type { PlainWallet, PreparedOperation } from '@service/sdk';
import { expect } from 'vitest';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { nodeWith } from '../support/node.ts';
import { type Casting, cast, type Play, type Players, pretend } from '../support/play.ts';
import { answering, errorOf, expired, land, ruleSet, valueIn } from '../support/story.ts';
import { type Case, refusing } from './case.ts';
import { SUBSTITUTION_CASES } from './substitution.ts';

/** A service that makes a new operation for each request, whatever its key. */
function forgetsKeys(): NonNullable<Casting['through']> {
  let count = 0;
  return (fetch) => (input, init) => {
    const request = new Request(input, init);
    const key = request.headers.get('idempotency-key');
    if (!key) return fetch(request);
    const headers = new Headers(request.headers);
    headers.set('idempotency-key', `${key}-${count++}`);
    return fetch(new Request(request, { headers }));
  };
}

/** Submissions are not passed on: what was signed is on its way all the same, for all that the client knows. */
async function sign({ client, wallet, traffic }: Play, prepared: PreparedOperation): Promise<void> {
  await client.signAndSubmit(wallet, prepared).catch(() => undefined);
  expect(traffic.submits).toBe(1);
  Object.assign(traffic, { submits: 0 });
}

/** A wallet whose prompt is answered when the test says so. */
function slow(wallet: PlainWallet) {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const signTransaction = async (wire: Uint8Array) => {
    open();
    await answered;
    return wallet.signTransaction(wire);
  };
  return { wallet: { ...wallet, signTransaction }, opened, answer };
}

/** A case of one refusal of a client on the holder's session. */
function twice(
  id: string,
  code: string,
  call: (play: Play, players: Players) => Promise<unknown>,
  { asks = 0, ...casting }: { asks?: number } & Partial<Casting> = {},
  through?: () => NonNullable<Casting['through']>,
): Case {
  return refusing(
    `twice-${id}`,
    { code },
    async (players) => {
      const play = cast(players, {
        person: players.stage.holder,
        ...casting,
        ...(through ? { through: through() } : {}),
      });
      return { play, call: call(play, players) };
    },
    { asks },
  );
}

/** The cases. */
export const TWICE_CASES: readonly Case[] = [
  twice(
    'new-operation-under-a-key-that-signed',
    'OPERATION_ALREADY_SIGNED',
    async (play) => {
      const key = { idempotencyKey: `payment-${crypto.randomUUID()}` };
      await sign(play, await play.client.prepare.createRuleSet(ruleSet(5n), key));
      return play.client.prepare.createRuleSet(ruleSet(5n), key);
    },
    { asks: 1 },
    forgetsKeys,
  ),
  twice(
    'new-operation-under-a-key-that-prepared',
    'UNEXPECTED_RESPONSE',
    async ({ client }) => {
      const key = { idempotencyKey: `payment-${crypto.randomUUID()}` };
      await client.prepare.createRuleSet(ruleSet(5n), key);
      return client.prepare.createRuleSet(ruleSet(5n), key);
    },
    {},
    forgetsKeys,
  ),
  twice(
    'signs-what-was-called-dead',
    'DRAFT_EXPIRED',
    async ({ client, wallet }, { stage }) => {
      const prepared = await stage.prepareAnew(client);
      const waiting = await pretend(stage, () => client.waitForOperation(prepared.operationId));
      expect(errorOf(waiting)).toMatchObject({ code: 'DRAFT_EXPIRED' });
      return client.signAndSubmit(wallet, prepared);
    },
    {},
    () => answering(expired),
  ),
  ...[true, false].map((isWalletPassed) =>
    twice(
      `called-dead-at-the-prompt-${isWalletPassed ? 'of-a-wallet' : 'of-any-wallet'}`,
      'OUTCOME_UNKNOWN',
      async (play, { stage }) => {
        const { client, traffic } = play;
        const prepared = await stage.prepareAnew(client);
        const prompt = slow(play.wallet);
        const sending = client.signAndSubmit(prompt.wallet, prepared).catch(() => undefined);
        await prompt.opened;
        const waiting = await pretend(stage, () =>
          client.waitForOperation(prepared.operationId, {
            ...(isWalletPassed ? { wallet: play.wallet.address } : {}),
            timeoutMs: 3_000,
          }),
        );
        prompt.answer();
        await sending;
        expect(traffic.submits).toBe(1);
        Object.assign(traffic, { submits: 0 });
        return valueIn(waiting);
      },
      { asks: 1 },
      () => answering(expired),
    ),
  ),
  twice(
    'two-operations-at-once',
    'SIGNED_OPERATION_PENDING',
    async ({ client, wallet, traffic }, { stage }) => {
      const drafts = [await stage.prepareAnew(client), await stage.prepareAnew(client)];
      const both = await Promise.allSettled(drafts.map((draft) => client.signAndSubmit(wallet, draft)));
      expect(traffic.submits).toBe(1);
      Object.assign(traffic, { submits: 0 });
      for (const each of both) {
        if (each.status === 'rejected' && each.reason.code !== 'OUTCOME_UNKNOWN') throw each.reason;
      }
    },
    { asks: 1 },
  ),
  twice(
    'a-second-in-flight',
    'SIGNED_OPERATION_PENDING',
    async (play, { stage }) => {
      await sign(play, await stage.prepareAnew(play.client));
      return play.client.signAndSubmit(play.wallet, await stage.prepareAnew(play.client));
    },
    { asks: 1 },
  ),
  refusing('twice-poor-wallet', { code: 'INSUFFICIENT_FUNDS' }, async (players) => {
    const { stage } = players;
    const rpc = nodeWith(stage, { getBalance: (result) => ({ ...(result as object), value: 4_999n }) });
    const play = cast(players, { person: stage.holder, rpc });
    const call = play.client.signAndSubmit(play.wallet, await stage.prepareAnew(play.client));
    const wallet = stage.holder.key.address;
    await expect(call).rejects.toMatchObject({ context: { wallet, balance: 4_999n, needed: 5_000n } });
    return { play, call };
  }),
  {
    id: 'twice-prompt-that-is-answered-after-an-abort',
    isFresh: false,
    async play(players) {
      const { stage } = players;
      const play = cast(players, { person: stage.holder });
      const prepared = await stage.prepareAnew(play.client);
      const prompt = slow(play.wallet);
      const controller = new AbortController();
      const call = play.client.signAndSubmit(prompt.wallet, prepared, { signal: controller.signal });
      await prompt.opened;
      controller.abort();
      await expectRefusal(call, 'ABORTED');
      prompt.answer();
      await new Promise((resolve) => setImmediate(resolve));
      expect(play.traffic.submits).toBe(0);
      // What was not sent can still be signed.
      await sign(play, prepared);
    },
  },
  {
    id: 'twice-prompt-that-is-answered-after-another-page-signed',
    isFresh: false,
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      const page = cast(players, { person, forwards: true });
      const other = cast(players, { person, forwards: true });
      const key = { idempotencyKey: `shared-${crypto.randomUUID()}` };
      const prepared = await page.client.prepare.createRuleSet(ruleSet(3n), key);
      const prompt = slow(page.wallet);
      const signing = page.client.signAndSubmit(prompt.wallet, prepared);
      const refusal = expectRefusal(signing, 'OPERATION_ALREADY_SIGNED');
      await prompt.opened;
      await sign(other, await other.client.prepare.createRuleSet(ruleSet(3n), key));
      const wallet = person.key.address;
      const waiting = await pretend(
        stage,
        () => page.client.waitForOperation(prepared.operationId, { wallet, timeoutMs: 20_000 }),
        {
          onStep: () => land(players),
        },
      );
      expect(valueIn(waiting)).toMatchObject({ state: 'FINALIZED', wallet });
      prompt.answer();
      await refusal;
      expect(page.traffic.submits).toBe(0);
    },
  },
  {
    id: 'twice-prompt-that-is-answered-during-a-wait',
    isFresh: false,
    async play(players) {
      const play = cast(players, { person: await players.stage.newcomer(), forwards: true });
      const prepared = await play.client.prepare.createRuleSet(ruleSet(3n));
      const prompt = slow(play.wallet);
      const signing = play.client.signAndSubmit(prompt.wallet, prepared);
      await prompt.opened;
      const onStep = async () => {
        prompt.answer();
        await signing;
        await land(players);
      };
      const wait = () => play.client.waitForOperation(prepared.operationId, { timeoutMs: 20_000 });
      expect(valueIn(await pretend(players.stage, wait, { onStep }))).toMatchObject({ state: 'FINALIZED' });
    },
  },
  ...SUBSTITUTION_CASES,
];
