import { randomBytes } from 'node:crypto';
import { CREDENTIAL_OFFSETS, PASS_OFFSETS } from '@service/protocol';
import {
  CREDENTIAL_ACCOUNT_TYPE,
  getCredentialDecoder,
  getPassDecoder,
  PASS_ACCOUNT_TYPE,
} from '@service/protocol/generated';
import { expect, it } from 'vitest';
import { randomAddress } from '../../../test/support/service-on-chain.ts';
import { accountEntry } from './account-entry.ts';

const program = randomAddress();
const address = randomAddress();

/** The kinds that are read without kit's codecs. The codecs give the expected columns. */
const KINDS = [
  {
    kind: 'pass',
    header: [PASS_ACCOUNT_TYPE, 1],
    offsets: PASS_OFFSETS,
    expected(data: Buffer) {
      const { wallet, rule, verifier, circuit, commitment, issuedAt, expiresAt } =
        getPassDecoder().decode(data);
      return { wallet, rule, verifier, circuit, commitment, issued_at: issuedAt, expires_at: expiresAt };
    },
  },
  {
    kind: 'credential',
    header: [CREDENTIAL_ACCOUNT_TYPE, 1],
    offsets: CREDENTIAL_OFFSETS,
    expected(data: Buffer) {
      const { wallet, verifier, commitment, expiresAt, revoked } = getCredentialDecoder().decode(data);
      return { wallet, verifier, commitment, expires_at: expiresAt, is_void: revoked };
    },
  },
] as const;

const entryOf = (data: Buffer, owner = program) =>
  accountEntry(program, { address, owner, lamports: 2n ** 60n, data }, 7n);
/** Returns an account of random bytes. A time of the chain is below 2 ** 63. */
function randomAccount({ kind, header, offsets }: (typeof KINDS)[number], zeros = 0): Buffer {
  const data = randomBytes(offsets.size);
  data.set(header);
  // An address begins with a 1 for each leading zero byte.
  data.fill(0, offsets.wallet, offsets.wallet + zeros);
  for (const time of ['issuedAt', 'expiresAt'] as const) data[offsets[time] + 7]! &= 127;
  if (kind === 'credential') data[CREDENTIAL_OFFSETS.revoked]! &= 3;
  return data;
}

it.each(KINDS)('reads the columns of a $kind as its codec decodes them', (each) => {
  for (let count = 0; count < 100; count += 1) {
    const data = randomAccount(each, count % 33);
    const expected = each.expected(data);
    const entry = entryOf(Buffer.concat([data, randomBytes(count % 3)]))!;
    expect(entry).toMatchObject({
      ...expected,
      ...{ address, kind: each.kind, lamports: 2n ** 60n, slot: 7n, mint: null, fees: null },
      commitment: Buffer.from(expected.commitment),
    });
    expect(Buffer.compare(entry.data, Buffer.concat([data, entry.data.slice(data.length)]))).toBe(0);
  }
});

it.each(KINDS)('has no row for a $kind that is truncated, or of another owner, type or version', (each) => {
  const data = randomAccount(each);
  expect(entryOf(data)).not.toBeNull();
  expect(entryOf(data.subarray(0, -1))).toBeNull();
  expect(entryOf(data.subarray(0, 1))).toBeNull();
  expect(entryOf(Buffer.alloc(0))).toBeNull();
  expect(entryOf(data, randomAddress())).toBeNull();
  expect(entryOf(data.fill(3, 1, 2))).toBeNull();
  expect(entryOf(Buffer.concat([Buffer.from([99, 1]), data.subarray(2)]))).toBeNull();
});

it.each(KINDS)('keeps the latest time of the database for a $kind that expires later', (each) => {
  const data = randomAccount(each);
  data.fill(255, each.offsets.expiresAt, each.offsets.expiresAt + 8);
  expect(entryOf(data)).toMatchObject({ expires_at: 2n ** 63n - 1n });
});
