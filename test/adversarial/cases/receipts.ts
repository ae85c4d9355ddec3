/** Services and nodes that show another transaction as the one of a receipt. */
import { MEMO_PROGRAM, memoText, TOKEN_2022_PROGRAM } from '@service/protocol';
import { getEndGrantInstruction, getRedeemInstruction } from '@service/protocol/generated';
import { callsTo, memoInstruction, type Signed, transferInstruction } from '@service/test-support';
import { type Address, createNoopSigner, getBase58Decoder, type Instruction, signBytes } from '@solana/kit';
import { getApproveCheckedInstruction, getTransferCheckedInstruction } from '@solana-program/token';
import { type Edits, flipped } from '../../support/node.ts';
import { cast, type Players } from '../support/play.ts';
import type { Person } from '../support/stage.ts';
import { createsRuleSet, land, otherCluster, ruleSet } from '../support/story.ts';
import { type Case, ready, rejecting } from './case.ts';

const OLD_MEMO_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address;

interface Changes {
  /** What the node changes. */
  readonly edits?: Edits;
  /** What the service changes in the record of the operation. */
  readonly record?: object;
  /** @default the wallet that signed the operation */
  readonly wallet?: Address;
}

/** A receipt of an operation that has landed. */
const receipt = (
  id: string,
  code: string,
  change: (players: Players, person: Person, operationId: string) => Promise<Changes> | Changes,
) =>
  rejecting<{ operationId: string; wallet: Address }>(
    `receipt-${id}`,
    code,
    ({ client }, _players, { operationId, wallet }) => client.fetchReceipt(operationId, { wallet }),
    {
      async setUp(players) {
        const person = await players.stage.newcomer();
        const before = cast(players, { person, forwards: true });
        const prepared = await before.client.prepare.createRuleSet(ruleSet(1n));
        const { operationId } = prepared;
        await before.client.signAndSubmit(before.wallet, prepared);
        await land(players);
        const {
          edits = {},
          record,
          wallet = person.key.address,
        } = await change(players, person, operationId);
        const records = (found: object) => ({ ...found, ...record });
        return { person, operationId, wallet, edits: () => edits, records };
      },
    },
  );

/** A node that shows this transaction under every signature. */
const showing = (wire: string): Edits => ({
  getTransaction: () => ({ slot: 5n, meta: { err: null }, transaction: [wire, 'base64'] }),
});

interface Forged {
  readonly instructions?: readonly Instruction[];
  readonly memoProgram?: Address;
  readonly version?: 'legacy' | 0;
  /** Changes the signed transaction. */
  readonly change?: (signed: Signed, person: Person) => Promise<Partial<Signed>>;
}

/** A receipt for which service and node agree on a transaction of the wallet that is not an operation. */
const forged = (
  id: string,
  make: (players: Players, person: Person) => Promise<Forged> | Forged = () => ({}),
): Case =>
  receipt(id, 'UNEXPECTED_RESPONSE', async (players, person, operationId) => {
    const { instructions, memoProgram = MEMO_PROGRAM, version = 0, change } = await make(players, person);
    const memo = memoInstruction(memoText(operationId), memoProgram);
    const actions = instructions ?? [await createsRuleSet(players, person.key.address)];
    const { net } = players.stage.world;
    const honest = await callsTo(net).sign([person.key], [memo, ...actions], { version });
    const { wire, signature } = { ...honest, ...(await change?.(honest, person)) };
    return { edits: showing(wire), record: { signature } };
  });

const bytesOf = (wire: string) => new Uint8Array(Buffer.from(wire, 'base64'));
const wireOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64') as Signed['wire'];

/** Signs the message again, with an address lookup table at its end. */
async function withLookup({ wire }: Signed, { key }: Person): Promise<Partial<Signed>> {
  const message = Uint8Array.from([...bytesOf(wire).slice(65, -1), 1, ...new Uint8Array(32), 1, 0, 0]);
  const signature = await signBytes(key.keyPair.privateKey, message);
  return {
    wire: wireOf(Uint8Array.from([1, ...signature, ...message])),
    signature: getBase58Decoder().decode(signature) as Signed['signature'],
  };
}

/** The accounts of a Token-2022 instruction on a mint. */
const onMint = ({ stage }: Players, { key }: Person, mint: Address) => ({
  source: stage.rule,
  mint,
  amount: 1n,
  decimals: 2,
  authority: createNoopSigner(key.address),
  owner: createNoopSigner(key.address),
  destination: stage.holder.key.address,
  delegate: stage.holder.key.address,
});
const token2022 = { programAddress: TOKEN_2022_PROGRAM };
const paysOneLamport = ({ stage }: Players, { key }: Person) =>
  transferInstruction(key.address, stage.holder.key.address, 1n);

