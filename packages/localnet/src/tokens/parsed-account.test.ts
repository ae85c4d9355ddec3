import { type Address, generateKeyPairSigner } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  AuthorityType,
  getApproveInstruction,
  getFreezeAccountInstruction,
  getInitializeMultisig2Instruction,
  getSetAuthorityInstruction,
} from '@solana-program/token';
import { afterEach, describe, expect, it } from 'vitest';
import { INVALID_PARAMS, net, other, payer, useCluster } from '../../test/support/cluster.ts';
import { createMint, tokenAccountOf, transferOne } from '../../test/support/index.ts';
import { openSocket } from '../../test/support/socket-client.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/addresses.ts';

const PARSED = { encoding: 'jsonParsed', commitment: 'processed' } as const;
const TOKEN_ACCOUNT_BYTES = 165n;

useCluster({ finalitySlots: 2 });
afterEach(() => net.stop());

/** Returns the result of a method without any change by kit. */
function ask<T = { data: unknown }>(method: string, ...params: unknown[]): T {
  const { result } = net.call(method, ...params) as { result: { value?: T } & T };
  return result.value ?? result;
}
const dataOf = (address: Address) => ask('getAccountInfo', address, PARSED).data;
const ui = (amount: string, uiAmountString: string) => ({
  amount,
  decimals: 6,
  uiAmount: Number(uiAmountString),
  uiAmountString,
});

/** Creates an account of a token program with zeros. */
async function createBlank(program: Address, space: bigint): Promise<Address> {
  const newAccount = await generateKeyPairSigner();
  const lamports = await net.rpc.getMinimumBalanceForRentExemption(space).send();
  await net.land(
    [payer, newAccount],
    [getCreateAccountInstruction({ payer, newAccount, lamports, space, programAddress: program })],
  );
  return newAccount.address;
}

describe.each([
  ['spl-token', TOKEN_PROGRAM, 165n, {}],
  ['spl-token-2022', TOKEN_2022_PROGRAM, 170n, { extensions: [{ extension: 'immutableOwner' }] }],
] as const)('accounts of %s', (program, programAddress, space, extensions) => {
  const config = { programAddress };

  it('are parsed as mints and token accounts', async () => {
    const mint = await createMint(net, payer, { program: programAddress });
    const token = await tokenAccountOf(programAddress, mint, payer.address);
    const authorities = { mintAuthority: payer.address, freezeAuthority: null };
    expect(dataOf(mint)).toEqual({
      program,
      parsed: { type: 'mint', info: { ...authorities, supply: '1500000', decimals: 6, isInitialized: true } },
      space: 82n,
    });
    const info = {
      mint,
      owner: payer.address,
      tokenAmount: ui('1500000', '1.5'),
      state: 'initialized',
      isNative: false,
      ...extensions,
    };
    expect(dataOf(token)).toEqual({ program, parsed: { type: 'account', info }, space });

    const closer = {
      owned: token,
      owner: payer,
      authorityType: AuthorityType.CloseAccount,
      newAuthority: other,
    };
    // Token-2022 lets nobody but the owner close an associated account.
    const isOwnerFixed = programAddress === TOKEN_2022_PROGRAM;
    await net.landByPayer(
      getApproveInstruction({ source: token, delegate: other, owner: payer, amount: 70_001n }, config),
      ...(isOwnerFixed ? [] : [getSetAuthorityInstruction(closer, config)]),
    );
    const delegated = { delegate: other, delegatedAmount: ui('70001', '0.070001') };
    const close = isOwnerFixed ? {} : { closeAuthority: other };
    expect(dataOf(token)).toMatchObject({ parsed: { info: { ...info, ...delegated, ...close } } });
  });

  it('are parsed as multisignature accounts', async () => {
    const multisig = await createBlank(programAddress, 355n);
    expect(dataOf(multisig)).toEqual([expect.any(String), 'base64']);
    const signers = [payer.address, other];
    await net.landByPayer(getInitializeMultisig2Instruction({ multisig, signers, m: 1 }, config));
    const info = { numRequiredSigners: 1, numValidSigners: 2, isInitialized: true, signers };
    expect(dataOf(multisig)).toEqual({ program, parsed: { type: 'multisig', info }, space: 355n });
  });
});

it('parses the extensions of a mint and of its accounts', async () => {
  const mint = await createMint(net, payer, { program: TOKEN_2022_PROGRAM, hook: other });
  expect(dataOf(mint)).toMatchObject({
    parsed: {
      info: {
        extensions: [{ extension: 'transferHook', state: { authority: payer.address, programId: other } }],
      },
    },
  });
  const token = await tokenAccountOf(TOKEN_2022_PROGRAM, mint, payer.address);
  expect(dataOf(token)).toMatchObject({
    parsed: {
      info: {
        extensions: [
          { extension: 'immutableOwner' },
          { extension: 'transferHookAccount', state: { transferring: false } },
        ],
      },
    },
  });
});

