import {
  errorOf,
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
  isSolanaError,
  type KeyPairSigner,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
} from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
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

const balance = async (of: Address) =>
  (await net.rpc.getBalance(of, { commitment: 'processed' }).send()).value;
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

  it('answers logs and the accounts as they would be, and keeps nothing', async () => {
    const { wire } = await transfer(SOL);
    const accounts = { encoding: 'base64', addresses: [other, payer.address] };
    const { value } = await simulate(wire, { accounts });
    expect(value.err).toBeNull();
    expect(value.logs.at(-1)).toContain('success');
    expect(value.accounts?.map((account) => account?.lamports)).toEqual([SOL, 9n * SOL - FEE]);
    expect(await balance(other)).toBe(0n);
  });

  it('leaves signatures checked for what is sent', async () => {
    const signed = await transfer(SOL);
    await simulate(signed.wire, {});
    const bytes = Buffer.from(signed.wire, 'base64');
    bytes[10]! ^= 1;
    await sendRaw(net, { ...signed, wire: bytes.toString('base64') as Signed['wire'] });
    expect(await balance(other)).toBe(0n);
  });

  it('takes an unsigned transaction with any blockhash when it replaces it', async () => {
    const blockhash = 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W' as Blockhash;
    const signed = await sign(net, [payer], [transferInstruction(payer.address, other, SOL)], { blockhash });
    const bytes = Buffer.from(signed.wire, 'base64').fill(0, 1, 65);
    const wire = bytes.toString('base64') as Signed['wire'];
    expect((await simulate(wire, {})).value.err).toBe('BlockhashNotFound');
    const { value } = await simulate(wire, { replaceRecentBlockhash: true });
    expect(value.err).toBeNull();
    expect(value.replacementBlockhash?.blockhash).toBe(
      (await net.rpc.getLatestBlockhash({ commitment: 'processed' }).send()).value.blockhash,
    );
    expect(isSolanaError(await errorOf(simulate(wire, { sigVerify: true })), BAD_SIGNATURE)).toBe(true);
    const both = { sigVerify: true, replaceRecentBlockhash: true };
    expect(isSolanaError(await errorOf(simulate(wire, both)), SOLANA_ERROR__JSON_RPC__INVALID_PARAMS)).toBe(
      true,
    );
  });
});
