import { type Address, getAddressEncoder, lamports, type MaybeEncodedAccount } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { DEVELOPMENT_PROGRAM as PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../index.ts';
import { decodeGate, decodeGateableMint } from './gate.ts';
import { decodeMintConfig, TOKEN_ACL_PROGRAM } from './mint-config.ts';

const mint: Address = TOKEN_ACL_PROGRAM;
const rule: Address = TOKEN_2022_PROGRAM;
const other: Address = PROGRAM;
const hex = (text: string) => [...Buffer.from(text, 'hex')];
const key = (address: Address) => [...getAddressEncoder().encode(address)];

function account(owner: Address, data: readonly number[]): MaybeEncodedAccount {
  return {
    ...{ address: SYSTEM_PROGRAM, exists: true, executable: false, programAddress: owner },
    ...{ data: Uint8Array.from(data), lamports: lamports(1n), space: BigInt(data.length) },
  };
}
const absent: MaybeEncodedAccount = { address: SYSTEM_PROGRAM, exists: false };

describe('decodeGate', () => {
  const listOf = (
    question: string,
    { of = rule, version = 1, granted = 1, type = '99ef82ecf1d5511b' } = {},
  ) => [
    ...hex(question),
    ...[74, 0, 0, 0],
    ...[2, 0, 0, 0],
    ...new Array<number>(2 * 35).fill(0),
    ...hex(type),
    ...[131, 0, 0, 0],
    ...[version, 255, granted, ...key(mint), ...key(of), ...new Array<number>(64).fill(0)],
  ];
  const [thaw, freeze] = [listOf('08afa981894a3df1'), listOf('d68d6d4bf8012d1d')];
  const decode = (one: readonly number[], two: readonly number[], owner: Address = PROGRAM) =>
    decodeGate(PROGRAM, account(owner, one), account(owner, two));

  it('returns the rule set that both lists name', () => {
    expect(decode(thaw, freeze)).toEqual({ mint, rule, honoursGranted: true });
  });

  it('returns null without both lists, or if they differ', () => {
    expect(decodeGate(PROGRAM, account(PROGRAM, thaw), absent)).toBeNull();
    expect(decodeGate(PROGRAM, absent, account(PROGRAM, freeze))).toBeNull();
    expect(decode(thaw, listOf('d68d6d4bf8012d1d', { of: other }))).toBeNull();
    expect(decode(thaw, listOf('d68d6d4bf8012d1d', { granted: 0 }))).toBeNull();
  });

  it.each<[string, readonly number[]]>([
    ['the list of the other question', freeze],
    ['a list of another size', [...thaw, 0]],
    ['a list that is cut', thaw.slice(0, -1)],
    ['version 0', listOf('08afa981894a3df1', { version: 0 })],
    ['a later version', listOf('08afa981894a3df1', { version: 2 })],
    ['another second entry', listOf('08afa981894a3df1', { type: '1ce092e7d4b3cf88' })],
  ])('returns null for %s', (_what, list) => {
    expect(decode(list, freeze)).toBeNull();
  });

  it('returns null for accounts of another program', () => {
    expect(decode(thaw, freeze, TOKEN_ACL_PROGRAM)).toBeNull();
  });
});

describe('decodeMintConfig', () => {
  const data = [1, 254, 1, 0, ...key(mint), ...key(rule), ...key(PROGRAM)];

  it('returns the fields', () => {
    const config = { mint, authority: rule, gate: PROGRAM, canThaw: true, canFreeze: false };
    expect(decodeMintConfig(account(TOKEN_ACL_PROGRAM, data))).toEqual(config);
  });

  it('returns null for anything else', () => {
    expect(decodeMintConfig(absent)).toBeNull();
    expect(decodeMintConfig(account(PROGRAM, data))).toBeNull();
    expect(decodeMintConfig(account(TOKEN_ACL_PROGRAM, [2, ...data.slice(1)]))).toBeNull();
    expect(decodeMintConfig(account(TOKEN_ACL_PROGRAM, [...data, 0]))).toBeNull();
    expect(decodeMintConfig(account(TOKEN_ACL_PROGRAM, data.slice(1)))).toBeNull();
  });
});

describe('decodeGateableMint', () => {
  const base = [
    ...[1, 0, 0, 0],
    ...key(rule),
    ...[7, 0, 0, 0, 0, 0, 0, 0, 2],
    1,
    ...[1, 0, 0, 0],
    ...key(mint),
  ];
  const withState = (state: number) => [
    ...base,
    ...new Array<number>(165 - base.length).fill(0),
    ...[1, 6, 0, 1, 0, state],
  ];
  const decode = (data: readonly number[], owner: Address = TOKEN_2022_PROGRAM) =>
    decodeGateableMint(account(owner, data));

  it('says whether new token accounts are frozen', () => {
    const [freezeAuthority, hasDefaultState, supply] = [mint, true, 7n];
    expect(decode(withState(2))).toEqual({
      freezeAuthority,
      hasDefaultState,
      isFrozenByDefault: true,
      supply,
    });
    expect(decode(withState(1))).toEqual({
      freezeAuthority,
      hasDefaultState,
      isFrozenByDefault: false,
      supply,
    });
    expect(decode(base)).toEqual({
      freezeAuthority,
      hasDefaultState: false,
      isFrozenByDefault: false,
      supply,
    });
  });

  it('returns null for anything else', () => {
    expect(decodeGateableMint(absent)).toBeNull();
    expect(decode(withState(2), PROGRAM)).toBeNull();
    expect(decode(base.slice(1))).toBeNull();
    expect(decode(base.with(45, 0))).toBeNull();
    expect(decode(withState(2).slice(0, -1))).toBeNull();
    expect(decode(withState(2).with(165, 2))).toBeNull();
  });
});
