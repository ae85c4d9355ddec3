import { generateKeyPairSigner, getU32Encoder, getU64Encoder, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { net, payer, useCluster } from '../../test/support/cluster.ts';
import { memoInstruction, type Signed, SOL, transferInstruction } from '../../test/support/index.ts';
import { COMPUTE_BUDGET } from './addresses.ts';

useCluster();

const computeBudget = (kind: number, value: Iterable<number>): Instruction => ({
  programAddress: COMPUTE_BUDGET,
  data: Uint8Array.of(kind, ...value),
});
const unitLimit = (units: number) => computeBudget(2, getU32Encoder().encode(units));
const unitPrice = (microLamports: bigint) => computeBudget(3, getU64Encoder().encode(microLamports));

/** Returns what litesvm charges the payer. These messages move no lamports except the fee. */
async function chargedFor(signed: Signed): Promise<bigint> {
  const before = await net.balanceOf(payer.address);
  await net.sendRaw(signed);
  return before - (await net.balanceOf(payer.address));
}

async function reportedFor({ wire }: Signed): Promise<bigint | null> {
  const message = Buffer.from(wire, 'base64');
  const withoutSignatures = message.subarray(1 + 64 * message[0]!).toString('base64');
  const config = { commitment: 'processed' } as const;
  return (await net.rpc.getFeeForMessage(withoutSignatures as never, config).send()).value;
}

describe('fees equal what litesvm charges', () => {
  const memo = memoInstruction('hi');
  const toSelf = (lamports: bigint) => transferInstruction(payer.address, payer.address, lamports);

  it.each<[string, () => Instruction[], bigint]>([
    ['one signature', () => [memo], 5_000n],
    ['a price without a limit', () => [unitPrice(1_000_000n), memo], 5_000n + 203_000n],
    ['a price and a limit', () => [unitLimit(50_001), unitPrice(999n), memo], 5_000n + 50n],
    ['a price over builtin programs alone', () => [unitPrice(1_000_000n), toSelf(1n)], 5_000n + 6_000n],
    ['a limit above the maximum', () => [unitLimit(9_000_000), unitPrice(1_000_000n), memo], 1_405_000n],
    ['a transaction that fails', () => [unitPrice(1_000_000n), unitLimit(1_000), toSelf(100n * SOL)], 6_000n],
  ])('%s', async (_, instructions, fee) => {
    const signed = await net.signByPayer(...instructions());
    expect(await reportedFor(signed)).toBe(fee);
    expect(await chargedFor(signed)).toBe(fee);
  });

  it('two signatures', async () => {
    const second = await generateKeyPairSigner();
    const accounts = [{ address: second.address, role: 2 as const }];
    const signed = await net.sign([payer, second], [{ ...memo, accounts }]);
    expect(await reportedFor(signed)).toBe(10_000n);
    expect(await chargedFor(signed)).toBe(10_000n);
  });

  it('returns no fee for a message with an expired blockhash', async () => {
    const signed = await net.signByPayer(memo);
    net.advanceSlots(151);
    expect(await reportedFor(signed)).toBeNull();
  });
});
