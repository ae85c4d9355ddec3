/** Services, wallets and pages that could make a client sign or submit twice. */
import type { PreparedOperation } from '@service/sdk';
import { errorOf } from '@service/test-support';
import { expect } from 'vitest';
import { asExpired } from '../../support/changed-responses.ts';
import { slowWallet } from '../../support/counting-wallet.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { cast, type Play, type Players, pretend } from '../support/play.ts';
import { bytesOf, changingAccounts, land, ruleSet } from '../support/story.ts';
import { type Case, expectKeptBack, type Options, ready, rejecting, signAllAtOnce } from './case.ts';
import { SUBSTITUTION_CASES } from './substitution.ts';

/** A service that makes a new operation for each request, whatever its key. */
const forgettingKeys: Options = {
  through: (fetch) => (input, init) => {
    const request = new Request(input, init);
    const key = request.headers.get('idempotency-key');
    if (key) request.headers.set('idempotency-key', `${key}-${crypto.randomUUID()}`);
    return fetch(request);
  },
};

/** Signs an operation. For the client it is under way, although the stage keeps it back. */
async function sign(play: Play, prepared: PreparedOperation): Promise<void> {
  await play.client.signAndSubmit(play.wallet, prepared).catch(() => undefined);
  expectKeptBack(play);
}

const twice = (
  id: string,
  code: string,
  call: (play: Play, players: Players) => unknown,
  options?: Options,
) => rejecting(`twice-${id}`, code, call, options);

/** A service that reports a draft as expired while the wallet is being asked to sign it. */
const expiredAtThePrompt = (of: string, options: (play: Play) => object) =>
  twice(
    `expired-at-the-prompt-${of}`,
    'OUTCOME_UNKNOWN',
    async (play, { stage }) => {
      const prepared = await stage.prepareNew(play.client);
      const { wallet, opened, answer } = slowWallet(play.wallet);
      const sending = play.client.signAndSubmit(wallet, prepared).catch(() => undefined);
      await opened;
      const wait = () =>
        play.client.waitForOperation(prepared.operationId, { timeoutMs: 3_000, ...options(play) });
      await pretend(stage, wait).finally(async () => {
        answer();
        await sending;
        expectKeptBack(play);
      });
    },
    { asks: 1, records: asExpired },
  );

