/** `npm start` with its demo, on free ports, and a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startChild } from '../../e2e/support/child-process.ts';

/** Debian's Chromium, or the executable that CHROMIUM names. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const OPTIONS = '--site-port 0 --rpc-port 0 --verifier-port 0 --slot-ms 100 --finality-slots 4';

/** A running demo. */
export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Starts the stack, which builds the demo, in a process of its own, and a browser. */
export async function startDemo() {
  const cwd = mkdtempSync(join(tmpdir(), 'demo-'));
  const env = { HOME: process.env.HOME ?? cwd };
  const stack = startChild('packages/development/src/start.ts', { args: OPTIONS.split(' '), env, cwd });
  await stack.printed('ready:');
  const url = /ready: (\S+)/.exec(stack.stdout())?.[1] ?? '';
  // CI runs as root, and Chromium has no sandbox for root.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  return {
    browser,
    url,
    /** What the stack printed. */
    printed: () => stack.stdout() + stack.stderr(),
    async close() {
      await browser.close();
      stack.kill('SIGINT');
      await stack.ended;
      rmSync(cwd, { recursive: true });
    },
  };
}
