import { operationMessage, SYSTEM_PROGRAM, wireTransaction } from '@service/protocol';
import { errorOf } from '@service/test-support';
import {
  AccountRole,
  type Address,
  address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ADDRESS, MAINNET_GENESIS } from '../../test/support/deployment.ts';
import { checkAnswer } from './check-answer.ts';

/** Zeros: a point of small order, over which some verifiers accept a signature of zeros. */
const ZEROS = '11111111111111111111111111111111' as Address;

const WALLET = '9fuKLiXcdyKy1xHdSFHw4z7jyTnPkKQsVZVVdNPnPM9f' as Address;

type CompiledMessage = Extract<CompiledTransactionMessage, { version: 0 }> &
  CompiledTransactionMessageWithLifetime;

function unsigned(wallet: Address, count: number): Uint8Array {
  const operationId = `6f9619ff-8b86-4d01-b42d-${String(count).padStart(12, '0')}`;
  const instruction = { programAddress: ADDRESS as Address, data: Uint8Array.of(1) };
  return wireTransaction(operationMessage({ wallet, operationId, blockhash: MAINNET_GENESIS, instruction }));
}

const NOTHING_ALLOWED = { guards: false, maxPriorityFeeLamports: 0n };
const check = (wallet: Address, wire: Uint8Array, answer: Uint8Array) =>
  checkAnswer({ wallet, wire, answer, taken: 'Nothing else is sent', limits: NOTHING_ALLOWED });

it('rejects a transaction without a signature, for whatever address', async () => {
  for (let count = 0; count < 40; count += 1) {
    const wire = unsigned(ZEROS, count);
    await expect(check(ZEROS, wire, wire)).rejects.toMatchObject({ code: 'WALLET_SIGNATURE_INVALID' });
  }
});

it('describes no answer that is larger than a transaction', async () => {
  const wire = unsigned(WALLET, 1);
  const huge = new Uint8Array(200_000);
  huge.set(wire);
  const thrown: unknown = await check(WALLET, wire, huge).catch((error) => error);
  const context = { differences: [], changes: [expect.anything()] };
  expect(thrown).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION', context });
  expect((thrown as Error).message.length).toBeLessThan(1_000);
});

describe('what the wallet signed and nobody sends', () => {
  const [nonce, advance] = [
    address('SysvarRent111111111111111111111111111111111'),
    Uint8Array.of(4, 0, 0, 0),
  ];
  const signed = (instruction: Instruction) => {
    const operationId = '6f9619ff-8b86-4d01-b42d-000000000001';
    const budgetless = operationMessage({
      wallet: WALLET,
      operationId,
      blockhash: MAINNET_GENESIS,
      instruction,
    });
    // A memo comes first in operations, and the advance of a nonce comes first in transactions with one.
    const compiled = getCompiledTransactionMessageDecoder().decode(budgetless) as CompiledMessage;
    const instructions = compiled.instructions.toReversed();
    const message = getCompiledTransactionMessageEncoder().encode({ ...compiled, instructions });
    return wireTransaction(new Uint8Array(message), new Uint8Array(64).fill(7));
  };
  const toldOf = async (instruction: Instruction, isForgotten: boolean) => {
    const asked = { wallet: WALLET, wire: unsigned(WALLET, 1), answer: signed(instruction), isForgotten };
    const refused = checkAnswer({ ...asked, taken: 'Nothing else is sent', limits: NOTHING_ALLOWED });
    return ((await errorOf(refused)) as Error).message;
  };
  const other = { programAddress: ADDRESS as Address, data: Uint8Array.of(2) };
  const ADVANCE = {
    programAddress: SYSTEM_PROGRAM,
    accounts: [{ address: nonce, role: AccountRole.WRITABLE }],
    data: advance,
  };

  it('can land for two minutes', async () => {
    const told = await toldOf(other, false);
    expect(told).toContain(
      'can still send what it signed, so wait about two minutes before you repeat the call.',
    );
  });

  it('can land until its durable nonce is advanced', async () => {
    const told = await toldOf(ADVANCE, false);
    expect(told).toContain(
      `it never expires: it has the durable nonce of ${nonce}. Advance that nonce before you repeat the call.`,
    );
    expect(told).not.toContain('two minutes');
  });

  it('is named by its signature if nothing looks for it', async () => {
    const signature = getBase58Decoder().decode(new Uint8Array(64).fill(7));
    const look = `and look up ${signature} on chain, before you repeat the call.`;
    expect(await toldOf(other, true)).toContain(`so wait about two minutes, ${look}`);
    expect(await toldOf(ADVANCE, true)).toContain(`Advance that nonce, ${look}`);
  });
});
