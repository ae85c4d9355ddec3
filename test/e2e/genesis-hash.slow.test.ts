/** Two development stacks have different genesis hashes, so the SDK can tell them apart. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack, StackOptions } from '@service/development';
import { ServiceClient } from '@service/sdk';
import { createBindableMint } from '@service/sdk/chain';
import { newTestPlace, type TestPlace } from '@service/server/test-database';
import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { afterAll, expect, test, vi } from 'vitest';
import { startQuickStack } from '../support/quick-stack.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const folder = mkdtempSync(join(tmpdir(), 'genesis-hash-'));
const running: Stack[] = [];
let place: TestPlace | undefined;

async function start(changes: Partial<StackOptions> = {}): Promise<Stack> {
  const stack = await startQuickStack(changes);
  running.push(stack);
  return stack;
}

afterAll(async () => {
  await Promise.all(running.map((stack) => stack.close()));
  await place?.drop();
  rmSync(folder, { recursive: true });
});

test('a client of one stack rejects the RPC of another, and a folder keeps the genesis hash of its chain', async () => {
  place = await newTestPlace();
  const dataDirectory = join(folder, 'kept');
  const [first, { deployment }] = await Promise.all([
    start({ dataDirectory }),
    start({ database: place.options }),
  ]);
  const { deployment: other } = first;
  expect(other.genesisHash).not.toBe(deployment.genesisHash);
  const wallet = await generateKeyPairSigner();
  const client = new ServiceClient({ deployment, rpc: createSolanaRpc(other.rpcUrl) });
  const refusal = {
    code: 'GENESIS_HASH_MISMATCH',
    context: { source: 'rpc', expected: deployment.genesisHash, received: other.genesisHash },
  };
  await expect(client.authenticate(wallet, deployment.genesisHash)).rejects.toMatchObject(refusal);
  const atOther = { deployment: { ...deployment, rpcUrl: other.rpcUrl }, decimals: 2 };
  await expect(createBindableMint(wallet, atOther)).rejects.toMatchObject(refusal);
  // A person who wants the other cluster does not sign in here.
  const signIn = new ServiceClient({ deployment }).authenticate(wallet, other.genesisHash);
  await expect(signIn).rejects.toMatchObject({ code: 'GENESIS_HASH_MISMATCH' });

  await first.close();
  const again = await start({ dataDirectory });
  expect(again.deployment.genesisHash).toBe(other.genesisHash);
});