describe('lists of parsed accounts', () => {
  it('leave out accounts that are not initialized, and show a single one and other programs as base64', async () => {
    const mint = await createMint(net, payer, { program: TOKEN_PROGRAM, holders: [other] });
    const blank = await createBlank(TOKEN_PROGRAM, TOKEN_ACCOUNT_BYTES);
    const tokens = await Promise.all(
      [payer.address, other].map((of) => tokenAccountOf(TOKEN_PROGRAM, mint, of)),
    );
    const filters = [{ dataSize: Number(TOKEN_ACCOUNT_BYTES) }];
    const listed = ask<{ pubkey: Address }[]>('getProgramAccounts', TOKEN_PROGRAM, { ...PARSED, filters });
    expect(new Set(listed.map(({ pubkey }) => pubkey))).toEqual(new Set(tokens));
    const base64 = [expect.any(String), 'base64'];
    // A slice is for data that is not parsed.
    const sliced = { ...PARSED, dataSlice: { offset: 0, length: 0 } };
    expect(ask('getMultipleAccounts', [mint, blank, payer.address, TOKEN_PROGRAM], sliced)).toMatchObject([
      { data: { parsed: { type: 'mint' } } },
      { data: base64 },
      { data: ['', 'base64'] },
      { data: ['', 'base64'] },
    ]);
  });

  it('have the accounts of an owner and of a delegate', async () => {
    const mint = await createMint(net, payer, { program: TOKEN_PROGRAM, holders: [other] });
    const another = await createMint(net, payer, { program: TOKEN_PROGRAM });
    const source = await tokenAccountOf(TOKEN_PROGRAM, mint, payer.address);
    await net.landByPayer(getApproveInstruction({ source, delegate: other, owner: payer, amount: 5n }));
    const list = (by: 'Owner' | 'Delegate', of: Address, filter: object) =>
      ask<{ pubkey: Address; account: { data: unknown } }[]>(`getTokenAccountsBy${by}`, of, filter, PARSED);
    const [owned] = list('Owner', other, { mint });
    expect(owned?.account.data).toMatchObject({ parsed: { info: { owner: other, mint } } });
    expect(list('Owner', payer.address, { programId: TOKEN_PROGRAM })).toHaveLength(2);
    for (const filter of [{ mint }, { programId: TOKEN_PROGRAM }])
      expect(list('Delegate', other, filter).map(({ pubkey }) => pubkey)).toEqual([source]);
    expect(list('Delegate', other, { mint: another })).toEqual([]);
    for (const filter of [{ mint: source }, { mint: other }, { programId: SYSTEM_PROGRAM }, {}, undefined])
      expect(net.call('getTokenAccountsByDelegate', other, filter)).toMatchObject(INVALID_PARAMS);
  });

  it('sort the largest accounts of a mint by amount, then by address', async () => {
    const holders = await Promise.all(
      Array.from({ length: 3 }, async () => (await generateKeyPairSigner()).address),
    );
    const mint = await createMint(net, payer, { program: TOKEN_PROGRAM, holders });
    const [source, ...empty] = await Promise.all(
      [payer.address, ...holders].map((of) => tokenAccountOf(TOKEN_PROGRAM, mint, of)),
    );
    await net.landByPayer(await transferOne(TOKEN_PROGRAM, mint, payer, holders[0]!));
    const largest = ask<{ address: Address }[]>('getTokenLargestAccounts', mint, { commitment: 'processed' });
    const [first, ...rest] = empty;
    expect(largest.slice(0, 2)).toEqual([
      { address: first, ...ui('1000000', '1') },
      { address: source, ...ui('500000', '0.5') },
    ]);
    expect(new Set(largest.slice(2).map(({ address }) => address))).toEqual(new Set(rest));
    const sorted = ask<{ pubkey: Address }[]>('getProgramAccounts', TOKEN_PROGRAM, {
      ...PARSED,
      filters: [{ dataSize: 165 }],
    });
    const zeros = sorted.map(({ pubkey }) => pubkey).filter((address) => rest.includes(address));
    expect(largest.slice(2).map(({ address }) => address)).toEqual(zeros.reverse());
    for (const wrong of [source, other, payer.address])
      expect(net.call('getTokenLargestAccounts', wrong)).toMatchObject(INVALID_PARAMS);
  });
});

describe('subscriptions to parsed accounts', () => {
  it('notify of the parsed state, and leave out accounts that are not initialized', async () => {
    const mint = await createMint(net, payer, { program: TOKEN_PROGRAM, holders: [other] });
    const token = await tokenAccountOf(TOKEN_PROGRAM, mint, other);
    const { websocketUrls } = await net.listen({ port: 0 });
    const client = await openSocket(websocketUrls[0]);
    await client.subscribe('accountSubscribe', token, PARSED);
    await client.subscribe('programSubscribe', TOKEN_PROGRAM, { ...PARSED, filters: [{ dataSize: 165 }] });
    await createBlank(TOKEN_PROGRAM, TOKEN_ACCOUNT_BYTES);
    await net.landByPayer(await transferOne(TOKEN_PROGRAM, mint, payer, other));
    const [first, ...written] = await client.results();
    const account = (owner: Address, tokenAmount: object) => ({
      data: { parsed: { info: { owner, tokenAmount } } },
    });
    const received = account(other, ui('1000000', '1'));
    expect(first).toMatchObject({ value: received });
    // A transaction writes accounts in the order of their addresses.
    const inOrder = written.sort((one) => (JSON.stringify(one).includes(other) ? 1 : -1));
    expect(inOrder).toMatchObject([
      { value: { account: account(payer.address, ui('500000', '0.5')) } },
      { value: { pubkey: token, account: received } },
    ]);
  });
});

it('parses a frozen account', async () => {
  const mint = await createMint(net, payer, { program: TOKEN_PROGRAM, freezes: true });
  const account = await tokenAccountOf(TOKEN_PROGRAM, mint, payer.address);
  await net.landByPayer(getFreezeAccountInstruction({ account, mint, owner: payer }));
  expect(dataOf(account)).toMatchObject({ parsed: { info: { state: 'frozen' } } });
});
