import {
  type Address,
  address,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { expect, test } from 'vitest';
import { MEMO_PROGRAM } from '../addresses.ts';
import { DEVELOPMENT_PROGRAM } from '../index.ts';
import { createRuleSetInstruction, proveInstruction } from './instruction.ts';
import { MAX_TRANSACTION_BYTES, operationMessage, splitWireTransaction, wireTransaction } from './message.ts';

const WALLET = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
const BLOCKHASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const [RULE, VERIFIER, CIRCUIT, OTHER] = ['ru1e', 'verifier', 'circuit', 'other'].map((name) =>
  address(name.padEnd(43, '2')),
) as [Address, Address, Address, Address];
const PLACE = { number: 1, tag: new Uint8Array(32).fill(7) };
const OPERATION = '3f2b8a3e-5b7e-4c1a-9d3e-0a1b2c3d4e5f';

/** Returns the message that creates a rule set with as many clauses. */
async function messageOf(clauses: number, operationId = OPERATION) {
  const instruction = await createRuleSetInstruction(DEVELOPMENT_PROGRAM, {
    kind: 'CREATE_RULE_SET',
    wallet: WALLET,
    name: 'a'.repeat(32),
    nonce: 2n ** 64n - 1n,
    clauses: Array(clauses).fill({ regionMask: (1n << 253n) - 1n, statusMask: 0xffff_ffff, minAge: 255 }),
    maxPassAgeSeconds: 3_600n,
  });
  return operationMessage({ wallet: WALLET, operationId, blockhash: BLOCKHASH, instruction });
}

test('a message has version 0, the wallet as fee payer, the memo and one action', async () => {
  const message = getCompiledTransactionMessageDecoder().decode(await messageOf(1));
  if (message.version !== 0) throw new Error('not version 0');
  expect(message.header).toMatchObject({ numSignerAccounts: 1, numReadonlySignerAccounts: 0 });
  expect(message.staticAccounts[0]).toBe(WALLET);
  expect(message.lifetimeToken).toBe(BLOCKHASH);
  expect(message.addressTableLookups ?? []).toEqual([]);
  const [memo, action, ...rest] = message.instructions;
  expect(rest).toEqual([]);
  expect(message.staticAccounts[memo!.programAddressIndex]).toBe(MEMO_PROGRAM);
  expect(new TextDecoder().decode(memo!.data as Uint8Array)).toBe(`service:v1:${OPERATION}`);
  expect(message.staticAccounts[action!.programAddressIndex]).toBe(DEVELOPMENT_PROGRAM);
});

test('the largest rule set fits a transaction', async () => {
  expect(wireTransaction(await messageOf(8)).length).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
});

test.each([
  ['', null, undefined, 755],
  [' in a place', PLACE, undefined, 821],
  [' in the place of another wallet', PLACE, OTHER, 887],
])('a proof%s fits a transaction', async (_, place, replaces, bytes) => {
  const instruction = await proveInstruction(
    DEVELOPMENT_PROGRAM,
    {
      ...({ kind: 'PROVE', wallet: WALLET, rule: RULE, expiresAt: 9n, asOf: 65_000 } as const),
      ...{ proof: new Uint8Array(256), place: place ?? undefined, replaces },
    },
    { verifier: VERIFIER, circuit: CIRCUIT },
  );
  const message = operationMessage({
    wallet: WALLET,
    operationId: OPERATION,
    blockhash: BLOCKHASH,
    instruction,
  });
  expect(wireTransaction(message).length).toBe(bytes);
  expect(bytes).toBeLessThan(MAX_TRANSACTION_BYTES);
});

test('an operation id that is not a UUID is rejected', async () => {
  for (const operationId of ['', 'x', OPERATION.toUpperCase(), `${OPERATION}\n`]) {
    await expect(messageOf(1, operationId)).rejects.toThrow(RangeError);
  }
});

test('a wire transaction has the bytes that kit reads and writes, and can be split again', async () => {
  const message = await messageOf(2);
  const signature = new Uint8Array(64).fill(9);
  const wire = wireTransaction(message, signature);
  const decoded = getTransactionDecoder().decode(wire);
  expect(decoded.signatures[WALLET]).toEqual(signature);
  expect(getBase64EncodedWireTransaction(decoded)).toBe(Buffer.from(wire).toString('base64'));
  expect(splitWireTransaction(wire)).toEqual({ signature, message });
  expect(splitWireTransaction(wireTransaction(message))?.signature).toEqual(new Uint8Array(64));
  expect(splitWireTransaction(Uint8Array.of(2, ...wire.slice(1)))).toBeNull();
  expect(splitWireTransaction(wire.slice(0, 65))).toBeNull();
  expect(splitWireTransaction(new Uint8Array(MAX_TRANSACTION_BYTES + 1).fill(1))).toBeNull();
});
