/** The cluster of the current test, and short forms of the calls that most tests of this package make. */
import {
  errorOf,
  fundedWallet,
  land,
  memoInstruction,
  type Signed,
  sendRaw,
  sign,
  statusOf,
  stillLocalnet,
  transferInstruction,
} from '@service/test-support';
import {
  type Address,
  type Commitment,
  generateKeyPairSigner,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import { beforeEach, expect } from 'vitest';
import type { Localnet, LocalnetOptions } from '../../src/index.ts';

export let net: Localnet;
/** A wallet with 10 SOL. It pays and signs where a call names no other wallet. */
export let payer: KeyPairSigner;
/** An address without an account. */
export let other: Address;

/** Gives each test of a file its own cluster, payer and other address. */
export function useCluster(options: LocalnetOptions = {}): void {
  beforeEach(async () => {
    net = stillLocalnet(options);
    payer = await fundedWallet(net);
    other = (await generateKeyPairSigner()).address;
  });
}

/** Returns the payer's transfer to the other address. */
export const transferOf = (lamports: bigint) => transferInstruction(payer.address, other, lamports);
export const signByPayer = (...instructions: Instruction[]) => sign(net, [payer], instructions);
export const landByPayer = (...instructions: Instruction[]) => land(net, [payer], instructions);
export const landMemo = (text: string) => landByPayer(memoInstruction(text));
export const sendWithoutPreflight = (signed: Signed) => sendRaw(net, signed);
export const status = (signature: Signature) => statusOf(net, signature);

/** Returns the status of a signature, also of one that left the node's recent statuses. */
export async function oldStatus(signature: Signature) {
  const config = { searchTransactionHistory: true };
  const { context, value } = await net.rpc.getSignatureStatuses([signature], config).send();
  return { slot: context.slot, status: value[0] };
}

/** Sends a transaction without preflight and returns its status, or null if it did not land. */
export async function outcomeOf(signed: Signed) {
  return status(await sendWithoutPreflight(signed));
}

/** Returns the lamports of an account in some cluster. */
export async function balanceIn(cluster: Localnet, of: Address, commitment: Commitment = 'processed') {
  return (await cluster.rpc.getBalance(of, { commitment }).send()).value;
}

export const balanceOf = (of: Address, commitment?: Commitment) => balanceIn(net, of, commitment);

/** Returns a confirmed transaction, with its message as JSON. */
export async function landedOf(signature: Signature) {
  const config = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  return (await net.rpc.getTransaction(signature, config).send())!;
}

/** Returns the confirmed signatures of an account, newest first, with their details. */
export function entriesOf(of: Address) {
  return net.rpc.getSignaturesForAddress(of, { commitment: 'confirmed' }).send();
}

/** Returns the JSON-RPC response to a method call, without any encoding by kit. */
export function call(method: string, ...params: unknown[]): unknown {
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
