import { TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ADDRESS, MAINNET_GENESIS } from '../../test/support/deployment.ts';
import { inWords, walletChanges } from './wallet-changes.ts';

const WALLET = '9fuKLiXcdyKy1xHdSFHw4z7jyTnPkKQsVZVVdNPnPM9f' as Address;
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;
const memo: Instruction = { programAddress: ADDRESS as Address, data: Uint8Array.of(1) };
/** TransferChecked with an amount. */
const transfer = (amount: number): Instruction => ({
  programAddress: TOKEN_2022_PROGRAM,
  accounts: [{ address: ADDRESS as Address, role: 0 }],
  data: Uint8Array.of(12, amount, 0, 0, 0, 0, 0, 0, 0, 2),
});
const guard: Instruction = {
  programAddress: LIGHTHOUSE,
  accounts: [{ address: WALLET, role: 0 }],
  data: Uint8Array.of(6, 4, 1, 3, 0, 0),
};

function messageOf(...instructions: Instruction[]): Uint8Array {
  const lifetime = { blockhash: MAINNET_GENESIS as string as Blockhash, lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayer(WALLET, each),
    (each) => setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
    (each) => appendTransactionMessageInstructions(instructions, each),
  );
  return new Uint8Array(compileTransaction(message).messageBytes);
}

const prepared = messageOf(memo, transfer(10));
const CHANGED = { kind: 'OTHER', what: 'changed the transaction itself: instruction 1, data' };
const ADDED = { kind: 'INSTRUCTION', program: TOKEN_2022_PROGRAM };

describe('an instruction of Token-2022', () => {
  it('with another amount is a change of the transaction, and not an added instruction', () => {
    expect(walletChanges(prepared, messageOf(memo, transfer(20)))).toEqual([CHANGED]);
  });

  it('with another amount next to guards is a change of the transaction too', () => {
    const changes = walletChanges(prepared, messageOf(guard, memo, transfer(20), guard));
    expect(changes).toEqual([CHANGED, expect.objectContaining({ kind: 'GUARD' }), expect.anything()]);
  });

  it('that is added is an added instruction, at any position', () => {
    for (const signed of [
      messageOf(memo, transfer(10), transfer(20)),
      messageOf(memo, transfer(20), transfer(10)),
      messageOf(transfer(20), memo, transfer(10)),
    ]) {
      expect(walletChanges(prepared, signed)).toEqual([expect.objectContaining(ADDED)]);
    }
  });

  it('that is missing is a change of the transaction', () => {
    const what = 'changed the transaction itself: instruction 1 is missing';
    expect(walletChanges(prepared, messageOf(memo))).toEqual([{ kind: 'OTHER', what }]);
  });
});

it('names a change once that occurs several times', () => {
  const changes = walletChanges(prepared, messageOf(guard, memo, transfer(10), guard));
  expect(inWords(changes)).toBe(`added a guard instruction of Lighthouse (${LIGHTHOUSE}), 2 times`);
});
