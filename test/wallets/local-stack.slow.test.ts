/** Guards on the local chain of `npm start`, whose data folder is from before the chain had a stand-in for Lighthouse. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from '@service/development';
import { Localnet } from '@service/localnet';
import { disposeProver } from '@service/sdk';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startQuickStack } from '../support/quick-stack.ts';
import { type Mode, play, visit } from './play.ts';
import { type Stage, setStage } from './stage.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const folder = mkdtempSync(join(tmpdir(), 'local-stack-'));
let stack: Stack;
let stage: Stage;

beforeAll(async () => {
  await Localnet.start({ slotMs: 'manual', journal: join(folder, 'chain') }).stop();
  stack = await startQuickStack({
    dataDirectory: folder,
  });
  stage = await setStage({ deployment: stack.deployment, people: 2, spares: 0 });
});
afterAll(async () => {
  await disposeProver();
  await stack?.close();
  rmSync(folder, { recursive: true });
});

/** Transfers tokens of one person with a simulated Phantom. */
async function transfer(person: Stage['people'][number], mode: Mode) {
  return play(stage, await visit(stage, person, { wallet: 'phantom-2026-08', mode }), 'TRANSFER');
}

test('a transfer with guards is refused by default', async () => {
  const seen = await transfer(stage.people[0]!, 'defaults');
  expect(seen).toMatchObject({ outcome: 'WALLET_CHANGED_TRANSACTION', signed: 1, landed: 0 });
  expect(seen.changes.filter((kind) => kind === 'GUARD')).not.toEqual([]);
});

test('a transfer with guards is finalized with `guards: true` and a cap', async () => {
  const seen = await transfer(stage.people[1]!, 'allowed');
  expect(seen).toMatchObject({ outcome: 'FINALIZED', landed: 1, failed: 0, guards: 4 });
  expect(seen.priority).toBeGreaterThan(0n);
});
