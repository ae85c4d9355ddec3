/**
 * `npm run package:test`: packs the published packages, installs the tarballs in empty folders, one for each set of versions
 * of the peers, and compiles a consumer against them. Then runs the consumer from a new key to a pass against the real
 * service: on Node 20, 22 and 24, Bun and Deno, and in Chromium as bundled by esbuild, Vite and webpack. Also builds a page
 * with Next.js and one with Vue, and has their servers render it. A person uses the page of packages/sdk/docs/vue.md in
 * Chromium, and the app that npm create makes. An app of React Native is bundled by Metro, compiled by hermesc, and run. The
 * command line, the server and the verifier, each installed alone, take three people from a deployment to a transfer. The
 * last released SDK, as a registry has it, makes the journey against this commit's service. The tarballs are released as a
 * trial. Needs the npm registry and Chromium. `-- --packages FOLDER` takes the tarballs of a folder, which pack.ts makes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startStack } from '@service/development';
import pino from 'pino';
import { startRegistry } from '../release/registry.ts';
import { createApp, useApp } from './app.ts';
import { journeyInPage, startChromium } from './browser.ts';
import { BUNDLERS, type Bundle, readBundle } from './bundles.ts';
import type { Outcome } from './consumer/journey.ts';
import { DEVELOPED, OTHERS } from './consumers.ts';
import { buildExample } from './example.ts';
import { checkHtml, frameworks } from './frameworks.ts';
import {
  compile,
  copyCode,
  install,
  installRuntimes,
  lint,
  PROGRAMS,
  pack,
  packedIn,
  run,
} from './install.ts';
import { checkPage, type Installed, installAlone, TOOLS, walkInstalled } from './installed.ts';
import { installLastRelease, LAST_RELEASE, tryRelease } from './last-release.ts';
import { buildApp, runApp } from './react-native.ts';
import { holderInVue } from './vue-page.ts';

const CONSUMERS = [DEVELOPED, ...OTHERS];
const FRAMEWORKS = frameworks(DEVELOPED.dependencies);

const { values } = parseArgs({ options: { packages: { type: 'string' } } });
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
const registry = await startRegistry();
const closers: (() => Promise<void>)[] = [() => registry.close()];
try {
  const [packed, commands] = await Promise.all([
    values.packages ? packedIn(resolve(values.packages)) : step('packed', () => pack(folder)),
    step('installed Node, Bun and Deno', () => installRuntimes(join(folder, 'runtimes'))),
  ]);
  const tarballs = packed.filter(({ name }) => !PROGRAMS.has(name));
  const installed = new Map<string, Installed>();
  const folderOf = (name: string) => join(folder, name);
  const consumer = folderOf(DEVELOPED.name);
  await Promise.all([
    step('publint and are-the-types-wrong', () => Promise.all(packed.map(lint))),
    step('the release: tried without an upload', () => tryRelease(packed)),
    step(`${LAST_RELEASE}: installed from a registry, and compiled`, () =>
      installLastRelease(folderOf('last-release'), packed, registry),
    ),
    ...Object.values(TOOLS).map((tool) =>
      step(`${tool}: installed alone in an empty folder`, async () => {
        const each = await installAlone(folder, packed.find(({ name }) => name === tool)!);
        console.log(`           ${tool} has ${each.megabytes} MB in ${each.files} files`);
        installed.set(tool, each);
      }),
    ),
    step('examples/react: installed, compiled and built', () =>
      buildExample('examples/react', folderOf('react'), tarballs),
    ),
    step('npm create: created in an empty folder, installed, compiled and built', () =>
      createApp(folder, folderOf('my-app'), packed),
    ),
    ...CONSUMERS.map(({ name, dependencies }) =>
      step(`${name}: installed in an empty folder`, async () => {
        await install(folderOf(name), tarballs, dependencies);
        await copyCode('consumer', join(folderOf(name), 'src'));
      }),
    ),
    step('react-native: installed, bundled by Metro, compiled by hermesc', () =>
      buildApp(folderOf('react-native'), tarballs, DEVELOPED.dependencies['@solana/kit']!),
    ),
    ...FRAMEWORKS.map(({ name, dependencies, build }) =>
      step(`${name}: installed, compiled and built`, async () => {
        await install(folderOf(name), tarballs, dependencies);
        await copyCode(`frameworks/${name}`, folderOf(name));
        await build(folderOf(name));
      }),
    ),
  ]);
  await checkPage(installed.get(TOOLS.server)!);
  const starting = step('started Chromium', startChromium);
  closers.push(async () => (await starting).close());
  starting.catch(() => undefined);
  for (const { name } of CONSUMERS) {
    const what = `${name}: compiled, strict, with moduleResolution bundler and nodenext`;
    await step(what, () => compile(folderOf(name)));
  }
  // Before the service starts in this process, because bundlers would block it.
  const bundles: { name: string; path: string; bundle: Bundle }[] = [];
  for (const [name, bundle] of Object.entries(BUNDLERS)) {
    const path = `/${name}/`;
    const outdir = join(folder, name);
    await step(`bundled by ${name}`, () => bundle(consumer, outdir, path));
    bundles.push({ name, path, bundle: await readBundle(outdir) });
  }
  // A blockhash is valid for 150 slots: long enough for ten journeys at once on a slow machine. With a faster chain, the index
  // would need most of a core, and fall behind.
  const pace = { slotMs: 200, finalitySlots: 8, pollIntervalMs: 100, log: pino({ level: 'error' }) };
  const stack = await step('started the service', () =>
    startStack({ ports: { site: 0, rpc: 0, verifier: 0 }, ...pace }),
  );
  closers.push(() => stack.close());
  const { deployment } = stack;
  const browser = await starting;
  // Before the journeys, because a page is rendered at once or not at all: it does not wait for a busy service.
  for (const framework of FRAMEWORKS) {
    await step(`${framework.name}: rendered on a server`, async () => {
      checkHtml(await framework.render(folderOf(framework.name), deployment), framework);
    });
  }
  // In parallel, because they wait for slots most of the time.
  const onRuntimes = CONSUMERS.flatMap(({ name, runtimes }) =>
    runtimes.map((runtime) =>
      step(`${name}, ${runtime}: from a new key to a pass, and a unit test`, async () => {
        const [command, ...parameters] = commands[runtime] as [string, ...string[]];
        const env = { DEPLOYMENT: JSON.stringify(deployment) };
        const { stdout } = await run(command, [...parameters, 'built/node.js'], folderOf(name), env);
        check(JSON.parse(stdout) as Outcome);
        await run(command, [...parameters, 'built/testing.js'], folderOf(name));
      }),
    ),
  );
  const ofLastRelease = step(`${LAST_RELEASE}: from a new key to a pass`, async () => {
    const env = { DEPLOYMENT: JSON.stringify(deployment) };
    const { stdout } = await run('node', ['built/node.js'], folderOf('last-release'), env);
    check(JSON.parse(stdout) as Outcome);
  });
  const inChromium = bundles.map(({ name, path, bundle }) =>
    step(`Chromium, ${name}: from a new key to a pass`, async () => {
      check(await journeyInPage(browser, { bundle, path, deployment }));
    }),
  );
  const inVue = step('Chromium, vue: a person uses the page of the docs', () =>
    holderInVue(browser, folderOf('vue'), deployment),
  );
  const byTools = step('the installed tools: from a deployment to a transfer', () =>
    walkInstalled({
      command: installed.get(TOOLS.command)!,
      server: installed.get(TOOLS.server)!,
      verifier: installed.get(TOOLS.verifier)!,
      rpcUrl: deployment.rpcUrl,
      browser,
      onStep: (line) => console.log(`           ${line}`),
    }),
  );
  await Promise.all([...onRuntimes, ofLastRelease, ...inChromium, inVue, byTools]);
  await step('Chromium, npm create: a person uses the app against a stack of its own', () =>
    useApp(browser, folderOf('my-app'), pace),
  );
  // After the others, because its native prover needs a core.
  await step('react-native: from a new key to a pass, with a native prover', () =>
    runApp(folderOf('react-native'), deployment),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message.slice(0, 8_000) : error);
  process.exitCode = 1;
} finally {
  await Promise.allSettled(closers.map((close) => close()));
  await rm(folder, { recursive: true, force: true });
}
