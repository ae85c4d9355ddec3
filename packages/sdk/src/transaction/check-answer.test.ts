import { operationMessage, wireTransaction } from '@service/protocol';
import type { Address } from '@solana/kit';
import { expect, it } from 'vitest';
import { ADDRESS, MAINNET_GENESIS } from '../../test/support/deployment.ts';
import { signUnchanged } from './check-answer.ts';

/** Zeros: a point of small order, over which some verifiers accept a signature of zeros. */
const ZEROS = '11111111111111111111111111111111' as Address;

const WALLET = '9fuKLiXcdyKy1xHdSFHw4z7jyTnPkKQsVZVVdNPnPM9f' as Address;

function unsigned(wallet: Address, count: number): Uint8Array {
  const operationId = `6f9619ff-8b86-4d01-b42d-${String(count).padStart(12, '0')}`;
  const instruction = { programAddress: ADDRESS as Address, data: Uint8Array.of(1) };
  return wireTransaction(operationMessage({ wallet, operationId, blockhash: MAINNET_GENESIS, instruction }));
}

const sign = (address: Address, wire: Uint8Array, answer: Uint8Array) => {
  const signer = {
    address,
    canSignMessages: false,
    signMessage: () => Promise.reject(new Error('not asked')),
  };
  return signUnchanged({ ...signer, signTransaction: async () => answer }, wire, 'Nothing else is sent');
};

it('rejects a transaction without a signature, for whatever address', async () => {
  for (let count = 0; count < 40; count += 1) {
    const wire = unsigned(ZEROS, count);
    await expect(sign(ZEROS, wire, wire)).rejects.toMatchObject({ code: 'WALLET_SIGNATURE_INVALID' });
  }
});

it('describes no answer that is larger than a transaction', async () => {
  const wire = unsigned(WALLET, 1);
  const huge = new Uint8Array(200_000);
  huge.set(wire);
  const thrown: unknown = await sign(WALLET, wire, huge).catch((error) => error);
  const context = { differences: [], changes: [expect.anything()] };
  expect(thrown).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION', context });
  expect((thrown as Error).message.length).toBeLessThan(1_000);
});

it('names no options for a transaction on which the caller can allow nothing', async () => {
  const wire = unsigned(WALLET, 1);
  const operationId = '6f9619ff-8b86-4d01-b42d-000000000001';
  const instruction = { programAddress: ADDRESS as Address, data: Uint8Array.of(1) };
  const budget = { limit: 1, price: 1n };
  const message = operationMessage({
    wallet: WALLET,
    operationId,
    blockhash: MAINNET_GENESIS,
    instruction,
    budget,
  });
  const thrown: unknown = await sign(WALLET, wire, wireTransaction(message)).catch((error) => error);
  expect((thrown as Error).message).toContain('added a priority fee');
  expect((thrown as Error).message).not.toContain('maxPriorityFeeLamports');
});
