import {
  errorOf,
  fundedWallet,
  land,
  memoInstruction,
  type Signed,
  SOL,
  sendRaw,
  sign,
  statusOf,
  stillLocalnet,
  transferInstruction,
} from '@service/test-support';
import {
  type Address,
  type Blockhash,
  generateKeyPairSigner,
  getBase58Decoder,
  isSolanaError,
  type KeyPairSigner,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__DUPLICATE_INSTRUCTION,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
  SOLANA_ERROR__TRANSACTION_ERROR__PROGRAM_ACCOUNT_NOT_FOUND,
} from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { COMPUTE_BUDGET } from '../chain/addresses.ts';
import type { Localnet } from '../index.ts';

const PREFLIGHT_FAILURE = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE;
const BAD_SIGNATURE = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE;
const FEE = 5_000n;

let net: Localnet;
let payer: KeyPairSigner;
let other: Address;

beforeEach(async () => {
  net = stillLocalnet();
  payer = await fundedWallet(net);
  other = (await generateKeyPairSigner()).address;
});

const send = ({ wire }: Signed, preflightCommitment: 'processed' | 'confirmed' | 'finalized' = 'processed') =>
  net.rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment }).send();
const balance = async (of: Address) =>
  (await net.rpc.getBalance(of, { commitment: 'processed' }).send()).value;
const transfer = (lamports: bigint) =>
  sign(net, [payer], [transferInstruction(payer.address, other, lamports)]);

async function causeOf(promise: Promise<unknown>): Promise<unknown> {
  const error = await errorOf(promise);
  if (!isSolanaError(error, PREFLIGHT_FAILURE)) throw error;
  return error.cause;
}

