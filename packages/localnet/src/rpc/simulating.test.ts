import {
  fundedWallet,
  type Signed,
  SOL,
  sendRaw,
  sign,
  stillLocalnet,
  transferInstruction,
} from '@service/test-support';
import {
  type Address,
  type Blockhash,
  generateKeyPairSigner,
  type KeyPairSigner,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
} from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { balanceOf, expectError, withBytes, withWrongSignature } from '../../test/support/rpc.ts';
import type { Localnet } from '../index.ts';

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

const balance = (of: Address) => balanceOf(net, of);
const transfer = (lamports: bigint) =>
  sign(net, [payer], [transferInstruction(payer.address, other, lamports)]);

describe('simulateTransaction', () => {
  const simulate = (wire: Signed['wire'], config: object) =>
    net.rpc
      .simulateTransaction(wire, { encoding: 'base64', commitment: 'processed', ...config } as never)
      .send() as Promise<{
      value: {
        err: unknown;
        logs: string[];
        accounts: ({ lamports: bigint } | null)[] | null;
        replacementBlockhash: { blockhash: string } | null;
      };
    }>;

  it('returns logs and the accounts after the transaction, without any effect', async () => {
    const { wire } = await transfer(SOL);
    const accounts = { encoding: 'base64', addresses: [other, payer.address] };
    const { value } = await simulate(wire, { accounts });
    expect(value.err).toBeNull();
    expect(value.logs.at(-1)).toContain('success');
    expect(value.accounts?.map((account) => account?.lamports)).toEqual([SOL, 9n * SOL - FEE]);
    expect(await balance(other)).toBe(0n);
  });

  it('does not turn off the check of signatures of sent transactions', async () => {
    const signed = await transfer(SOL);
    await simulate(signed.wire, {});
    await sendRaw(net, withWrongSignature(signed));
    expect(await balance(other)).toBe(0n);
  });

  it('accepts an unsigned transaction with any blockhash if it replaces the blockhash', async () => {
    const blockhash = 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W' as Blockhash;
    const signed = await sign(net, [payer], [transferInstruction(payer.address, other, SOL)], { blockhash });
    const { wire } = withBytes(signed, (bytes) => bytes.fill(0, 1, 65));
    expect((await simulate(wire, {})).value.err).toBe('BlockhashNotFound');
    const { value } = await simulate(wire, { replaceRecentBlockhash: true });
    expect(value.err).toBeNull();
    expect(value.replacementBlockhash?.blockhash).toBe(
      (await net.rpc.getLatestBlockhash({ commitment: 'processed' }).send()).value.blockhash,
    );
    await expectError(simulate(wire, { sigVerify: true }), BAD_SIGNATURE);
    const both = { sigVerify: true, replaceRecentBlockhash: true };
    await expectError(simulate(wire, both), SOLANA_ERROR__JSON_RPC__INVALID_PARAMS);
  });
});
