import { type Blockhash, generateKeyPairSigner, getBase58Decoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  type ErrorName,
  expectError,
  net,
  other,
  payer,
  useCluster,
  withBytes,
  withWrongSignature,
} from '../../../test/support/cluster.ts';
import {
  errorOf,
  memoInstruction,
  type Signed,
  SOL,
  transferInstruction,
} from '../../../test/support/index.ts';
import { COMPUTE_BUDGET } from '../../chain/addresses.ts';

const PREFLIGHT_FAILURE = 'SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE';
const BAD_SIGNATURE = 'SOLANA_ERROR__TRANSACTION_ERROR__SIGNATURE_FAILURE';
const FEE = 5_000n;

useCluster();

const send = ({ wire }: Signed, preflightCommitment: 'processed' | 'confirmed' | 'finalized' = 'processed') =>
  net.rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment }).send();
const withByteAfter = (signed: Signed) =>
  withBytes(signed, (bytes) => Buffer.concat([bytes, Buffer.from([7])]));

/** Checks that preflight fails with this transaction error. Returns the error of the preflight. */
async function expectFailure(promise: Promise<unknown>, ...cause: [name: ErrorName, context?: object]) {
  const error = await expectError(promise, PREFLIGHT_FAILURE);
  await expectError(Promise.reject(error.cause), ...cause);
  return error;
}

describe('sendTransaction', () => {
  it('lands in the open slot and becomes confirmed and finalized with the slots', async () => {
    const signed = await net.signTransfer(SOL);
    expect(await send(signed)).toBe(signed.signature);
    expect(await net.statusOf(signed.signature)).toMatchObject({ slot: net.slot, err: null });
    for (const [slots, confirmationStatus, confirmations] of [
      [0, 'processed', 0n],
      [1, 'confirmed', 1n],
      [30, 'confirmed', 31n],
      [1, 'finalized', null],
    ] as const) {
      net.advanceSlots(slots);
      expect(await net.statusOf(signed.signature)).toMatchObject({ confirmationStatus, confirmations });
    }
    expect(await net.balanceOf(other)).toBe(SOL);
  });

  it('accepts base58, which is the default', async () => {
    const { wire, signature } = await net.signTransfer(SOL);
    const base58 = getBase58Decoder().decode(Buffer.from(wire, 'base64'));
    expect(net.call('sendTransaction', base58, { skipPreflight: true })).toMatchObject({ result: signature });
    expect(await net.balanceOf(other)).toBe(SOL);
  });

  it('accepts a blockhash in the 150th slot after its own and rejects it in the next', async () => {
    const [inTime, late] = [await net.signTransfer(SOL), await net.signTransfer(2n * SOL)];
    net.advanceSlots(150);
    const height = await net.rpc.getBlockHeight({ commitment: 'processed' }).send();
    expect(height).toBe(inTime.lastValidBlockHeight);
    await send(inTime);
    expect(await net.balanceOf(other)).toBe(SOL);
    net.advanceSlots(1);
    await expectFailure(send(late), 'SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND');
    expect(await net.outcomeOf(late)).toBeNull();
    expect(await net.balanceOf(other)).toBe(SOL);
  });

  it('rejects an unknown blockhash', async () => {
    const blockhash = 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W' as Blockhash;
    const signed = await net.sign([payer], [net.transferOf(SOL)], { blockhash });
    await expectFailure(send(signed), 'SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND');
  });

  it('runs a message once: preflight rejects a duplicate, and without preflight it is ignored', async () => {
    const signed = await net.signTransfer(SOL);
    await send(signed);
    await expectFailure(send(signed), 'SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED');
    expect(await net.sendRaw(signed)).toBe(signed.signature);
    net.advanceSlots(5);
    await net.sendRaw(signed);
    expect(await net.balanceOf(other)).toBe(SOL);
  });

  it('runs a message once even if bytes follow it', async () => {
    const signed = await net.signTransfer(SOL);
    await send(signed);
    await net.sendRaw(withByteAfter(signed));
    expect(await net.balanceOf(other)).toBe(SOL);
  });

  it('ignores bytes after a transaction', async () => {
    const signed = await net.signTransfer(SOL);
    await send(withByteAfter(signed));
    net.advanceSlots(1);
    const config = {
      encoding: 'base64',
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    } as const;
    expect((await net.rpc.getTransaction(signed.signature, config).send())?.transaction[0]).toBe(signed.wire);
  });

  it('lands a failing transaction without preflight: the fee is charged and nothing else changes', async () => {
    const before = await net.balanceOf(payer.address);
    const signed = await net.signTransfer(100n * SOL);
    const err = { InstructionError: [0n, { Custom: 1n }] };
    expect(await net.outcomeOf(signed)).toMatchObject({ err, status: { Err: err } });
    expect(await net.balanceOf(payer.address)).toBe(before - FEE);
    expect(await net.balanceOf(other)).toBe(0n);
    net.advanceSlots(1);
    expect((await net.transactionOf(signed.signature)).meta).toMatchObject({ err, fee: FEE });
  });

  it('rejects a failing transaction in preflight with the error, logs and units', async () => {
    const sending = send(await net.signTransfer(100n * SOL));
    const { context } = await expectFailure(sending, 'SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM', { code: 1 });
    expect(String((context as { logs?: unknown }).logs)).toContain('insufficient lamports');
    expect(context).toMatchObject({ unitsConsumed: 150n });
  });

  it('describes the failure in words', async () => {
    const { wire } = await net.signTransfer(100n * SOL);
    const config = { encoding: 'base64', preflightCommitment: 'processed' };
    const message =
      'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1';
    expect(net.call('sendTransaction', wire, config)).toMatchObject({ error: { code: -32002, message } });
  });

  it('lands a call of a missing program and charges its fee', async () => {
    const before = await net.balanceOf(payer.address);
    const signed = await net.signByPayer(memoInstruction('hi', other));
    await expectFailure(send(signed), 'SOLANA_ERROR__TRANSACTION_ERROR__PROGRAM_ACCOUNT_NOT_FOUND');
    expect(await net.outcomeOf(signed)).toMatchObject({ err: 'ProgramAccountNotFound' });
    expect(await net.balanceOf(payer.address)).toBe(before - FEE);
    await net.sendRaw(signed);
    expect(await net.balanceOf(payer.address)).toBe(before - FEE);
  });

  it('drops a transaction whose payer has no lamports', async () => {
    const poor = await generateKeyPairSigner();
    const signed = await net.sign([poor], [memoInstruction('hi')]);
    await expectFailure(send(signed), 'SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND');
    expect(await net.outcomeOf(signed)).toBeNull();
  });

  it('rejects a wrong or missing signature, and drops it without preflight', async () => {
    const signed = await net.signTransfer(SOL);
    const wrong = withWrongSignature(signed);
    await expectFailure(send(wrong), BAD_SIGNATURE);
    await net.sendRaw(wrong);
    const missing = withBytes(signed, (bytes) => bytes.fill(0, 1, 65));
    await expectFailure(send(missing), BAD_SIGNATURE);
    expect(await net.sendRaw(missing)).toBe('1'.repeat(64));
    expect(await net.balanceOf(other)).toBe(0n);
  });

  it.each([
    ['an expired blockhash', () => net.transferOf(SOL), 200],
    ['a missing program', () => memoInstruction('hi', other), 0],
  ])('reports a wrong signature before %s', async (_, instruction, slots) => {
    const signed = await net.signByPayer(instruction());
    net.advanceSlots(slots);
    await expectFailure(send(withWrongSignature(signed)), BAD_SIGNATURE);
  });

  it('rejects bytes that are not a transaction', async () => {
    // A message without signers is one of them.
    const unsigned = Buffer.from((await net.signTransfer(SOL)).wire, 'base64').subarray(64);
    unsigned[0] = 0;
    unsigned[2] = 0;
    const long = Buffer.alloc(1300, 1);
    for (const wire of ['', 'AAAA', '!!!!', long.toString('base64'), unsigned.toString('base64')]) {
      await expectError(send({ wire } as Signed), 'SOLANA_ERROR__JSON_RPC__INVALID_PARAMS');
    }
  });

  it('returns errors with fields that kit can decode', async () => {
    const rentError = 'SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT';
    await expectFailure(send(await net.signTransfer(1n)), rentError, { accountIndex: 1 });
    const limit = { programAddress: COMPUTE_BUDGET, data: new Uint8Array([2, 1, 1, 0, 0]) };
    const twice = send(await net.signByPayer(limit, limit));
    await expectError(twice, 'SOLANA_ERROR__JSON_RPC__INVALID_PARAMS');
  });
});

