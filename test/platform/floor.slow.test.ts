/** The SDK works on the oldest platforms that it names: nothing that came after them is needed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from '@service/development';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startQuickStack } from '../support/quick-stack.ts';
import { FLOOR, newerThanFloor } from './floor.ts';
import { journeyWithout } from './journey-without.ts';
import { isNeededByNode } from './needed-by-node.ts';

const SDK = join(import.meta.dirname, '../../packages/sdk');
const read = (file: string) => readFileSync(join(SDK, file), 'utf8');

let stack: Stack;
beforeAll(async () => {
  stack = await startQuickStack();
});
afterAll(() => stack?.close());

const NEWER = newerThanFloor();

describe('the oldest platform', () => {
  it('lacks what the data of MDN says', () => {
    for (const name of ['URL.canParse', 'AbortSignal.any', 'Promise.withResolvers', 'Array.prototype.with']) {
      expect(NEWER).toContain(name);
    }
    for (const name of ['structuredClone', 'AbortSignal.timeout', 'Array.prototype.at', 'Worker', 'BigInt']) {
      expect(NEWER).not.toContain(name);
    }
  });

  it('runs the whole journey, also in the worker of the prover', async () => {
    const removed = NEWER.filter((name) => !isNeededByNode(name));
    expect(await journeyWithout(removed, stack.deployment)).toMatchObject({
      pass: expect.any(String),
      proofs: 1,
    });
  });

  it('is the target of the build, and is in the README', () => {
    const targets = Object.entries(FLOOR).map(([browser, version]) => `'${browser}${version}'`);
    expect(read('tsup.config.ts').includes(`target: [${targets.join(', ')}]`)).toBe(true);
    const { chrome, firefox, safari } = FLOOR;
    expect(
      read('README.md').includes(`Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari}`),
    ).toBe(true);
    const remedy = `Use Chrome or Edge ${chrome}, Firefox ${firefox}, Safari ${safari}, Node 20.19, Bun 1.4, Deno 2.9, or later.`;
    expect(read('src/platform/require-globals.ts')).toContain(remedy);
  });
});
