import { type Signed, SOL } from '@service/test-support';
import type { Blockhash } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  expectError,
  net,
  other,
  payer,
  useCluster,
  withBytes,
  withWrongSignature,
} from '../../test/support/cluster.ts';

const BAD_SIGNATURE = 'SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE';
const FEE = 5_000n;

useCluster();

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
    const { wire } = await net.signTransfer(SOL);
    const accounts = { encoding: 'base64', addresses: [other, payer.address] };
    const { value } = await simulate(wire, { accounts });
    expect(value.err).toBeNull();
    expect(value.logs.at(-1)).toContain('success');
    expect(value.accounts?.map((account) => account?.lamports)).toEqual([SOL, 9n * SOL - FEE]);
    expect(await net.balanceOf(other)).toBe(0n);
  });

  it('does not turn off the check of signatures of sent transactions', async () => {
    const signed = await net.signTransfer(SOL);
    await simulate(signed.wire, {});
    await net.sendRaw(withWrongSignature(signed));
    expect(await net.balanceOf(other)).toBe(0n);
  });

  it('accepts an unsigned transaction with any blockhash if it replaces the blockhash', async () => {
    const blockhash = 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W' as Blockhash;
    const signed = await net.sign([payer], [net.transferOf(SOL)], { blockhash });
    const { wire } = withBytes(signed, (bytes) => bytes.fill(0, 1, 65));
    expect((await simulate(wire, {})).value.err).toBe('BlockhashNotFound');
    const { value } = await simulate(wire, { replaceRecentBlockhash: true });
    expect(value.err).toBeNull();
    expect(value.replacementBlockhash?.blockhash).toBe(
      (await net.rpc.getLatestBlockhash({ commitment: 'processed' }).send()).value.blockhash,
    );
    await expectError(simulate(wire, { sigVerify: true }), BAD_SIGNATURE);
    const both = { sigVerify: true, replaceRecentBlockhash: true };
    await expectError(simulate(wire, both), 'SOLANA_ERROR__JSON_RPC__INVALID_PARAMS');
  });
});