describe('sendTransaction', () => {
  it('lands in the open slot and becomes confirmed and finalized with the slots', async () => {
    const signed = await transfer(SOL);
    expect(await send(signed)).toBe(signed.signature);
    expect(await statusOf(net, signed.signature)).toMatchObject({
      slot: net.slot,
      confirmationStatus: 'processed',
      confirmations: 0n,
      err: null,
    });
    net.advanceSlots(1);
    expect(await statusOf(net, signed.signature)).toMatchObject({
      confirmationStatus: 'confirmed',
      confirmations: 1n,
    });
    net.advanceSlots(30);
    expect(await statusOf(net, signed.signature)).toMatchObject({ confirmationStatus: 'confirmed' });
    net.advanceSlots(1);
    expect(await statusOf(net, signed.signature)).toMatchObject({
      confirmationStatus: 'finalized',
      confirmations: null,
    });
    expect(await balance(other)).toBe(SOL);
  });

  it('takes base58 too, which is the default', async () => {
    const { wire, signature } = await transfer(SOL);
    const base58 = getBase58Decoder().decode(Buffer.from(wire, 'base64'));
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'sendTransaction',
      params: [base58, { skipPreflight: true }],
    };
    expect(net.handle(request)).toMatchObject({ result: signature });
    expect(await balance(other)).toBe(SOL);
  });

  it('accepts a blockhash in the 150th slot after its own and refuses it in the next', async () => {
    const [inTime, late] = [await transfer(SOL), await transfer(2n * SOL)];
    net.advanceSlots(150);
    expect(await net.rpc.getBlockHeight({ commitment: 'processed' }).send()).toBe(
      inTime.lastValidBlockHeight,
    );
    await send(inTime);
    expect(await balance(other)).toBe(SOL);
    net.advanceSlots(1);
    const cause = await causeOf(send(late));
    expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true);
    await sendRaw(net, late);
    expect(await statusOf(net, late.signature)).toBeNull();
    expect(await balance(other)).toBe(SOL);
  });

  it('refuses a blockhash that it never made', async () => {
    const blockhash = 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W' as Blockhash;
    const signed = await sign(net, [payer], [transferInstruction(payer.address, other, SOL)], { blockhash });
    const cause = await causeOf(send(signed));
    expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true);
  });

  it('runs a message once: a duplicate is refused in preflight and ignored without', async () => {
    const signed = await transfer(SOL);
    await send(signed);
    const cause = await causeOf(send(signed));
    expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)).toBe(true);
    expect(await sendRaw(net, signed)).toBe(signed.signature);
    net.advanceSlots(5);
    await sendRaw(net, signed);
    expect(await balance(other)).toBe(SOL);
  });

  it('runs a message once even with bytes behind it', async () => {
    const signed = await transfer(SOL);
    await send(signed);
    const longer = Buffer.concat([Buffer.from(signed.wire, 'base64'), Buffer.from([7])]).toString('base64');
    await sendRaw(net, { ...signed, wire: longer as Signed['wire'] });
    expect(await balance(other)).toBe(SOL);
  });

  it('ignores bytes behind a transaction', async () => {
    const signed = await transfer(SOL);
    const longer = Buffer.concat([Buffer.from(signed.wire, 'base64'), Buffer.from([7])]).toString('base64');
    await send({ ...signed, wire: longer as Signed['wire'] });
    net.advanceSlots(1);
    const config = {
      encoding: 'base64',
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    } as const;
    expect((await net.rpc.getTransaction(signed.signature, config).send())?.transaction[0]).toBe(signed.wire);
  });

  it('lands a failing transaction without preflight: the fee is charged and nothing else changes', async () => {
    const before = await balance(payer.address);
    const signed = await transfer(100n * SOL);
    await sendRaw(net, signed);
    expect(await statusOf(net, signed.signature)).toMatchObject({
      err: { InstructionError: [0n, { Custom: 1n }] },
      status: { Err: { InstructionError: [0n, { Custom: 1n }] } },
    });
    expect(await balance(payer.address)).toBe(before - FEE);
    expect(await balance(other)).toBe(0n);
    net.advanceSlots(1);
    const landed = await net.rpc
      .getTransaction(signed.signature, {
        encoding: 'base64',
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(landed?.meta).toMatchObject({ err: { InstructionError: [0n, { Custom: 1n }] }, fee: FEE });
  });

  it('refuses it with preflight, with the error, logs and units', async () => {
    const error = await errorOf(send(await transfer(100n * SOL)));
    if (!isSolanaError(error, PREFLIGHT_FAILURE)) throw error;
    const cause = error.cause;
    expect(isSolanaError(cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM) && cause.context.code).toBe(1);
    expect(error.context.logs?.join()).toContain('insufficient lamports');
    expect(error.context.unitsConsumed).toBe(150n);
  });

  it('says in words what failed', async () => {
    const { wire } = await transfer(100n * SOL);
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'sendTransaction',
      params: [wire, { encoding: 'base64', preflightCommitment: 'processed' }],
    };
    expect(net.handle(request)).toMatchObject({
      error: {
        code: -32002,
        message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      },
    });
  });

  it('lands a call of a program that is not there, for its fee', async () => {
    const before = await balance(payer.address);
    const signed = await sign(net, [payer], [memoInstruction('hi', other)]);
    const cause = await causeOf(send(signed));
    expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__PROGRAM_ACCOUNT_NOT_FOUND)).toBe(true);
    await sendRaw(net, signed);
    expect(await statusOf(net, signed.signature)).toMatchObject({ err: 'ProgramAccountNotFound' });
    expect(await balance(payer.address)).toBe(before - FEE);
    await sendRaw(net, signed);
    expect(await balance(payer.address)).toBe(before - FEE);
  });

  it('drops a transaction whose payer has nothing', async () => {
    const poor = await generateKeyPairSigner();
    const signed = await sign(net, [poor], [memoInstruction('hi')]);
    const cause = await causeOf(send(signed));
    expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND)).toBe(true);
    await sendRaw(net, signed);
    expect(await statusOf(net, signed.signature)).toBeNull();
  });

  it('refuses a wrong or missing signature, and drops it without preflight', async () => {
    const signed = await transfer(SOL);
    const bytes = Buffer.from(signed.wire, 'base64');
    bytes[10]! ^= 1;
    const wrong = { ...signed, wire: bytes.toString('base64') as Signed['wire'] };
    expect(isSolanaError(await errorOf(send(wrong)), BAD_SIGNATURE)).toBe(true);
    await sendRaw(net, wrong);
    bytes.fill(0, 1, 65);
    const missing = { ...signed, wire: bytes.toString('base64') as Signed['wire'] };
    expect(isSolanaError(await errorOf(send(missing)), BAD_SIGNATURE)).toBe(true);
    expect(await balance(other)).toBe(0n);
  });

  it('says that a signature is wrong before it says that the blockhash is', async () => {
    const signed = await transfer(SOL);
    net.advanceSlots(200);
    const bytes = Buffer.from(signed.wire, 'base64');
    bytes[10]! ^= 1;
    const error = await errorOf(send({ ...signed, wire: bytes.toString('base64') as Signed['wire'] }));
    expect(isSolanaError(error, BAD_SIGNATURE)).toBe(true);
  });

  it('says that a signature is wrong before it says that a program is missing', async () => {
    const signed = await sign(net, [payer], [memoInstruction('hi', other)]);
    const bytes = Buffer.from(signed.wire, 'base64');
    bytes[10]! ^= 1;
    const error = await errorOf(send({ ...signed, wire: bytes.toString('base64') as Signed['wire'] }));
    expect(isSolanaError(error, BAD_SIGNATURE)).toBe(true);
  });

  it('refuses bytes that are no transaction', async () => {
    // A message without signers, among them.
    const unsigned = Buffer.from((await transfer(SOL)).wire, 'base64').subarray(64);
    unsigned[0] = 0;
    unsigned[2] = 0;
    for (const wire of [
      '',
      'AAAA',
      '!!!!',
      Buffer.alloc(1300, 1).toString('base64'),
      unsigned.toString('base64'),
    ]) {
      const error = await errorOf(send({ wire: wire as Signed['wire'] } as Signed));
      expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS), wire).toBe(true);
    }
  });

  it('decodes errors with fields as kit knows them', async () => {
    const rent = await causeOf(send(await transfer(1n)));
    expect(
      isSolanaError(rent, SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT) &&
        rent.context.accountIndex,
    ).toBe(1);
    const limit = {
      programAddress: COMPUTE_BUDGET,
      data: new Uint8Array([2, 1, 1, 0, 0]),
    };
    const twice = await causeOf(send(await sign(net, [payer], [limit, limit])));
    expect(
      isSolanaError(twice, SOLANA_ERROR__TRANSACTION_ERROR__DUPLICATE_INSTRUCTION) && twice.context.index,
    ).toBe(1);
  });
});

