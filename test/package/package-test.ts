/**
 * `npm run package:test`: packs the SDK and the testing package, installs the tarballs in an empty folder, and compiles
 * a consumer against them. Then runs the consumer from a new key to a pass against the real service: on Node 20, 22 and
 * 24, and in Chromium as bundled by esbuild, Vite and webpack. Needs the npm registry and Chromium.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@service/development';
import pino from 'pino';
import { journeyInPage, startChromium } from './browser.ts';
import { BUNDLERS, type Bundle, readBundle } from './bundles.ts';
import type { Outcome } from './consumer/journey.ts';
import { compile, install, installNodes, lint, nodeOf, pack, run } from './install.ts';

const NODE_VERSIONS = ['20.20.2', '22.23.3', '24.9.0'];

const started = performance.now();
async function step<T>(what: string, act: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await act();
  const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1).padStart(6);
  console.log(`${seconds(started)} s  ${what} (${seconds(begun).trim()} s)`);
  return result;
}

/** Throws unless a journey was completed. */
function check(outcome: Outcome): void {
  const { refused, ...addresses } = outcome;
  const texts = new Set(Object.values(addresses));
  const isComplete = refused && texts.size === 3 && [...texts].every((text) => /^[\w]{32,44}$/.test(text));
  if (!isComplete) throw new Error(`the journey ended with ${JSON.stringify(outcome)}`);
}

const folder = await mkdtemp(join(tmpdir(), 'package-test-'));
const closers: (() => Promise<void>)[] = [];
try {
  const consumer = join(folder, 'consumer');
  const nodes = join(folder, 'nodes');
  const [tarballs] = await Promise.all([
    step('packed', () => pack(folder)),
    step('installed Node 20, 22 and 24', () => installNodes(nodes, NODE_VERSIONS)),
  ]);
  await Promise.all([
    step('publint and are-the-types-wrong', () => Promise.all(tarballs.map(lint))),
    step('installed in an empty folder', () => install(consumer, tarballs)),
  ]);
  const starting = step('started Chromium', startChromium);
  closers.push(async () => (await starting).close());
  starting.catch(() => undefined);
  await step('compiled, strict, with moduleResolution bundler and nodenext', () => compile(consumer));
  // Before the service starts in this process, because bundlers would block it.
  const bundles: { name: string; path: string; bundle: Bundle }[] = [];
  for (const [name, bundle] of Object.entries(BUNDLERS)) {
    const path = `/${name}/`;
    const outdir = join(folder, name);
    await step(`bundled by ${name}`, () => bundle(consumer, outdir, path));
    bundles.push({ name, path, bundle: await readBundle(outdir) });
  }
  const stack = await step('started the service', () =>
    startStack({
      ports: { site: 0, rpc: 0, verifier: 0 },
      // A blockhash is valid for 150 slots: long enough for six journeys at once on a slow machine.
      slotMs: 100,
      finalitySlots: 8,
      pollIntervalMs: 40,
      log: pino({ level: 'error' }),
    }),
  );
  closers.push(() => stack.close());
  const { deployment } = stack;
  const browser = await starting;
  // In parallel, because they wait for slots most of the time.
  const inNode = NODE_VERSIONS.map((version) =>
    step(`Node ${version}: from a new key to a pass, and a unit test`, async () => {
      const node = join(nodes, 'node_modules', nodeOf(version), 'bin/node');
      const env = { DEPLOYMENT: JSON.stringify(deployment) };
      const { stdout } = await run(node, ['built/node.js'], consumer, env);
      check(JSON.parse(stdout) as Outcome);
      await run(node, ['built/testing.js'], consumer);
    }),
  );
  const inChromium = bundles.map(({ name, path, bundle }) =>
    step(`Chromium, ${name}: from a new key to a pass`, async () => {
      check(await journeyInPage(browser, { bundle, path, deployment }));
    }),
  );
  await Promise.all([...inNode, ...inChromium]);
} catch (error) {
  console.error(error instanceof Error ? error.message.slice(0, 8_000) : error);
  process.exitCode = 1;
} finally {
  await Promise.allSettled(closers.map((close) => close()));
  await rm(folder, { recursive: true, force: true });
}
