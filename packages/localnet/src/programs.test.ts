import { ed25519Instruction } from '@service/protocol';
import { type Address, generateKeyPairSigner, signBytes } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { net, other, payer, useCluster } from '../test/support/cluster.ts';
import { createMint, memoInstruction, tokenAccountOf, transferOne } from '../test/support/index.ts';
import {
  ASSOCIATED_TOKEN,
  COMPUTE_BUDGET,
  ED25519,
  LOOKUP_TABLES,
  MEMO_PROGRAM,
  OLD_MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  UPGRADEABLE_LOADER,
} from './chain/addresses.ts';

useCluster({ finalitySlots: 2 });

const makeMint = (program: Address, hook?: Address) =>
  createMint(net, payer, { program, holders: [other], ...(hook ? { hook } : {}) });
const transfer = (program: Address, mint: Address) => transferOne(program, mint, payer, other);

describe.each([
  ['SPL Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
] as const)('%s', (_, program) => {
  it('mints and transfers, and the token methods return the state at their commitment', async () => {
    const mint = await makeMint(program);
    net.advanceSlots(2);
    const signature = await net.landByPayer(await transfer(program, mint));
    const account = await tokenAccountOf(program, mint, other);

    const balance = async (commitment: 'processed' | 'finalized') =>
      (await net.rpc.getTokenAccountBalance(account, { commitment }).send()).value;
    expect(await balance('finalized')).toMatchObject({ amount: '0', uiAmountString: '0', decimals: 6 });
    expect(await balance('processed')).toMatchObject({ amount: '1000000', uiAmountString: '1', decimals: 6 });
    const supply = { amount: '1500000', uiAmountString: '1.5' };
    expect((await net.rpc.getTokenSupply(mint).send()).value).toMatchObject(supply);

    const config = { encoding: 'base64', commitment: 'processed' } as const;
    for (const filter of [{ mint }, { programId: program }]) {
      const { value } = await net.rpc.getTokenAccountsByOwner(other, filter, config).send();
      expect(value.map(({ pubkey }) => pubkey)).toEqual([account]);
    }

    net.advanceSlots(1);
    const { preTokenBalances, postTokenBalances } = (await net.transactionOf(signature)).meta!;
    const [before, after] = [preTokenBalances, postTokenBalances].map((balances) =>
      balances!.find(({ owner }) => owner === other),
    );
    expect(before).toMatchObject({ uiTokenAmount: { amount: '0' } });
    const uiTokenAmount = { amount: '1000000', decimals: 6, uiAmountString: '1' };
    expect(after).toMatchObject({ mint, programId: program, uiTokenAmount });
  });

  it('records inner instructions', async () => {
    const mint = await makeMint(program);
    net.advanceSlots(1);
    const [entry] = await net.entriesOf(mint);
    const landed = await net.transactionOf(entry!.signature);
    const [first, ...others] = landed.meta!.innerInstructions!;
    expect(others).toHaveLength(1);
    const keys = landed.transaction.message.accountKeys;
    expect(first!.instructions.map(({ programIdIndex }) => keys[programIdIndex])).toContain(program);
    expect(first!.instructions.every(({ stackHeight }) => stackHeight === 2)).toBe(true);
  });
});

describe('transfer hooks of Token-2022', () => {
  it('transfers without a hook, and calls a hook that is set', async () => {
    const unhooked = await makeMint(TOKEN_2022_PROGRAM, SYSTEM_PROGRAM);
    await net.landByPayer(await transfer(TOKEN_2022_PROGRAM, unhooked));
    const hooked = await makeMint(TOKEN_2022_PROGRAM, other);
    const signed = await net.signByPayer(await transfer(TOKEN_2022_PROGRAM, hooked));
    expect((await net.outcomeOf(signed))?.err).toEqual({ InstructionError: [0n, 'MissingAccount'] });
  });
});

describe('the ed25519 precompile', () => {
  async function verification(tamper: boolean) {
    const message = new TextEncoder().encode('signed elsewhere');
    const { address, keyPair } = await generateKeyPairSigner();
    const signature = new Uint8Array(await signBytes(keyPair.privateKey, message));
    if (tamper) signature[0]! ^= 1;
    return ed25519Instruction({ publicKey: address, signature, message });
  }

  it('accepts a valid signature and charges a signature’s fee', async () => {
    const signature = await net.landByPayer(await verification(false));
    net.advanceSlots(1);
    expect((await net.transactionOf(signature)).meta!.fee).toBe(10_000n);
  });

  it('rejects a wrong signature', async () => {
    const signed = await net.signByPayer(await verification(true));
    expect((await net.outcomeOf(signed))?.err).toEqual({ InstructionError: [0n, { Custom: 2n }] });
  });
});

describe('the programs of the cluster', () => {
  it('include those that clients need', async () => {
    const programs = [
      TOKEN_PROGRAM,
      TOKEN_2022_PROGRAM,
      OLD_MEMO_PROGRAM,
      MEMO_PROGRAM,
      ASSOCIATED_TOKEN,
      COMPUTE_BUDGET,
      LOOKUP_TABLES,
      UPGRADEABLE_LOADER,
      ED25519,
    ] as Address[];
    const config = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } } as const;
    const { value } = await net.rpc.getMultipleAccounts(programs, config).send();
    expect(value.map((account) => account?.executable)).toEqual(programs.map(() => true));
  });

  it.each([
    ['alt_bn128', 'A16q37opZdQMCbe5qJ6xpBB9usykfv8jZaMkxvZQi4GJ'],
    ['poseidon', 'FL9RsQA6TVUoh5xJQ9d936RHSebA1NLQqe3Zv9sXZRpr'],
  ] as const)('can use the %s syscalls: their feature gate is active', async (_, gate) => {
    const { value } = await net.rpc.getAccountInfo(gate as Address, { encoding: 'base64' }).send();
    expect(value?.owner).toBe('Feature111111111111111111111111111111111111');
    expect(Buffer.from(value!.data[0], 'base64')[0]).toBe(1);
  });

  it('accept a memo that names its signers', async () => {
    await net.landByPayer({ ...memoInstruction('signed'), accounts: [{ address: payer.address, role: 2 }] });
  });
});
