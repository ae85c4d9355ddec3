import { address, getF64Encoder, getU64Encoder, lamports } from '@solana/kit';
import { expect, test } from 'vitest';
import { RENT_SYSVAR } from '../addresses.ts';
import { rentOf } from './rent.ts';

/** Returns the account of a sysvar with this price per byte and this factor. */
function sysvar(price: bigint, factor: number) {
  const data = new Uint8Array([...getU64Encoder().encode(price), ...getF64Encoder().encode(factor), 50]);
  const account = {
    address: RENT_SYSVAR,
    data,
    executable: false,
    lamports: lamports(1n),
    programAddress: address('Sysvar1111111111111111111111111111111111111'),
    space: 17n,
    exists: true,
  } as const;
  return account;
}

test('the rent is the same before and after SIMD-0194', () => {
  for (const [price, factor] of [
    [3_480n, 2],
    [6_960n, 1],
  ] as const) {
    expect([rentOf(sysvar(price, factor))(0), rentOf(sysvar(price, factor))(203)]).toEqual([
      890_880n,
      2_303_760n,
    ]);
  }
});

test('no rent is free because the account is missing or cut off', () => {
  expect(() => rentOf(undefined)).toThrow();
  expect(() => rentOf({ address: RENT_SYSVAR, exists: false })).toThrow();
  const account = sysvar(6_960n, 1);
  expect(() => rentOf({ ...account, data: account.data.slice(0, 15) })).toThrow();
  for (const factor of [Number.NaN, Number.POSITIVE_INFINITY, -1, 2 ** 60]) {
    expect(() => rentOf(sysvar(6_960n, factor))(0)).toThrow('The RPC returned a rent that is not valid.');
  }
});
