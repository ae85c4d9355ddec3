import { type Address, getAddressDecoder, lamports, type MaybeEncodedAccount } from '@solana/kit';
import { expect, test } from 'vitest';
import { SYSTEM_PROGRAM } from '../addresses.ts';
import { getPassEncoder } from '../generated/accounts/pass';
import { DEVELOPMENT_PROGRAM as PROGRAM } from '../index.ts';
import { fundsQuery } from './funds.ts';
import type { GrantIntent, SuspendIntent } from './intent.ts';

const key = (byte: number) => getAddressDecoder().decode(new Uint8Array(32).fill(byte));
const [wallet, rule, holder] = [key(1), key(2), key(3)];
const grant = { kind: 'GRANT', wallet, rule, holder, expiresAt: 9n } as const;
const suspend = { kind: 'SUSPEND', wallet, rule, holder, until: 9n } as const;

const account = (
  address: Address,
  data: Uint8Array,
  programAddress: Address = SYSTEM_PROGRAM,
): MaybeEncodedAccount => ({
  address,
  data,
  programAddress,
  exists: true,
  executable: false,
  lamports: lamports(5_000_000n),
  space: BigInt(data.length),
});

/** A byte costs one lamport a year, and rent is paid for two years. */
const RENT = account(key(4), new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0, ...new Uint8Array(6), 0, 0x40]));

const pass = (circuit: Address, programAddress: Address = PROGRAM) =>
  account(
    key(5),
    new Uint8Array(
      getPassEncoder().encode({
        bump: 255,
        rule,
        wallet: holder,
        expiresAt: 1n,
        issuedAt: 0n,
        circuit,
        verifier: circuit,
        commitment: new Uint8Array(32),
      }),
    ),
    programAddress,
  );
const missing: MaybeEncodedAccount = { address: key(5), exists: false };
const PASS_RENT = 2n * (128n + BigInt(getPassEncoder().fixedSize));

async function rentFor(intent: GrantIntent | SuspendIntent, existing: MaybeEncodedAccount) {
  const { addresses, fundsOf } = await fundsQuery(PROGRAM, { intent, priorityFee: 0n });
  const accounts = [account(wallet, new Uint8Array()), RENT, existing];
  return fundsOf(accounts.slice(0, addresses.length)).rent;
}

test('a creator pays the rent of a pass that is missing', async () => {
  expect(await rentFor(grant, missing)).toBe(PASS_RENT);
  expect(await rentFor(suspend, missing)).toBe(PASS_RENT);
  expect(await rentFor({ ...grant, expiresAt: 0n }, missing)).toBe(0n);
  expect(await rentFor({ ...suspend, until: 0n }, missing)).toBe(0n);
});

test('a grant also pays the rent of a proved pass that it replaces, to its holder', async () => {
  expect(await rentFor(grant, pass(key(6)))).toBe(PASS_RENT);
  expect(await rentFor(grant, pass(SYSTEM_PROGRAM))).toBe(0n);
  expect(await rentFor(grant, pass(key(6), key(7)))).toBe(0n);
  expect(await rentFor(suspend, pass(key(6)))).toBe(0n);
});