describe('preflight runs on the state of its commitment', () => {
  it('does not see what is only processed', async () => {
    const fresh = await generateKeyPairSigner();
    await land(net, [payer], [transferInstruction(payer.address, fresh.address, SOL)]);
    const { value } = await net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const signed = await sign(net, [fresh], [memoInstruction('hi')], { blockhash: value.blockhash });
    const cause = await causeOf(send(signed, 'confirmed'));
    expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND)).toBe(true);
    net.advanceSlots(1);
    await send(signed, 'confirmed');
    expect((await statusOf(net, signed.signature))?.err).toBeNull();
  });

  it('does not know a blockhash newer than it', async () => {
    net.advanceSlots(40);
    const signed = await transfer(SOL);
    const cause = await causeOf(send(signed, 'finalized'));
    expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true);
  });

  it('leaves the newest state as it was', async () => {
    await land(net, [payer], [transferInstruction(payer.address, other, SOL)]);
    const signed = await transfer(SOL);
    await errorOf(send(signed, 'finalized'));
    expect(await balance(other)).toBe(SOL);
    await send(await transfer(2n * SOL));
    expect(await balance(other)).toBe(3n * SOL);
  });
});

describe('requestAirdrop', () => {
  it('is a transaction like any other, as often as asked', async () => {
    const signatures = new Set<string>();
    for (let count = 0; count < 3; count++) {
      signatures.add(await net.rpc.requestAirdrop(other, SOL as never, { commitment: 'processed' }).send());
    }
    expect(signatures.size).toBe(3);
    expect(await balance(other)).toBe(3n * SOL);
    expect((await net.rpc.getBalance(other, { commitment: 'confirmed' }).send()).value).toBe(0n);
    net.advanceSlots(1);
    expect(await net.rpc.getSignaturesForAddress(other, { commitment: 'confirmed' }).send()).toHaveLength(3);
  });
});
