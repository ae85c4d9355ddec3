/** A process with a ledger in a file that is killed with SIGKILL after each line that it writes. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeTokenAccount, programAddresses } from '@service/protocol';
import { getMintBindingDecoder, getMintBindingEncoder } from '@service/protocol/generated';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleCommands } from '../e2e/support/bundle-commands.ts';
import { killAll, startChild } from '../e2e/support/child-process.ts';
import { accountOf, addHolders, type Holder } from './support/holders.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
const { bundles, remove: removeBundle } = await bundleCommands('test/sdk/support/issue-child.ts');
const folder = mkdtempSync(join(tmpdir(), 'issue-'));
const key = [...new Uint8Array(32).fill(7)];
let holders: Holder[];
let url: string;
let timer: ReturnType<typeof setInterval>;

beforeAll(async () => {
  const { net, program } = market.world;
  holders = await addHolders(market, 20);
  // The key of the market's issuer cannot be passed to the child.
  const issuer = await createKeyPairSignerFromPrivateKeyBytes(Uint8Array.from(key));
  net.airdrop(issuer.address, 1_000_000_000n);
  const address = await programAddresses(program).mintBinding(market.mint);
  const binding = await accountOf(market, address);
  const changed = { ...getMintBindingDecoder().decode(binding.data), issuer: issuer.address };
  const data = new Uint8Array(getMintBindingEncoder().encode(changed));
  net.addAccounts(new Map([[address, { ...binding, data }]]));
  ({ url } = await net.listen({ port: 0 }));
  timer = setInterval(() => net.advanceSlots(4), 50);
});
afterAll(async () => {
  clearInterval(timer);
  await killAll();
  removeBundle();
  rmSync(folder, { recursive: true });
});

const linesOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0);

/** Kills a child as soon as the ledger has so many lines. Returns whether it was killed. */
async function killedAt(child: ReturnType<typeof startChild>, path: string, lines: number): Promise<boolean> {
  const watch = setInterval(() => {
    if (linesOf(path) >= lines) child.kill('SIGKILL');
  }, 1);
  const end = await child.ended;
  clearInterval(watch);
  return end === 'SIGKILL';
}

test('issues every row once, however often it is killed', async () => {
  const path = join(folder, 'ledger.jsonl');
  const config = join(folder, 'config.json');
  const rows = holders.map(({ tokenAccount }) => ({ destination: tokenAccount, amount: '5' }));
  const deployment = { ...market.deployment, rpcUrl: url };
  writeFileSync(config, JSON.stringify({ key, path, deployment, mint: market.mint, rows, inFlight: 1 }));
  const start = () => startChild(bundles[0], { args: [config], cwd: folder });
  for (let lines = 1; lines <= 6; lines += 1) expect(await killedAt(start(), path, lines)).toBe(true);
  const last = start();
  expect([await last.ended, last.stderr()]).toEqual([0, '']);
  expect(last.stdout()).toContain('issued 20');
  market.world.net.finalize();
  for (const { tokenAccount } of holders) {
    const { data } = await accountOf(market, tokenAccount);
    expect(decodeTokenAccount(data)!.amount).toBe(5n);
  }
});
