/** Services and nodes that show another transaction instead of the one that a wallet signed. */
import { memoText, programAddresses } from '@service/protocol';
import { callsTo, errorOf, memoInstruction, transferInstruction } from '@service/test-support';
import type { Address, Instruction, KeyPairSigner, Signature } from '@solana/kit';
import { expect } from 'vitest';
import { withoutTransaction } from '../../support/changed-responses.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import type { Edits } from '../../support/node.ts';
import { cast, type Players, pretend } from '../support/play.ts';
import { createsRuleSet, expireBlockhash, ruleSet } from '../support/story.ts';
import type { Case } from './case.ts';

/** Lands a transaction with the memo of an operation and these instructions. Returns its signature. */
async function land(
  { stage: { world } }: Players,
  payer: KeyPairSigner,
  operationId: string,
  instruction: Instruction,
): Promise<Signature> {
  const memo = memoInstruction(memoText(operationId));
  const signature = await callsTo(world.net).land([payer], [memo, instruction]);
  await world.finalize();
  return signature;
}

/** Returns an instruction that pays one lamport. */
const pays = ({ address }: KeyPairSigner, to: Address) => transferInstruction(address, to, 1n);

/** The record of an operation that is final under a signature. */
const finalUnder = (signature: string) => (record: Record<string, unknown>) => ({
  ...withoutTransaction(record),
  state: 'FINALIZED',
  signature,
  slot: '5',
  indexed: true,
});

/** After a reload the service reports the signature of another transaction with the operation's memo. */
function otherTransaction(
  id: string,
  make: (players: Players, owner: KeyPairSigner, operationId: string) => Promise<string>,
): Case {
  return {
    id: `twice-${id}`,
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      const before = cast(players, { person });
      const { operationId } = await before.client.prepare.createRuleSet(ruleSet(1n));
      const signature = await make(players, person.key, operationId);
      const { client } = cast(players, { person, records: finalUnder(signature) });
      const options = { wallet: person.key.address, timeoutMs: 5_000 };
      const error = await errorOf(pretend(stage, () => client.waitForOperation(operationId, options)));
      players.secrets.searchError(id, error);
      expect(error, id).toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    },
  };
}

/** A write that is not broadcast, and what the chain shows of it in the end. */
function keptBack(
  id: string,
  expected: object,
  onStep: (players: Players, operationId: string, owner: KeyPairSigner) => Promise<void>,
  edits: () => Edits = () => ({}),
): Case {
  return {
    id: `twice-${id}`,
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      let operationId = '';
      const { client, wallet, traffic } = cast(players, { person, edits });
      const write = () =>
        client.createRuleSet(wallet, ruleSet(9n), {
          timeoutMs: 20_000,
          onPrepared: (prepared) => (operationId = prepared.operationId),
        });
      const writing = pretend(stage, write, {
        mayPass: () => traffic.submits > 0,
        onStep: () => onStep(players, operationId, person.key),
      });
      const error = await errorOf(writing);
      players.secrets.searchError(id, error);
      expect(error, id).toMatchObject(expected);
    },
  };
}

/** The wallet signs a transaction, which has the memo of another operation. */
async function otherOfWallet(players: Players, _operationId: string, owner: KeyPairSigner): Promise<void> {
  await land(players, owner, crypto.randomUUID(), pays(owner, owner.address));
  await expireBlockhash(players);
}

const NEVER_LANDED = { code: 'OPERATION_FAILED', context: { reason: 'NEVER_LANDED' } };
/** A full page of a wallet's history. A node only takes a signature that it has as the beginning of the next page. */
const fullPageOf = (signature: string) =>
  Array.from({ length: 1_000 }, () => ({
    signature,
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
    return land(players, key, operationId, await createsRuleSet(players, key.address));
  }),
  otherTransaction('transaction-that-is-no-operation', (players, owner, operationId) =>
    land(players, owner, operationId, pays(owner, players.stage.holder.key.address)),
  ),
  {
    id: 'twice-one-id-for-two-requests',
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      const wallet = person.key.address;
      // The page before the reload signs one request, which is not broadcast.
      const before = cast(players, { person });
      const first = await before.client.prepare.createRuleSet(ruleSet(1n));
      const { operationId } = first;
      await before.client.signAndSubmit(before.wallet, first).catch(() => undefined);
      const signature = before.client.getSnapshot().operations[0]!.signature!;
      expect(signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
      // Another request of the same wallet lands under the same id.
      const creates = await createsRuleSet(players, wallet);
      const other = await land(players, person.key, operationId, creates);
      const { client } = cast(players, { person, records: finalUnder(other) });
      const timeoutMs = 4_000;
      for (const wait of [
        () => client.waitForOperation(operationId, { wallet, signature, timeoutMs }),
        () => client.waitForOperation(operationId, { signature, timeoutMs }),
        () => before.client.waitForOperation(operationId, { timeoutMs }),
      ]) {
        const error = await errorOf(pretend(stage, wait));
        players.secrets.searchError('one-id', error);
        expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      }
      await expectRefusal(client.fetchReceipt(operationId, { wallet, signature }), 'UNEXPECTED_RESPONSE');
      // The transaction is proven for its own signature.
      const own = { wallet, signature: other, timeoutMs };
      const final = await pretend(stage, () => client.waitForOperation(operationId, own));
      expect(final).toMatchObject({ signature: other, kind: 'CREATE_RULE_SET' });
      await expect(client.fetchReceipt(operationId, { wallet })).rejects.toMatchObject({
        code: 'RECORD_MISMATCH',
      });
    },
  },
  {
    id: 'twice-another-kind-after-the-proof',
    async play(players) {
      const { stage } = players;
      const person = await stage.newcomer();
      const wallet = person.key.address;
      const before = cast(players, { person });
      const { operationId } = await before.client.prepare.createRuleSet(ruleSet(1n));
      const creates = await createsRuleSet(players, wallet);
      const signature = await land(players, person.key, operationId, creates);
      let asked = 0;
      const records = (record: Record<string, unknown>) => ({
        ...finalUnder(signature)(record),
        rule: stage.rule,
        ...(asked++ === 0 ? { indexed: false } : { kind: 'PROVE', signature: '1'.repeat(64) }),
      });
      const { client } = cast(players, { person, records });
      const wait = () => client.waitForOperation(operationId, { wallet, timeoutMs: 5_000 });
      const final = await pretend(stage, wait);
      const rule = await programAddresses(stage.world.program).ruleSet(wallet, 77n);
      expect(final).toMatchObject({ kind: 'CREATE_RULE_SET', signature, rule, wallet });
      expect(final.slot).not.toBe(5n);
    },
  },
  keptBack('another-wallet-with-the-memo', NEVER_LANDED, async (players, operationId, owner) => {
    // Another wallet signs it; it only names this one.
    const { key } = await players.stage.newcomer();
    await land(players, key, operationId, pays(key, owner.address));
    await expireBlockhash(players);
  }),
  keptBack('node-without-memos', NEVER_LANDED, otherOfWallet, () => ({
    getSignaturesForAddress: (found: object[]) => found.map((entry) => ({ ...entry, memo: null })),
  })),
  keptBack('node-that-pages-in-a-circle', { code: 'OUTCOME_UNKNOWN' }, otherOfWallet, () => {
    // A client that never stops fails its test, and does not stop the machine.
    let pages = 0;
    let page: object[] | undefined;
    return {
      getSignaturesForAddress: (found: { signature: string }[]) => {
        page ??= fullPageOf(found[0]!.signature);
        return pages++ < 200 ? page : [];
      },
    };
  }),
];
