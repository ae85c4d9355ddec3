/** Hostile wallets, on a cluster that runs what they sign. */
import { MEMO_PROGRAM, SYSTEM_PROGRAM, splitWireTransaction, TOKEN_2022_PROGRAM } from '@service/protocol';
import { AccountRole, getCompiledTransactionMessageDecoder } from '@solana/kit';
import { getApproveInstruction } from '@solana-program/token';
import { beforeEach, describe, expect, it, test } from 'vitest';
import {
  land,
  operationOf,
  prepared,
  read,
  shapeOf,
  simulated,
  solTransfer,
  stage,
  tokenTransfer,
  useStage,
} from '../../test/support/wallet-stage.ts';
import { SIMULATED_WALLETS } from '../index.ts';
import { UNKNOWN_ADDRESS } from '../tampering/hostile-mode.ts';
import { priorityFee } from './compute-budget.ts';

useStage();

/** The tokens of the holder, of which each transfer moves 100,000. */
async function tokensLeft(): Promise<bigint> {
  const { value } = await stage.net.rpc
    .getTokenAccountBalance(stage.source, { commitment: 'processed' })
    .send();
  return BigInt(value.amount);
}

let wire: Uint8Array;
beforeEach(async () => {
  wire = await prepared(tokenTransfer());
});

const answerOf = (id: Parameters<typeof simulated>[0], given = wire) =>
  simulated(id).wallet.signTransaction(given);

const NOTHING_CHANGED = ['answers-late', 'returns-original-sends-changed'];

test.each(SIMULATED_WALLETS.filter(({ id, isHostile }) => isHostile && !NOTHING_CHANGED.includes(id)))(
  '$label returns a signed transaction that is not the prepared one',
  async ({ id }) => {
    const signed = await answerOf(id);
    expect(signed.slice(65)).not.toEqual(wire.slice(65));
    expect(signed.slice(1, 65)).not.toEqual(new Uint8Array(64));
  },
);

describe('other-amount', () => {
  it('doubles the amount of a transfer', async () => {
    expect(await land(await answerOf('other-amount'))).toBeNull();
    expect(await tokensLeft()).toBe(1_300_000n);
    const sol = read(await answerOf('other-amount', await prepared(solTransfer())));
    expect(sol.instructions[1]!.data).toEqual(Uint8Array.of(2, 0, 0, 0, 0xd0, 7, 0, 0, 0, 0, 0, 0));
  });

  it('changes the last byte of another action', async () => {
    const { holder, source, other } = stage;
    const input = { source, delegate: other.address, owner: holder, amount: 7n };
    const approve = getApproveInstruction(input, { programAddress: TOKEN_2022_PROGRAM });
    const [, action] = operationOf(await answerOf('other-amount', await prepared(approve)));
    expect(action!.data).toEqual(Uint8Array.of(4, 7, 0, 0, 0, 0, 0, 0, 1));
  });
});

test('other-destination replaces the destination', async () => {
  const [, token] = operationOf(await answerOf('other-destination'));
  expect(token!.accounts.map(({ address }) => address)).toEqual([
    stage.source,
    stage.mint,
    UNKNOWN_ADDRESS,
    stage.holder.address,
  ]);
  const [, sol] = operationOf(await answerOf('other-destination', await prepared(solTransfer())));
  expect(sol!.accounts[1]!.address).toBe(UNKNOWN_ADDRESS);
});

test('extra-instruction and second-memo add an instruction at the end', async () => {
  const transfer = read(await answerOf('extra-instruction')).instructions.at(-1)!;
  expect(transfer.programAddress).toBe(SYSTEM_PROGRAM);
  expect(transfer.data).toEqual(Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0));
  const memos = operationOf(await answerOf('second-memo'));
  expect(memos.map(({ programAddress }) => programAddress)).toEqual([
    MEMO_PROGRAM,
    TOKEN_2022_PROGRAM,
    MEMO_PROGRAM,
  ]);
});

