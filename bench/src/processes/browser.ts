/** Proves in pages of Chromium, on the origin of the stack. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { artifactFiles } from '../../peers/artifacts.mjs';
import { answer } from './answer.mjs';
import { cpuOfChildren } from './cpu-of-children.ts';

const person = JSON.parse(process.env.BENCH_PERSON ?? '');
const PAGES = join(import.meta.dirname, '../pages');
const SDK = join(import.meta.dirname, '../../../packages/sdk/dist');

const files = new Map<string, Uint8Array>();
// A page's bundler finds the workers of the SDK itself, and esbuild does not.
const workers = (await readdir(join(SDK, 'platform'))).filter((name) => name.endsWith('-worker.js'));
await bundle({
  ours: join(PAGES, 'ours.mjs'),
  ...Object.fromEntries(workers.map((name) => [basename(name, '.js'), join(SDK, 'platform', name)])),
});
await bundle({
  semaphore: join(PAGES, 'semaphore.mjs'),
  'semaphore-worker': join(PAGES, 'semaphore-worker.mjs'),
});
for (const [kind, path] of Object.entries(artifactFiles()))
  files.set(`semaphore.${kind}`, await readFile(path));

const browser: Browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  // CI runs as root, and Chromium has no sandbox for root.
  args: ['--no-sandbox'],
});
/** Files that a page requested and that do not exist. Without its worker the SDK proves in the page's thread. */
const missing: string[] = [];
let pages: Record<'ours' | 'peer', Page> | undefined;

answer({
  /** Opens both pages and makes two proofs in each. */
  async warmUp() {
    pages = { ours: await open('ours'), peer: await open('semaphore') };
    for (const page of Object.values(pages)) {
      await page.evaluate((given) => (globalThis as never as Api).first(given), person);
      await page.evaluate(() => (globalThis as never as Api).measure());
    }
  },
  ours: () => measured('ours'),
  peer: () => measured('peer'),
  /** The longest task of the thread of a new page at its first proof. */
  async longestTask() {
    const page = await open('ours');
    try {
      await whenIdle();
      await browser.startTracing(page, { categories: TRACED });
      await page.evaluate((given) => (globalThis as never as Api).first(given), person);
      const trace = await browser.stopTracing();
      rejectMissing();
      return longestTaskOf(JSON.parse(trace.toString()));
    } finally {
      await page.context().close();
    }
  },
});

/** The functions of a page. */
interface Api {
  first(given: unknown): Promise<void>;
  measure(): Promise<number>;
}

/** Measures a proof: milliseconds of wall clock, and of CPU time of all processes of Chromium. */
async function measured(side: 'ours' | 'peer') {
  const before = cpuOfChildren();
  const value = await pages![side].evaluate(() => (globalThis as never as Api).measure());
  rejectMissing();
  return { value, cpu: cpuOfChildren() - before };
}

/** Tasks, and the marks that a page makes when its first proof starts and ends. */
const TRACED = ['toplevel', 'blink.user_timing'];

/** An event of Chromium's trace. Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of its thread. */
  readonly tdur?: number;
}

/** Returns the longest task between the marks of a page, in its thread. */
function longestTaskOf({ traceEvents }: { traceEvents: readonly TraceEvent[] }) {
  const start = traceEvents.find(({ name }) => name === 'first-proof-start');
  const end = traceEvents.find(({ name }) => name === 'first-proof-end');
  if (!start || !end) throw new Error('The trace has no first proof.');
  const tasks = traceEvents.flatMap(({ name, pid, tid, ts, dur, tdur }) => {
    const isTask = name.endsWith('RunTask') && pid === start.pid && tid === start.tid;
    if (!isTask || dur === undefined || ts >= end.ts || ts + dur <= start.ts) return [];
    return { value: dur / 1000, ...(tdur === undefined ? {} : { cpu: tdur / 1000 }) };
  });
  const [longest] = tasks.sort((a, b) => b.value - a.value);
  if (!longest) throw new Error('The trace has no task.');
  return longest;
}

/**
 * Waits, for about 10 seconds at most, until Chromium has loaded its own pages, such as that of a new tab. They need the same
 * cores.
 */
async function whenIdle(): Promise<void> {
  let before = cpuOfChildren();
  for (let checks = 0; checks < 100; checks++) {
    await setTimeout(100);
    const now = cpuOfChildren();
    if (now === before) return;
    before = now;
  }
}

function rejectMissing(): void {
  if (missing.length > 0) throw new Error(`The page did not find ${missing.join(', ')}.`);
}

async function open(name: string): Promise<Page> {
  // A page served by this route has no address, so Chromium asks whether it may reach loopback.
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  const page = await context.newPage();
  const { baseUrl } = person.deployment;
  await context.route(`${baseUrl}/bench/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice('/bench/'.length);
    const html = `<!doctype html><title>bench</title><script type="module" src="${name}.js"></script>`;
    const body = file === 'index.html' ? html : files.get(file);
    if (body === undefined) {
      missing.push(file);
      return route.fulfill({ status: 404 });
    }
    const contentType = file.endsWith('.js')
      ? 'text/javascript'
      : file.endsWith('.html')
        ? 'text/html'
        : 'application/octet-stream';
    return route.fulfill({ body: Buffer.from(body), contentType });
  });
  await page.goto(`${baseUrl}/bench/index.html`);
  await page.waitForFunction(() => 'measure' in globalThis);
  return page;
}

/** Bundles files as a page's bundler does, in one folder. */
async function bundle(entryPoints: Record<string, string>): Promise<void> {
  const { outputFiles } = await build({
    entryPoints,
    tsconfigRaw: {},
    outdir: dirname(fileURLToPath(import.meta.url)),
    bundle: true,
    write: false,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  for (const { path, contents } of outputFiles) files.set(path.split('/').at(-1)!, contents);
}