describe('preflight runs on the state of its commitment', () => {
  it('does not use state that is only processed', async () => {
    const fresh = await generateKeyPairSigner();
    await net.landByPayer(transferInstruction(payer.address, fresh.address, SOL));
    const signed = await net.sign([fresh], [memoInstruction('hi')], { commitment: 'confirmed' });
    await expectFailure(send(signed, 'confirmed'), 'SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND');
    net.advanceSlots(1);
    await send(signed, 'confirmed');
    expect((await net.statusOf(signed.signature))?.err).toBeNull();
  });

  it('rejects a blockhash that is newer', async () => {
    net.advanceSlots(40);
    const signed = await net.signTransfer(SOL);
    await expectFailure(send(signed, 'finalized'), 'SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND');
  });

  it('does not change the newest state', async () => {
    await net.landTransfer(SOL);
    const signed = await net.signTransfer(SOL);
    await errorOf(send(signed, 'finalized'));
    expect(await net.balanceOf(other)).toBe(SOL);
    await send(await net.signTransfer(2n * SOL));
    expect(await net.balanceOf(other)).toBe(3n * SOL);
  });
});

describe('requestAirdrop', () => {
  it('sends an ordinary transaction each time', async () => {
    const signatures = new Set<string>();
    for (let count = 0; count < 3; count++) {
      signatures.add(await net.rpc.requestAirdrop(other, SOL as never, { commitment: 'processed' }).send());
    }
    expect(signatures.size).toBe(3);
    expect(await net.balanceOf(other)).toBe(3n * SOL);
    expect(await net.balanceOf(other, 'confirmed')).toBe(0n);
    net.advanceSlots(1);
    expect(await net.entriesOf(other)).toHaveLength(3);
  });
});
