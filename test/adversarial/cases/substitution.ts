/** Services and nodes that show another transaction in place of the one that a wallet signed. */
import { MEMO_PROGRAM, memoText, programAddresses } from '@service/protocol';
import { send } from '@service/test-support/service';
import { createNoopSigner, type Instruction, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { expect } from 'vitest';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { type Edits, nodeWith } from '../support/node.ts';
import { cast, type Players, pretend } from '../support/play.ts';
import {
  answering,
  createsRuleSet,
  errorOf,
  expireBlockhash,
  ruleSet,
  valueIn,
  withoutTransaction,
} from '../support/story.ts';
import type { Case } from './case.ts';

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
      const play = cast(players, {
        person,
        through: answering((each) => ({ ...withoutTransaction(each), ...told })),
      });
      const waiting = await pretend(stage, () =>
        play.client.waitForOperation(operationId, { wallet: person.key.address, timeoutMs: 5_000 }),
      );
      players.secrets.searchError(id, errorOf(waiting));
      expect(errorOf(waiting), id).toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    },
  };
}

/** A write that is kept back, and what the chain shows of it in the end. */
function keptBack(
  id: string,
  edits: () => Edits,
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
      players.secrets.searchError(id, errorOf(result));
      expect(errorOf(result), id).toMatchObject(expected);
    },
  };
}

const NEVER_LANDED = { code: 'OPERATION_FAILED', context: { reason: 'NEVER_LANDED' } };
const FULL_PAGE = Array.from({ length: 1_000 }, () => ({
  signature: '1'.repeat(64),
  slot: 2n ** 50n,
  err: null,
  memo: '[5] other',
  blockTime: null,
  confirmationStatus: 'finalized',
}));

/** The cases; their ids begin with `twice-`. */
export const SUBSTITUTION_CASES: readonly Case[] = [
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
      const after = cast(players, {
        person,
        through: answering((each) => ({ ...withoutTransaction(each), ...told })),
      });
      const options = { wallet: person.key.address, signature: signature!, timeoutMs: 4_000 };
      for (const call of [
        () => after.client.waitForOperation(operationId, options),
        () => after.client.waitForOperation(operationId, { signature: signature!, timeoutMs: 4_000 }),
        () => before.client.waitForOperation(operationId, { timeoutMs: 4_000 }),
      ]) {
        const result = await pretend(stage, call);
        players.secrets.searchError('one-id', errorOf(result));
        expect(errorOf(result)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      }
      await expectRefusal(after.client.fetchReceipt(operationId, options), 'UNEXPECTED_RESPONSE');
      // And what belongs together is proven.
      const own = { ...options, signature: other as never };
      expect(
        valueIn(await pretend(stage, () => after.client.waitForOperation(operationId, own))),
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
        ...withoutTransaction(each),
        state: 'FINALIZED',
        slot: '5',
        rule: stage.rule,
        ...(asked++ === 0
          ? { indexed: false, signature }
          : { indexed: true, kind: 'PROVE', signature: '1'.repeat(64) }),
      });
      const play = cast(players, { person, through: answering(lie) });
      const result = await pretend(stage, () =>
        play.client.waitForOperation(operationId, { wallet: person.key.address, timeoutMs: 5_000 }),
      );
      const rule = await programAddresses(stage.world.program).ruleSet(person.key.address, 77n);
      const shown = { kind: 'CREATE_RULE_SET', signature, rule, wallet: person.key.address };
      expect(valueIn(result)).toMatchObject(shown);
      expect((valueIn(result) as { slot: bigint }).slot).not.toBe(5n);
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
      await expireBlockhash(players);
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
      await expireBlockhash(players);
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
    expireBlockhash,
    { code: 'OUTCOME_UNKNOWN' },
  ),
];
