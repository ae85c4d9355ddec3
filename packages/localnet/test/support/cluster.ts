/** The cluster of the current test, and short forms of the calls that most tests of this package make. */

import type { Address, Instruction, KeyPairSigner, SolanaError } from '@solana/kit';
import * as kit from '@solana/kit';
import { beforeEach, expect } from 'vitest';
import type { LocalnetOptions } from '../../src/index.ts';
import { errorOf, memoInstruction, type Signed, stillLocalnet, transferInstruction } from './index.ts';

export let net: Awaited<ReturnType<typeof startCluster>>['net'];
/** A wallet with 10 SOL. */
export let payer: KeyPairSigner;
/** An address without an account. */
export let other: Address;

/** Gives each test of a file its own cluster, payer and other address. */
export function useCluster(options: LocalnetOptions = {}): void {
  beforeEach(async () => {
    ({ net, payer, other } = await startCluster(options));
  });
}

async function startCluster(options: LocalnetOptions) {
  const still = stillLocalnet(options);
  const payer = await still.wallet();
  const other = (await kit.generateKeyPairSigner()).address;
  /** Returns the payer's transfer to the other address. */
  const transferOf = (lamports: bigint) => transferInstruction(payer.address, other, lamports);
  const byPayer = {
    signByPayer: (...instructions: Instruction[]) => still.sign([payer], instructions),
    landByPayer: (...instructions: Instruction[]) => still.land([payer], instructions),
    signTransfer: (lamports: bigint) => still.sign([payer], [transferOf(lamports)]),
    landTransfer: (lamports: bigint) => still.land([payer], [transferOf(lamports)]),
    landMemo: (text: string) => still.land([payer], [memoInstruction(text)]),
    transferOf,
    /** Returns the JSON-RPC response to a method call, without any encoding by kit. */
    call: (method: string, ...params: unknown[]) => still.handle({ jsonrpc: '2.0', id: 1, method, params }),
  };
  return { net: Object.assign(still, byPayer), payer, other };
}

/** The JSON-RPC response to invalid parameters. */
export const INVALID_PARAMS = { error: { code: -32602 } };

/** The name of an error code of kit. */
export type ErrorName = Extract<keyof typeof kit, `SOLANA_ERROR__${string}`>;
const errorCodes: Pick<typeof kit, ErrorName> = kit;

/** Checks that a promise rejects with a Solana error of this code and context. Returns the error. */
export async function expectError(promise: Promise<unknown>, name: ErrorName, context: object = {}) {
  const error = await errorOf(promise);
  expect(kit.isSolanaError(error, errorCodes[name]), String(error)).toBe(true);
  expect((error as SolanaError).context).toMatchObject(context);
  return error as SolanaError;
}

/** Returns a transaction with changed bytes. */
export function withBytes(signed: Signed, change: (bytes: Buffer) => Uint8Array): Signed {
  const changed = Buffer.from(change(Buffer.from(signed.wire, 'base64')));
  return { ...signed, wire: changed.toString('base64') as Signed['wire'] };
}

/** Returns a transaction with a wrong signature. */
export const withWrongSignature = (signed: Signed) =>
  withBytes(signed, (bytes) => bytes.with(10, bytes[10]! ^ 1));
