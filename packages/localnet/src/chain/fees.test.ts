import {
  fundedWallet,
  memoInstruction,
  type Signed,
  SOL,
  sendRaw,
  sign,
  stillLocalnet,
  transferInstruction,
} from '@service/test-support';
import { generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { balanceOf } from '../../test/support/rpc.ts';
import type { Localnet } from '../index.ts';
import { COMPUTE_BUDGET } from './addresses.ts';

let net: Localnet;
let payer: KeyPairSigner;

beforeEach(async () => {
  net = stillLocalnet();
  payer = await fundedWallet(net);
});

function unitLimit(units: number): Instruction {
  const data = new Uint8Array(5);
  data[0] = 2;
  new DataView(data.buffer).setUint32(1, units, true);
  return { programAddress: COMPUTE_BUDGET, data };
}

function unitPrice(microLamports: bigint): Instruction {
  const data = new Uint8Array(9);
  data[0] = 3;
  new DataView(data.buffer).setBigUint64(1, microLamports, true);
  return { programAddress: COMPUTE_BUDGET, data };
}

/** Returns what litesvm charges the payer. These messages move no lamports except the fee. */
async function chargedFor(signed: Signed): Promise<bigint> {
  const balance = () => balanceOf(net, payer.address);
  const before = await balance();
  await sendRaw(net, signed);
  return before - (await balance());
}

async function reportedFor({ wire }: Signed): Promise<bigint | null> {
  const message = Buffer.from(wire, 'base64');
  const withoutSignatures = message.subarray(1 + 64 * message[0]!).toString('base64');
  const config = { commitment: 'processed' } as const;
  return (await net.rpc.getFeeForMessage(withoutSignatures as never, config).send()).value;
}

describe('fees equal what litesvm charges', () => {
  const cases: [string, (self: KeyPairSigner) => Instruction[], bigint][] = [
    ['one signature', () => [memoInstruction('hi')], 5_000n],
    ['a price without a limit', () => [unitPrice(1_000_000n), memoInstruction('hi')], 5_000n + 203_000n],
    ['a price and a limit', () => [unitLimit(50_001), unitPrice(999n), memoInstruction('hi')], 5_000n + 50n],
    [
      'a price over builtin programs alone',
      (self) => [unitPrice(1_000_000n), transferInstruction(self.address, self.address, 1n)],
      5_000n + 6_000n,
    ],
    [
      'a limit above the maximum',
      () => [unitLimit(9_000_000), unitPrice(1_000_000n), memoInstruction('hi')],
      5_000n + 1_400_000n,
    ],
    [
      'a transaction that fails',
      (self) => [
        unitPrice(1_000_000n),
        unitLimit(1_000),
        transferInstruction(self.address, self.address, 100n * SOL),
      ],
      6_000n,
    ],
  ];

  it.each(cases)('%s', async (_, instructions, fee) => {
    const signed = await sign(net, [payer], instructions(payer));
    expect(await reportedFor(signed)).toBe(fee);
    expect(await chargedFor(signed)).toBe(fee);
  });

  it('two signatures', async () => {
    const second = await generateKeyPairSigner();
    const memo = { ...memoInstruction('hi'), accounts: [{ address: second.address, role: 2 as const }] };
    const signed = await sign(net, [payer, second], [memo]);
    expect(await reportedFor(signed)).toBe(10_000n);
    expect(await chargedFor(signed)).toBe(10_000n);
  });

  it('returns no fee for a message with an expired blockhash', async () => {
    const signed = await sign(net, [payer], [memoInstruction('hi')]);
    net.advanceSlots(151);
    expect(await reportedFor(signed)).toBeNull();
  });
});
