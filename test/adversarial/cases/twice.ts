/** Services, wallets and nodes that would have a caller do the same thing twice, or take one thing for another. */
import { clauseMasks } from '@service/contract';
import { createRuleSetInstruction, MEMO_PROGRAM, memoText, programAddresses } from '@service/protocol';
import type { PlainWallet, PreparedOperation } from '@service/sdk';
import { send } from '@service/test-support/service';
import { type Address, createNoopSigner, type Instruction, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { expect } from 'vitest';
import { type Casting, cast, type Play, type Players, pretend, type Result } from '../support/play.ts';
import { type Case, refusing } from './case.ts';
import { nodeWith } from './chain.ts';

const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }] as const;
const ruleSet = (nonce: bigint) => ({ name: 'Adults', nonce, clauses, maxPassAgeSeconds: 86_400n });

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

/** What the service says of operations, while it lies. */
function saying(change: (told: Record<string, unknown>) => object, isLying: () => boolean = () => true) {
  const through: NonNullable<Casting['through']> = (fetch) => async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    if (!new URL(request.url).pathname.startsWith('/api/operations/') || !isLying()) return response;
    return Response.json(change((await response.json()) as Record<string, unknown>));
  };
  return through;
}

const bare = ({ transaction: _, ...told }: Record<string, unknown>) => told;
const expired = (told: Record<string, unknown>) => ({ ...bare(told), state: 'EXPIRED' });

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

const resolved = (result: Result) => {
  if ('error' in result) throw result.error;
  return result.value;
};
const refused = (result: Result) => ('error' in result ? result.error : new Error('nothing was refused'));

/** The memo of an operation, and what else a transaction holds. */
async function land(
  { stage: { world } }: Players,
  payer: KeyPairSigner,
  operationId: string,
  instructions: readonly Instruction[],
): Promise<string> {
  const memo: Instruction = {
    programAddress: MEMO_PROGRAM,
    data: new TextEncoder().encode(memoText(operationId)),
  };
  await send(world, payer, [memo, ...instructions]);
  await world.finalize();
  const [{ signature } = { signature: '' }] = await world.rpc
    .getSignaturesForAddress(payer.address, { commitment: 'finalized', limit: 1 })
    .send();
  return signature;
}

const createsRuleSet = (players: Players, wallet: Address) =>
  createRuleSetInstruction(players.stage.world.program, {
    kind: 'CREATE_RULE_SET',
    wallet,
    ...ruleSet(77n),
    clauses: clauses.map(clauseMasks),
  });

/** After a reload the service calls an operation final under the signature of another transaction with its memo. */
function otherTransaction(
  id: string,
  make: (players: Players, owner: KeyPairSigner, operationId: string) => Promise<string>,
): Case {
  return {
    id: `twice-${id}`,
    isFresh: false,
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      const before = cast(players, { person });
      const { operationId } = await before.client.prepare.createRuleSet(ruleSet(1n));
      const signature = await make(players, person.key, operationId);
      const told = { state: 'FINALIZED', signature, slot: '5', indexed: true };
      const play = cast(players, { person, through: saying((each) => ({ ...bare(each), ...told })) });
      const waiting = await pretend(stage, () =>
        play.client.waitForOperation(operationId, { wallet: person.key.address, timeoutMs: 5_000 }),
      );
      players.secrets.searchError(id, refused(waiting));
      expect(refused(waiting), id).toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    },
  };
}

/** A write that is kept back, and what the chain shows of it in the end. */
function keptBack(
  id: string,
  edits: () => Parameters<typeof nodeWith>[1],
  onStep: (players: Players, operationId: string, owner: KeyPairSigner) => Promise<void>,
  expected: object,
): Case {
  return {
    id: `twice-${id}`,
    isFresh: false,
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      let operationId = '';
      const play = cast(players, { person, forwards: false, rpc: nodeWith(stage, edits()) });
      const result = await pretend(
        stage,
        () =>
          play.client.createRuleSet(play.wallet, ruleSet(9n), {
            timeoutMs: 20_000,
            onPrepared: (prepared) => (operationId = prepared.operationId),
          }),
        {
          mayPass: () => play.traffic.submits > 0,
          onStep: () => onStep(players, operationId, person.key),
        },
      );
      players.secrets.searchError(id, refused(result));
      expect(refused(result), id).toMatchObject(expected);
    },
  };
}

const die = async ({ stage: { world } }: Players) => {
  world.net.advanceSlots(160);
  await world.finalize();
};

