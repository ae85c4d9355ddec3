/** The built stand-in for Token ACL on a cluster, without a gate. `packages/program/test/instructions/gate.test.ts` asks a gate. */
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  AccountRole,
  type Address,
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
  isSignerRole,
  type KeyPairSigner,
  unwrapOption,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  AccountState,
  getCreateAssociatedTokenInstructionAsync,
  getInitializeMint2Instruction,
  getMintDecoder,
  getTokenDecoder,
} from '@solana-program/token';
import { beforeEach, describe, expect, it } from 'vitest';
import { net, payer, useCluster } from '../test/support/cluster.ts';
import { tokenAccountOf } from '../test/support/index.ts';
import { addStandInTokenAclProgram } from './index.ts';

const TOKEN_ACL = address('TACLkU6CiCdkQN2MjoyDkVg2yAH9zkxiHDsiztQ52TP');
/** Any program: nothing here asks the gate. */
const GATE = address('7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi');
const OTHER_GATE = TOKEN_2022_PROGRAM;
/** A mint with one extension of one byte. */
const MINT_BYTES = 166n + 5n;
/** Numbers of the errors of Token ACL. */
const INVALID_AUTHORITY = 0n;
const INVALID_TOKEN_MINT = 3n;
const INVALID_MINT_CONFIG = 4n;
const INVALID_GATING_PROGRAM = 5n;
const THAW_NOT_ENABLED = 6n;
const FREEZE_NOT_ENABLED = 7n;
const INVALID_OWNER = 8n;
const INVALID_FLAG = 9n;

const { READONLY, WRITABLE, READONLY_SIGNER, WRITABLE_SIGNER } = AccountRole;
const bytesOf = getAddressEncoder().encode;

let mint: Address;
let config: Address;
let token: Address;
let stranger: KeyPairSigner;

useCluster();
beforeEach(async () => {
  addStandInTokenAclProgram(net);
  stranger = await net.wallet();
  mint = await createMint();
  config = await derive('MINT_CONFIG', mint);
  token = await tokenAccountOf(TOKEN_2022_PROGRAM, mint, payer.address);
  const account = { payer, owner: payer.address, mint, tokenProgram: TOKEN_2022_PROGRAM };
  await net.landByPayer(await getCreateAssociatedTokenInstructionAsync(account));
});

async function createMint({ isAcl = true } = {}): Promise<Address> {
  const newAccount = await generateKeyPairSigner();
  const space = isAcl ? MINT_BYTES : 82n;
  const lamports = await net.rpc.getMinimumBalanceForRentExemption(space).send();
  const accounts = [{ address: newAccount.address, role: WRITABLE }];
  const frozen = { programAddress: TOKEN_2022_PROGRAM, accounts, data: Uint8Array.of(28, 0, 2) };
  await net.land(
    [payer, newAccount],
    [
      getCreateAccountInstruction({ payer, newAccount, lamports, space, programAddress: TOKEN_2022_PROGRAM }),
      ...(isAcl ? [frozen] : []),
      getInitializeMint2Instruction(
        {
          mint: newAccount.address,
          decimals: 2,
          mintAuthority: payer.address,
          freezeAuthority: payer.address,
        },
        { programAddress: TOKEN_2022_PROGRAM },
      ),
    ],
  );
  return newAccount.address;
}

async function derive(seed: string, of: Address): Promise<Address> {
  return (await getProgramDerivedAddress({ programAddress: TOKEN_ACL, seeds: [seed, bytesOf(of)] }))[0];
}

function call(data: ArrayLike<number>, accounts: readonly (readonly [Address, AccountRole])[]): Instruction {
  const metas = accounts.map(([account, role]) => ({ address: account, role }));
  return { programAddress: TOKEN_ACL, data: Uint8Array.from(data), accounts: metas };
}

const create = ({ of = mint, at = config, by = payer.address } = {}) =>
  call(
    [0, ...bytesOf(GATE)],
    [
      [payer.address, WRITABLE_SIGNER],
      [by, READONLY_SIGNER],
      [of, WRITABLE],
      [at, WRITABLE],
      [SYSTEM_PROGRAM, READONLY],
      [TOKEN_2022_PROGRAM, READONLY],
    ],
  );
const change = (data: ArrayLike<number>, by = payer.address, role: AccountRole = READONLY_SIGNER) =>
  call(data, [
    [by, role],
    [config, WRITABLE],
  ]);
const THAW = 4;
const FREEZE = 5;
const byAuthority = (number: number, by = payer.address) =>
  call(
    [number],
    [
      [by, READONLY_SIGNER],
      [mint, READONLY],
      [token, WRITABLE],
      [config, READONLY],
      [TOKEN_2022_PROGRAM, READONLY],
    ],
  );
const byAnyone = async (
  number: number,
  { gate = GATE as Address, owner = payer.address, flag = undefined as Address | undefined } = {},
) =>
  call(
    [number],
    [
      [stranger.address, WRITABLE_SIGNER],
      [mint, READONLY],
      [token, WRITABLE],
      [flag ?? (await derive('FLAG_ACCOUNT', token)), WRITABLE],
      [owner, READONLY],
      [config, READONLY],
      [TOKEN_2022_PROGRAM, READONLY],
      [SYSTEM_PROGRAM, READONLY],
      [gate, READONLY],
    ],
  );

/** Sends an instruction, for which the stranger pays. Returns the number of its error, or the whole error, or null. */
async function errorOf(instruction: Instruction): Promise<unknown> {
  const needsPayer = instruction.accounts!.some(
    (each) => each.address === payer.address && isSignerRole(each.role),
  );
  const signers = needsPayer ? ([stranger, payer] as const) : ([stranger] as const);
  const status = await net.outcomeOf(await net.sign(signers, [instruction]));
  const error = status!.err as { InstructionError?: [bigint, { Custom?: bigint }] } | null;
  return error?.InstructionError?.[1].Custom ?? error?.InstructionError?.[1] ?? error;
}

