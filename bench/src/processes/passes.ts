/**
 * An RPC with 100,000 passes. It answers only what the indexer asks. The local chain would need a proof for each pass, so
 * this stands in for it.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { developmentKeys } from '@service/localnet';
import { getPassEncoder } from '@service/protocol/generated';
import { type Address, getAddressDecoder } from '@solana/kit';
import { answer } from './answer.mjs';

const COUNT = 100_000;

const { address: program } = (await developmentKeys()).program;
const randomAddress = () => getAddressDecoder().decode(randomBytes(32));
const shared = { rule: randomAddress(), circuit: randomAddress(), verifier: randomAddress() };
const dates = { issuedAt: 1_800_000_000n, expiresAt: 1_900_000_000n };
const passes = Array.from({ length: COUNT }, () => {
  const pass = { ...shared, ...dates, wallet: randomAddress(), commitment: randomBytes(32) };
  const data = getPassEncoder().encode({
    ...pass,
    version: 1,
    bump: 255,
    reserved: new Uint8Array(24),
  } as never);
  return { pubkey: randomAddress(), data: Buffer.from(data) };
});
let slot = 1_000;

const account = (data: Buffer, owner: string) => ({
  data: [data.toString('base64'), 'base64'],
  executable: false,
  lamports: 2_000_000,
  owner,
  rentEpoch: 0,
  space: data.length,
});

function clock() {
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(BigInt(slot), 0);
  data.writeBigInt64LE(BigInt(Math.floor(Date.now() / 1000)), 32);
  return account(data, 'Sysvar1111111111111111111111111111111111111');
}

interface Filter {
  readonly memcmp: { readonly offset: number | bigint; readonly bytes: string };
}

const METHODS: Readonly<Record<string, (parameters: never) => unknown>> = {
  getGenesisHash: () => program,
  getFirstAvailableBlock: () => 0,
  getSignaturesForAddress: () => [],
  getMultipleAccounts: ([addresses]: [Address[]]) => ({
    context: { slot },
    value: addresses.map((each) => (each.startsWith('SysvarC1ock') ? clock() : null)),
  }),
  getProgramAccounts: ([, { filters = [] }]: [Address, { filters?: Filter[] }]) => ({
    context: { slot },
    value: passes
      .filter(({ data }) =>
        filters.every(({ memcmp: { offset, bytes } }) => {
          const wanted = Buffer.from(bytes, 'base64');
          return data.subarray(Number(offset), Number(offset) + wanted.length).equals(wanted);
        }),
      )
      .map(({ pubkey, data }) => ({ pubkey, account: account(data, program) })),
  }),
};

const server = createServer(async (request, response) => {
  const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  slot += 1;
  const result = METHODS[method]?.(params as never);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

answer({ start: () => ({ url: `http://127.0.0.1:${port}`, genesisHash: program, count: COUNT }) });