/** The cases. */
export const RECEIPT_CASES: readonly Case[] = [
  rejecting('receipt-of-no-operation', 'INVALID_ARGUMENT', ({ client }) => client.fetchReceipt('mine')),
  rejecting('receipt-of-a-draft', 'OUTCOME_UNKNOWN', async ({ client }, { stage }) => {
    const { operationId } = await ready(stage.prepareNew(client));
    return client.fetchReceipt(operationId);
  }),
  receipt('of-another-wallet', 'WALLET_MISMATCH', ({ stage }) => ({ wallet: stage.holder.key.address })),
  receipt('by-a-node-of-another-cluster', 'GENESIS_HASH_MISMATCH', () => ({
    edits: otherCluster(),
  })),
  receipt('by-a-node-without-the-transaction', 'OUTCOME_UNKNOWN', () => ({
    edits: { getTransaction: () => null },
  })),
  receipt('by-a-node-that-omits-the-result', 'RPC_ERROR', () => ({
    edits: { getTransaction: (found: object) => ({ ...found, meta: {} }) },
  })),
  receipt('of-a-transaction-that-failed', 'OPERATION_FAILED', () => {
    const err = { InstructionError: [1, { Custom: 1 }] };
    return { edits: { getTransaction: (found: object) => ({ ...found, meta: { err } }) } };
  }),
  receipt('with-another-wallet-in-the-record', 'UNEXPECTED_RESPONSE', ({ stage }) => {
    const wallet = stage.holder.key.address;
    return { record: { wallet }, wallet };
  }),
  receipt('of-another-operation', 'UNEXPECTED_RESPONSE', async (players, { key }) => {
    const memo = memoInstruction(memoText(crypto.randomUUID()));
    const { net } = players.stage.world;
    const { wire, signature } = await callsTo(net).sign(
      [key],
      [memo, await createsRuleSet(players, key.address)],
    );
    return { edits: showing(wire), record: { signature } };
  }),
  forged('without-an-action-of-the-program', (players, person) => ({
    instructions: [paysOneLamport(players, person)],
  })),
  forged('with-an-instruction-more', async (players, person) => ({
    instructions: [await createsRuleSet(players, person.key.address), paysOneLamport(players, person)],
  })),
  forged('with-another-memo-program', () => ({ memoProgram: OLD_MEMO_PROGRAM })),
  forged('of-a-legacy-message', () => ({ version: 'legacy' })),
  forged('with-a-lookup-table', () => ({ change: withLookup })),
  forged('under-another-signature', () => ({
    change: async () => ({ signature: '1'.repeat(64) as Signed['signature'] }),
  })),
  forged('of-a-message-that-was-not-signed', () => ({
    // A bit of the third account key.
    change: async ({ wire }) => ({ wire: wireOf(flipped(bytesOf(wire), 65 + 4 + 1 + 2 * 32)) }),
  })),
  forged('of-an-approval', (players, person) => ({
    instructions: [getApproveCheckedInstruction(onMint(players, person, players.stage.mint), token2022)],
  })),
  forged('of-a-grant-that-another-wallet-ends', ({ stage }, { key }) => {
    const { deployment, rule, holder } = stage;
    const creator = holder.key.address;
    const accounts = {
      sender: createNoopSigner(key.address),
      pass: rule,
      ruleSet: rule,
      creator,
      config: rule,
    };
    return { instructions: [getEndGrantInstruction(accounts, { programAddress: deployment.program })] };
  }),
  forged('for-a-reason-that-does-not-exist', ({ stage }, { key }) => {
    const { deployment, rule, mint } = stage;
    const accounts = {
      issuer: createNoopSigner(key.address),
      config: rule,
      mintBinding: rule,
      mint,
      source: rule,
    };
    const order = { amount: 1n, reason: 99, tokenProgram: TOKEN_2022_PROGRAM };
    const program = { programAddress: deployment.program };
    return { instructions: [getRedeemInstruction({ ...accounts, ...order }, program)] };
  }),
  forged('of-a-mint-that-is-not-bound', (players, person) => ({
    instructions: [getTransferCheckedInstruction(onMint(players, person, players.stage.rule), token2022)],
  })),
];
