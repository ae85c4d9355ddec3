/** `npm start` with its demo, on free ports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleCommands } from '../../e2e/support/bundle-commands.ts';
import { startChild } from '../../e2e/support/child-process.ts';

const OPTIONS = '--site-port 0 --rpc-port 0 --verifier-port 0 --slot-ms 100 --finality-slots 4';

/** A running demo. */
export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Starts the stack, which builds the demo, in a process of its own. */
export async function startDemo() {
  const cwd = mkdtempSync(join(tmpdir(), 'demo-'));
  const env = { HOME: process.env.HOME ?? cwd };
  const { bundles, remove } = await bundleCommands('packages/development/src/start.ts');
  const stack = startChild(bundles[0], { args: OPTIONS.split(' '), env, cwd });
  await stack.printed('ready:');
  // Node has read it.
  remove();
  return {
    url: /ready: (\S+)/.exec(stack.stdout())?.[1] ?? '',
    /** Moves the time of the chain an hour forward. */
    async skipHour() {
      stack.kill('SIGALRM');
      await stack.printed('an hour later');
    },
    async close() {
      stack.kill('SIGINT');
      await stack.ended;
      rmSync(cwd, { recursive: true });
    },
  };
}
