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
  const bytes = Buffer.from(data);
  return { data: bytes, entry: { pubkey: randomAddress(), account: account(bytes, program) } };
});
let slot = 1_000;

function account(data: Buffer, owner: string) {
  return {
    data: [data.toString('base64'), 'base64'],
    executable: false,
    lamports: 2_000_000,
    owner,
    rentEpoch: 0,
    space: data.length,
  };
}

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
  getProgramAccounts([, { filters = [] }]: [Address, { filters?: Filter[] }]) {
    const wanted = filters.map(
      ({ memcmp: { offset, bytes } }) => [Number(offset), Buffer.from(bytes, 'base64')] as const,
    );
    const value = passes.filter(({ data }) =>
      wanted.every(
        ([offset, bytes]) => data.compare(bytes, 0, bytes.length, offset, offset + bytes.length) === 0,
      ),
    );
    return { context: { slot }, value: value.map(({ entry }) => entry) };
  },
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
