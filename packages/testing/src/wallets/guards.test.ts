import { address } from '@solana/kit';
import { expect, it } from 'vitest';
import { accountAssertions, guard, tokenAssertions } from './guards.ts';

const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
const ACCOUNT = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

it('encodes the guard that Solflare was seen to add', () => {
  expect(hexOf(guard('account', ACCOUNT, [accountAssertions.owner(SYSTEM_PROGRAM)]).data)).toBe(
    '060401030000',
  );
});

it('encodes each assertion', () => {
  const key = 'ee'.repeat(32);
  const unknown = address('H3dmWGqQn95ogfckrUEqWYM2BLLoMXS2uP4VqUEaYDkR');
  const bytes = {
    lamportsAtLeast: accountAssertions.lamportsAtLeast(258n),
    lamportsEqual: accountAssertions.lamportsEqual(2n ** 64n - 1n),
    token: accountAssertions.owner(address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')),
    token2022: accountAssertions.owner(address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')),
    amount: tokenAssertions.amountAtLeast(7n),
    noDelegate: tokenAssertions.delegate(null),
    delegatedAmount: tokenAssertions.delegatedAmount(0n),
    derived: tokenAssertions.ownerIsDerived(),
  };
  expect(
    Object.fromEntries(Object.entries(bytes).map(([name, of]) => [name, hexOf(Uint8Array.from(of))])),
  ).toEqual({
    lamportsAtLeast: '00020100000000000004',
    lamportsEqual: '00ffffffffffffffff00',
    token: '030100',
    token2022: '030200',
    amount: '02070000000000000004',
    noDelegate: '030000',
    delegatedAmount: '06000000000000000000',
    derived: '08',
  });
  expect(key.length + hexOf(Uint8Array.from(accountAssertions.owner(unknown))).length).toBe(64 + 68);
});

it('hashes data with Keccak-256, and writes lengths in LEB128', () => {
  const hash = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
  expect(hexOf(Uint8Array.from(accountAssertions.dataHash(new Uint8Array())))).toBe(`08${hash}0000`);
  const ofLength = (length: number) =>
    hexOf(Uint8Array.from(accountAssertions.dataHash(new Uint8Array(length)))).slice(66);
  expect([127, 128, 165, 16_384].map(ofLength)).toEqual(['007f', '008001', '00a501', '00808001']);
});
