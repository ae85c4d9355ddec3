import {
  type Address,
  address,
  createSolanaRpcFromTransport,
  getBase64Decoder,
  type RpcTransport,
} from '@solana/kit';
import { expect, test } from 'vitest';
import { TOKEN_2022_PROGRAM } from '../addresses.ts';
import { getPassEncoder } from '../generated/accounts/pass';
import { DEVELOPMENT_PROGRAM } from '../index.ts';
import { programAccountKind, readAccount, readAccounts } from './read.ts';

const KEY = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
const pass = new Uint8Array(
  getPassEncoder().encode({
    bump: 254,
    rule: KEY,
    wallet: KEY,
    expiresAt: 2_000n,
    issuedAt: 1_000n,
    circuit: KEY,
    verifier: KEY,
    commitment: new Uint8Array(32).fill(1),
  }),
);

/** A reader over one account that has the same bytes at every address. */
function reader(data: Uint8Array | null, owner: Address = DEVELOPMENT_PROGRAM, more: object = {}) {
  const account = data && {
    data: [getBase64Decoder().decode(data), 'base64'],
    executable: false,
    lamports: 5n,
    owner,
    rentEpoch: 0n,
    space: BigInt(data.length),
    ...more,
  };
  const transport = (async ({ payload }) => {
    const [addresses] = (payload as { params: [unknown[]] }).params;
    return {
      jsonrpc: '2.0',
      id: '1',
      result: { context: { slot: 1n }, value: addresses.map(() => account) },
    };
  }) as RpcTransport;
  const rpc = createSolanaRpcFromTransport(transport);
  return { rpc, program: DEVELOPMENT_PROGRAM, commitment: 'finalized' } as const;
}

test('an account of the program is decoded', async () => {
  const account = { address: KEY, lamports: 5n, space: BigInt(pass.length) };
  const data = { wallet: KEY, expiresAt: 2_000n };
  expect(await readAccount(reader(pass), 'pass', KEY)).toMatchObject({ ...account, data });
  expect(programAccountKind(DEVELOPMENT_PROGRAM, DEVELOPMENT_PROGRAM, pass)).toBe('pass');
});

test('the size of an account is that of its data, whatever the RPC says', async () => {
  for (const space of [undefined, 0n, 10_000n]) {
    const found = await readAccount(reader(pass, DEVELOPMENT_PROGRAM, { space }), 'pass', KEY);
    expect(found?.space).toBe(BigInt(pass.length));
  }
});

test('an account that is absent, truncated, or of another owner, type or version is null', async () => {
  for (const [what, chain] of Object.entries({
    absent: reader(null),
    owner: reader(pass, TOKEN_2022_PROGRAM),
    type: reader(pass.with(0, 5)),
    version: reader(pass.with(1, 3)),
    truncated: reader(pass.slice(0, -1)),
    empty: reader(new Uint8Array()),
  })) {
    expect(await readAccount(chain, 'pass', KEY), what).toBeNull();
  }
  expect(
    await readAccounts(reader(pass), [
      ['pass', KEY],
      ['credential', KEY],
      ['mint', KEY],
    ]),
  ).toMatchObject([{ address: KEY }, null, null]);
});
