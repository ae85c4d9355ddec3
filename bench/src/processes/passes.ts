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

/** Where the wallet is in a pass. */
const WALLET_OFFSET = 35;

const { address: program } = (await developmentKeys()).program;
const randomAddress = () => getAddressDecoder().decode(randomBytes(32));
const template = Buffer.from(
  getPassEncoder().encode({
    ...{
      rule: randomAddress(),
      circuit: randomAddress(),
      verifier: randomAddress(),
      wallet: randomAddress(),
    },
    ...{ issuedAt: 1_800_000_000n, expiresAt: 1_900_000_000n, commitment: randomBytes(32) },
    ...{ version: 1, bump: 255, reserved: new Uint8Array(24) },
  } as never),
);
/** JSON of the accounts, by the first byte of the wallet, as a validator with indexes of its accounts has them at hand. */
const slices = Array.from({ length: 256 }, () => [] as string[]);
for (let made = 0; made < COUNT; made += 1) {
  const data = Buffer.from(template);
  randomBytes(32).copy(data, WALLET_OFFSET);
  slices[data[WALLET_OFFSET]!]!.push(
    JSON.stringify({ pubkey: randomAddress(), account: account(data, program) }),
  );
}
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

/** Returns the JSON of the passes that filters by type and by the first byte of the wallet let through. */
function passes(filters: readonly Filter[]): string[] {
  let found = slices;
  for (const { memcmp } of filters) {
    const [offset, value] = [Number(memcmp.offset), Buffer.from(memcmp.bytes, 'base64')];
    if (offset === WALLET_OFFSET) {
      if (value.length !== 1) throw new Error('This RPC compares only the first byte of a wallet.');
      found = found.filter((_, byte) => byte === value[0]);
    } else if (!template.subarray(offset, offset + value.length).equals(value)) found = [];
  }
  return found.flat();
}

/** What the other methods return. */
const METHODS: Readonly<Record<string, (parameters: never) => unknown>> = {
  getGenesisHash: () => program,
  getFirstAvailableBlock: () => 0,
  getSignaturesForAddress: () => [],
  getMultipleAccounts: ([addresses]: [Address[]]) => ({
    context: { slot },
    value: addresses.map((each) => (each.startsWith('SysvarC1ock') ? clock() : null)),
  }),
};

function resultOf(method: string, parameters: unknown): string {
  if (method !== 'getProgramAccounts')
    return JSON.stringify(METHODS[method]?.(parameters as never)) ?? 'null';
  const [, { filters = [] }] = parameters as [Address, { filters?: Filter[] }];
  return `{"context":{"slot":${slot}},"value":[${passes(filters).join(',')}]}`;
}

const server = createServer(async (request, response) => {
  const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  slot += 1;
  response.setHeader('content-type', 'application/json');
  response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultOf(method, params)}}`);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

answer({ start: () => ({ url: `http://127.0.0.1:${port}`, genesisHash: program, count: COUNT }) });