const NEVER_LANDED = { code: 'OPERATION_FAILED', context: { reason: 'NEVER_LANDED' } };
const FULL_PAGE = Array.from({ length: 1_000 }, () => ({
  signature: '1'.repeat(64),
  slot: 2n ** 50n,
  err: null,
  memo: '[5] other',
  blockTime: null,
  confirmationStatus: 'finalized',
}));

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
      expect(refused(waiting)).toMatchObject({ code: 'DRAFT_EXPIRED' });
      return client.signAndSubmit(wallet, prepared);
    },
    {},
    () => saying(expired),
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
        return resolved(waiting);
      },
      { asks: 1 },
      () => saying(expired),
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
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
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
      const { created } = stage.world;
      const person = await stage.newcomer();
      const page = cast(players, { person, forwards: true });
      const other = cast(players, { person, forwards: true });
      const key = { idempotencyKey: `shared-${crypto.randomUUID()}` };
      const prepared = await page.client.prepare.createRuleSet(ruleSet(3n), key);
      const prompt = slow(page.wallet);
      const signing = page.client.signAndSubmit(prompt.wallet, prepared);
      const refusal = expect(signing).rejects.toMatchObject({ code: 'OPERATION_ALREADY_SIGNED' });
      await prompt.opened;
      await sign(other, await other.client.prepare.createRuleSet(ruleSet(3n), key));
      const wallet = person.key.address;
      const waiting = await pretend(
        stage,
        () => page.client.waitForOperation(prepared.operationId, { wallet, timeoutMs: 20_000 }),
        {
          async onStep() {
            await created.tick();
            await stage.world.finalize();
            await created.tick();
          },
        },
      );
      expect(resolved(waiting)).toMatchObject({ state: 'FINALIZED', wallet });
      prompt.answer();
      await refusal;
      expect(page.traffic.submits).toBe(0);
    },
  },
  otherTransaction('transaction-of-another-wallet', async (players, _owner, operationId) => {
    const { key } = await players.stage.newcomer();
    return land(players, key, operationId, [await createsRuleSet(players, key.address)]);
  }),
  otherTransaction('transaction-that-is-no-operation', async (players, owner, operationId) => {
    const source = createNoopSigner(owner.address);
    const pays = getTransferSolInstruction({
      source,
      destination: players.stage.holder.key.address,
      amount: 1n,
    });
    return land(players, owner, operationId, [pays]);
  }),
  {
    id: 'twice-one-id-for-two-requests',
    isFresh: false,
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      // The page before the reload signs one request; its bytes are kept back.
      const before = cast(players, { person });
      const first = await before.client.prepare.createRuleSet(ruleSet(1n));
      const { operationId } = first;
      await before.client.signAndSubmit(before.wallet, first).catch(() => undefined);
      const { signature } = before.client.getSnapshot().operations[0]!;
      expect(signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
      // Another request of the same wallet lands under the same id.
      const other = await land(players, person.key, operationId, [
        await createsRuleSet(players, person.key.address),
      ]);
      const told = { state: 'FINALIZED', signature: other, slot: '5', indexed: true };
      const after = cast(players, { person, through: saying((each) => ({ ...bare(each), ...told })) });
      const options = { wallet: person.key.address, signature: signature!, timeoutMs: 4_000 };
      for (const call of [
        () => after.client.waitForOperation(operationId, options),
        () => after.client.waitForOperation(operationId, { signature: signature!, timeoutMs: 4_000 }),
        () => before.client.waitForOperation(operationId, { timeoutMs: 4_000 }),
      ]) {
        const result = await pretend(stage, call);
        players.secrets.searchError('one-id', refused(result));
        expect(refused(result)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      }
      await expect(after.client.fetchReceipt(operationId, options)).rejects.toMatchObject({
        code: 'UNEXPECTED_RESPONSE',
      });
      // And what belongs together is proven.
      const own = { ...options, signature: other as never };
      expect(
        resolved(await pretend(stage, () => after.client.waitForOperation(operationId, own))),
      ).toMatchObject({ signature: other, kind: 'CREATE_RULE_SET' });
      expect(
        await after.client.fetchReceipt(operationId, { wallet: person.key.address }).catch((e) => e.code),
      ).toBe('RECORD_MISMATCH');
    },
  },
  {
    id: 'twice-another-kind-after-the-proof',
    isFresh: false,
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      const before = cast(players, { person });
      const { operationId } = await before.client.prepare.createRuleSet(ruleSet(1n));
      const signature = await land(players, person.key, operationId, [
        await createsRuleSet(players, person.key.address),
      ]);
      let asked = 0;
      const lie = (each: Record<string, unknown>) => ({
        ...bare(each),
        state: 'FINALIZED',
        slot: '5',
        rule: stage.rule,
        ...(asked++ === 0
          ? { indexed: false, signature }
          : { indexed: true, kind: 'PROVE', signature: '1'.repeat(64) }),
      });
      const play = cast(players, { person, through: saying(lie) });
      const result = await pretend(stage, () =>
        play.client.waitForOperation(operationId, { wallet: person.key.address, timeoutMs: 5_000 }),
      );
      const rule = await programAddresses(stage.world.program).ruleSet(person.key.address, 77n);
      const shown = { kind: 'CREATE_RULE_SET', signature, rule, wallet: person.key.address };
      expect(resolved(result)).toMatchObject(shown);
      expect((resolved(result) as { slot: bigint }).slot).not.toBe(5n);
    },
  },
  keptBack(
    'stranger-with-the-memo',
    () => ({}),
    async (players, operationId, owner) => {
      const { key } = await players.stage.newcomer();
      const source = createNoopSigner(key.address);
      // Names the wallet, and is none of its doing.
      const pays = getTransferSolInstruction({ source, destination: owner.address, amount: 1n });
      await land(players, key, operationId, [pays]);
      await die(players);
    },
    NEVER_LANDED,
  ),
  keptBack(
    'node-that-tells-no-memos',
    () => ({
      getSignaturesForAddress: (told) => (told as object[]).map((entry) => ({ ...entry, memo: null })),
    }),
    async (players, _operationId, owner) => {
      // Signed by the wallet, and of another operation: the transaction itself says so.
      const source = createNoopSigner(owner.address);
      const pays = getTransferSolInstruction({ source, destination: owner.address, amount: 1n });
      await land(players, owner, crypto.randomUUID(), [pays]);
      await die(players);
    },
    NEVER_LANDED,
  ),
  keptBack(
    'node-that-pages-in-a-circle',
    () => {
      // A client that goes on fails its test, and not the machine.
      let pages = 0;
      return { getSignaturesForAddress: () => (pages++ < 200 ? FULL_PAGE : []) };
    },
    die,
    { code: 'OUTCOME_UNKNOWN' },
  ),
];