async function dataOf(account: Address): Promise<Uint8Array> {
  const { value } = await net.rpc
    .getAccountInfo(account, { encoding: 'base64', commitment: 'processed' })
    .send();
  return Buffer.from(value!.data[0], 'base64');
}
const stateOf = async () => getTokenDecoder().decode(await dataOf(token)).state;
const freezeAuthority = async () => unwrapOption(getMintDecoder().decode(await dataOf(mint)).freezeAuthority);

describe('the configuration', () => {
  it('becomes the freeze authority, and has the layout of Token ACL', async () => {
    await net.landByPayer(create());
    expect(await freezeAuthority()).toBe(config);
    const [, bump] = await getProgramDerivedAddress({
      programAddress: TOKEN_ACL,
      seeds: ['MINT_CONFIG', bytesOf(mint)],
    });
    const fields = [1, bump, 0, 0, ...bytesOf(mint), ...bytesOf(payer.address), ...bytesOf(GATE)];
    expect([...(await dataOf(config))]).toEqual(fields);
    await net.landByPayer(change([8, 0, 1]), change([2, ...bytesOf(OTHER_GATE)]));
    expect([...(await dataOf(config))]).toEqual([
      1,
      bump,
      1,
      0,
      ...fields.slice(4, 68),
      ...bytesOf(OTHER_GATE),
    ]);
  });

  it('is created at an address that holds lamports', async () => {
    net.airdrop(config, 5_000_000n);
    await net.landByPayer(create());
    expect(await freezeAuthority()).toBe(config);
  });

  it('is only for the freeze authority, its own address, and a mint with the extension', async () => {
    expect(await errorOf(create({ by: stranger.address }))).toBe(INVALID_AUTHORITY);
    expect(await errorOf(create({ at: token }))).toBe(INVALID_MINT_CONFIG);
    const plain = await createMint({ isAcl: false });
    expect(await errorOf(create({ of: plain, at: await derive('MINT_CONFIG', plain) }))).toBe(
      INVALID_TOKEN_MINT,
    );
    expect(await freezeAuthority()).toBe(payer.address);
  });

  it('is changed only by its authority, which can hand it over', async () => {
    await net.landByPayer(create());
    for (const data of [
      [8, 1, 1],
      [2, ...bytesOf(OTHER_GATE)],
      [1, ...bytesOf(stranger.address)],
    ]) {
      expect(await errorOf(change(data, stranger.address))).toBe(INVALID_AUTHORITY);
      expect(await errorOf(change(data, payer.address, READONLY))).toBe(INVALID_AUTHORITY);
    }
    expect(await errorOf(change([1, ...bytesOf(stranger.address)]))).toBe(null);
    expect(await errorOf(change([8, 1, 1]))).toBe(INVALID_AUTHORITY);
    expect(await errorOf(change([8, 0, 1], stranger.address))).toBe(null);
  });

  it('is deleted by its authority, which names the next freeze authority', async () => {
    await net.landByPayer(create());
    const remove = (by: Address) =>
      call(
        [3, ...bytesOf(stranger.address)],
        [
          [by, READONLY_SIGNER],
          [stranger.address, WRITABLE],
          [mint, WRITABLE],
          [config, WRITABLE],
          [TOKEN_2022_PROGRAM, READONLY],
        ],
      );
    expect(await errorOf(remove(stranger.address))).toBe(INVALID_AUTHORITY);
    await net.landByPayer(remove(payer.address));
    expect(await freezeAuthority()).toBe(stranger.address);
    expect(await net.balanceOf(config)).toBe(0n);
  });
});

it('thaws and freezes by the authority alone, without asking the gate', async () => {
  await net.landByPayer(create());
  expect(await stateOf()).toBe(AccountState.Frozen);
  for (const number of [THAW, FREEZE]) {
    expect(await errorOf(byAuthority(number, stranger.address))).toBe(INVALID_AUTHORITY);
  }
  await net.landByPayer(byAuthority(THAW));
  expect(await stateOf()).toBe(AccountState.Initialized);
  await net.landByPayer(byAuthority(FREEZE));
  expect(await stateOf()).toBe(AccountState.Frozen);
});

describe('by anyone', () => {
  it('only if the configuration allows it, and only with its gate, the owner and the flag', async () => {
    await net.landByPayer(create());
    expect(await errorOf(await byAnyone(6))).toBe(THAW_NOT_ENABLED);
    expect(await errorOf(await byAnyone(7))).toBe(FREEZE_NOT_ENABLED);
    await net.landByPayer(change([8, 1, 1]));
    for (const number of [6, 7, 9, 10]) {
      expect(await errorOf(await byAnyone(number, { gate: OTHER_GATE }))).toBe(INVALID_GATING_PROGRAM);
      expect(await errorOf(await byAnyone(number, { owner: stranger.address }))).toBe(INVALID_OWNER);
      expect(await errorOf(await byAnyone(number, { flag: token }))).toBe(INVALID_FLAG);
    }
    // The gate is not deployed.
    expect(await errorOf(await byAnyone(6))).not.toBe(null);
    expect(await stateOf()).toBe(AccountState.Frozen);
  });

  it('does not ask the gate if an idempotent instruction has nothing to do', async () => {
    await net.landByPayer(create(), change([8, 1, 1]));
    expect(await errorOf(await byAnyone(10))).toBe(null);
    await net.landByPayer(byAuthority(THAW));
    expect(await errorOf(await byAnyone(9))).toBe(null);
  });
});