export const TWICE_CASES: readonly Case[] = [
  twice(
    'new-operation-under-a-key-that-signed',
    'OPERATION_ALREADY_SIGNED',
    async (play) => {
      const key = { idempotencyKey: `payment-${crypto.randomUUID()}` };
      await sign(play, await play.client.prepare.createRuleSet(ruleSet(5n), key));
      return play.client.prepare.createRuleSet(ruleSet(5n), key);
    },
    { asks: 1, ...forgettingKeys },
  ),
  twice(
    'new-operation-under-a-key-that-prepared',
    'UNEXPECTED_RESPONSE',
    async ({ client }) => {
      const key = { idempotencyKey: `payment-${crypto.randomUUID()}` };
      await ready(client.prepare.createRuleSet(ruleSet(5n), key));
      return client.prepare.createRuleSet(ruleSet(5n), key);
    },
    forgettingKeys,
  ),
  twice(
    'signs-what-was-reported-as-expired',
    'DRAFT_EXPIRED',
    async ({ client, wallet }, { stage }) => {
      const prepared = await stage.prepareNew(client);
      const waiting = pretend(stage, () => client.waitForOperation(prepared.operationId));
      expect(await errorOf(waiting)).toMatchObject({ code: 'DRAFT_EXPIRED' });
      return client.signAndSubmit(wallet, prepared);
    },
    { records: asExpired },
  ),
  expiredAtThePrompt('of-a-wallet', ({ wallet }) => ({ wallet: wallet.address })),
  expiredAtThePrompt('of-any-wallet', () => ({})),
  twice(
    'two-operations-at-the-same-time',
    'SIGNED_OPERATION_PENDING',
    async (play, { stage }) =>
      signAllAtOnce(play, [await stage.prepareNew(play.client), await stage.prepareNew(play.client)]),
    { asks: 1 },
  ),
  twice(
    'a-second-in-flight',
    'SIGNED_OPERATION_PENDING',
    async (play, { stage }) => {
      await sign(play, await stage.prepareNew(play.client));
      return play.client.signAndSubmit(play.wallet, await stage.prepareNew(play.client));
    },
    { asks: 1 },
  ),
  twice(
    'poor-wallet',
    'INSUFFICIENT_FUNDS',
    async ({ client, wallet }, { stage }) => {
      const call = client.signAndSubmit(wallet, await ready(stage.prepareNew(client)));
      const context = { wallet: wallet.address, balance: 4_999n, fee: 5_000n, rent: 0n };
      await expect(call).rejects.toMatchObject({ context });
      return call;
    },
    {
      edits: () =>
        // A wallet has no data.
        changingAccounts((account) =>
          account && bytesOf(account).length === 0
            ? Object.assign({ ...account }, { lamports: 4_999n })
            : account,
        ),
    },
  ),
  {
    id: 'twice-prompt-that-is-answered-after-an-abort',
    async play(players) {
      const { stage } = players;
      const play = cast(players, { person: stage.holder });
      const prepared = await stage.prepareNew(play.client);
      const { wallet, opened, answer, answered } = slowWallet(play.wallet);
      const controller = new AbortController();
      const call = play.client.signAndSubmit(wallet, prepared, { signal: controller.signal });
      await opened;
      controller.abort();
      await expectRefusal(call, 'ABORTED');
      answer();
      await answered;
      await new Promise((resolve) => setImmediate(resolve));
      expect(play.traffic.submits).toBe(0);
      // The wallet has its bytes, so it is not asked again until nothing of them can land.
      const again = play.client.signAndSubmit(play.wallet, prepared);
      await expectRefusal(again, 'OPERATION_ALREADY_SIGNED', {
        context: { operationId: prepared.operationId },
      });
      await expectRefusal(stage.prepareNew(play.client), 'SIGNED_OPERATION_PENDING', { retryable: true });
    },
  },
  {
    id: 'twice-prompt-that-is-answered-after-another-page-signed',
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      const page = cast(players, { person, forwards: true });
      const other = cast(players, { person, forwards: true });
      const key = { idempotencyKey: `shared-${crypto.randomUUID()}` };
      const prepared = await page.client.prepare.createRuleSet(ruleSet(3n), key);
      const prompt = slowWallet(page.wallet);
      const signing = page.client.signAndSubmit(prompt.wallet, prepared);
      // A case that fails before its end leaves this pending.
      const ended = signing.catch((error: unknown) => error);
      await prompt.opened;
      await sign(other, await other.client.prepare.createRuleSet(ruleSet(3n), key));
      const wallet = person.key.address;
      const wait = () => page.client.waitForOperation(prepared.operationId, { wallet, timeoutMs: 20_000 });
      const final = await pretend(stage, wait, { onStep: () => land(players) });
      expect(final).toMatchObject({ state: 'FINALIZED', wallet });
      prompt.answer();
      expect(await ended).toMatchObject({ name: 'ServiceError', code: 'OPERATION_ALREADY_SIGNED' });
      expect(page.traffic.submits).toBe(0);
    },
  },
  {
    id: 'twice-prompt-that-is-answered-during-a-wait',
    async play(players) {
      const play = cast(players, { person: await players.stage.newcomer(), forwards: true });
      const prepared = await play.client.prepare.createRuleSet(ruleSet(3n));
      const { wallet, opened, answer } = slowWallet(play.wallet);
      const signing = play.client.signAndSubmit(wallet, prepared);
      // A wait that fails leaves it pending, and it rejects later.
      signing.catch(() => undefined);
      await opened;
      const onStep = async () => {
        answer();
        await signing;
        await land(players);
      };
      const wait = () => play.client.waitForOperation(prepared.operationId, { timeoutMs: 20_000 });
      expect(await pretend(players.stage, wait, { onStep })).toMatchObject({ state: 'FINALIZED' });
    },
  },
  ...SUBSTITUTION_CASES,
];