test('promoted-accounts makes a readonly account writable', async () => {
  const roleOf = (of: Uint8Array) => operationOf(of)[1]!.accounts[1]!.role;
  expect(roleOf(wire)).toBe(AccountRole.READONLY);
  expect(roleOf(await answerOf('promoted-accounts'))).toBe(AccountRole.WRITABLE);
  const guarded = read(await answerOf('promoted-accounts', await prepared(solTransfer())));
  const accounts = [{ address: UNKNOWN_ADDRESS, role: AccountRole.WRITABLE }];
  expect(guarded.instructions.at(-1)!.accounts).toEqual(accounts);
});

test('lookup-table adds a lookup table', async () => {
  const { message } = splitWireTransaction(await answerOf('lookup-table'))!;
  const compiled = getCompiledTransactionMessageDecoder().decode(message);
  expect(compiled).toMatchObject({ addressTableLookups: [{ lookupTableAddress: UNKNOWN_ADDRESS }] });
});

test('failing-guard and tiny-limit fail on chain and cost the fee', async () => {
  const before = await stage.net.balanceOf(stage.holder.address);
  const failure = { InstructionError: [2n, { Custom: 0x1900n }] };
  expect(await land(await answerOf('failing-guard'))).toEqual(failure);
  expect(await land(await answerOf('tiny-limit'))).toHaveProperty('InstructionError');
  expect(await stage.net.balanceOf(stage.holder.address)).toBe(before - 10_000n);
  expect(await tokensLeft()).toBe(1_500_000n);
});

test('huge-price costs a large part of a SOL', async () => {
  const signed = await answerOf('huge-price');
  expect(shapeOf(signed)).toEqual(['budget 9', 'memo 47', 'action 10']);
  expect(priorityFee(read(signed))).toBe(1_400_000_000n);
});

test('durable-nonce replaces the blockhash by the nonce that the test gives', async () => {
  const nonce = { account: stage.other.address, value: stage.mint };
  const signed = read(await simulated('durable-nonce', { nonce }).wallet.signTransaction(wire));
  expect(signed.blockhash).toBe(nonce.value);
  const [advance] = signed.instructions;
  expect(advance!.programAddress).toBe(SYSTEM_PROGRAM);
  expect(advance!.data).toEqual(Uint8Array.of(4, 0, 0, 0));
  expect(advance!.accounts[0]!.address).toBe(nonce.account);
});

test.each(['returns-changed-sends-original', 'returns-original-sends-changed'] as const)(
  '%s: both transactions land',
  async (id) => {
    const wallet = simulated(id);
    const returned = await wallet.wallet.signTransaction(wire);
    expect(wallet.signed).toHaveLength(2);
    expect(wallet.sent).toHaveLength(1);
    expect(await tokensLeft()).toBe(1_400_000n);
    const isOriginal = Buffer.compare(returned.slice(65), wire.slice(65)) === 0;
    expect(isOriginal).toBe(id === 'returns-original-sends-changed');
    expect(await land(returned)).toBeNull();
    expect(await tokensLeft()).toBe(1_300_000n);
  },
);

test('signs-twice signs two transactions that can both land', async () => {
  const wallet = simulated('signs-twice');
  const returned = await wallet.wallet.signTransaction(wire);
  const [withheld, second] = wallet.signed;
  expect(second).toEqual(returned);
  expect([await land(returned), await land(withheld!)]).toEqual([null, null]);
  expect(await tokensLeft()).toBe(1_300_000n);
});

test('answers-late answers only when the test says so', async () => {
  const wallet = simulated('answers-late');
  const answers: Uint8Array[] = [];
  const answered = wallet.wallet.signTransaction(wire).then((signed) => answers.push(signed));
  await wallet.opened;
  await stage.net.balanceOf(stage.holder.address);
  expect([answers, wallet.signed]).toEqual([[], []]);
  wallet.answer();
  await answered;
  expect(answers[0]!.slice(65)).toEqual(wire.slice(65));
  expect(await land(answers[0]!)).toBeNull();
});
