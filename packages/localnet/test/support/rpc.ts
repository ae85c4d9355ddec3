/** Short forms of the RPC calls that most tests of this package make. */
import { errorOf, type Signed } from '@service/test-support';
import { type Address, type Commitment, isSolanaError, type Signature } from '@solana/kit';
import { expect } from 'vitest';
import type { Localnet } from '../../src/index.ts';

/** Returns the lamports of an account. */
export async function balanceOf(net: Localnet, of: Address, commitment: Commitment = 'processed') {
  return (await net.rpc.getBalance(of, { commitment }).send()).value;
}

/** Returns a confirmed transaction, with its message as JSON. */
export async function landedOf(net: Localnet, signature: Signature) {
  const config = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  return (await net.rpc.getTransaction(signature, config).send())!;
}

/** Returns the confirmed signatures of an account, newest first, with their details. */
export function entriesOf(net: Localnet, of: Address) {
  return net.rpc.getSignaturesForAddress(of, { commitment: 'confirmed' }).send();
}

/** Returns the JSON-RPC response to a method call, without any encoding by kit. */
export function call(net: Localnet, method: string, ...params: unknown[]): unknown {
  return net.handle({ jsonrpc: '2.0', id: 1, method, params });
}

/** The JSON-RPC response to invalid parameters. */
export const INVALID_PARAMS = { error: { code: -32602 } };

/** Checks that a promise rejects with a Solana error of this code. */
export async function expectError(promise: Promise<unknown>, code: Parameters<typeof isSolanaError>[1]) {
  const error = await errorOf(promise);
  expect(isSolanaError(error, code), String(error)).toBe(true);
}

/** Returns a transaction with changed bytes. */
export function withBytes(signed: Signed, change: (bytes: Buffer) => Uint8Array | undefined): Signed {
  const bytes = Buffer.from(signed.wire, 'base64');
  const changed = Buffer.from(change(bytes) ?? bytes);
  return { ...signed, wire: changed.toString('base64') as Signed['wire'] };
}

/** Returns a transaction with a wrong signature. */
export function withWrongSignature(signed: Signed): Signed {
  return withBytes(signed, (bytes) => bytes.with(10, bytes[10]! ^ 1));
}
