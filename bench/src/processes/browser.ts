/** Proves in pages of Chromium, on the origin of the stack. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { artifactFiles } from '../../peers/artifacts.mjs';
import { answer } from './answer.mjs';

const person = JSON.parse(process.env.BENCH_PERSON ?? '');
const PAGES = join(import.meta.dirname, '../pages');
const SDK = join(import.meta.dirname, '../../../packages/sdk/dist');

const files = new Map<string, Uint8Array>();
await bundle({ ours: join(PAGES, 'ours.mjs'), 'prover-worker': join(SDK, 'platform/prover-worker.js') });
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
  ours: async () => ({ value: await measured('ours') }),
  peer: async () => ({ value: await measured('peer') }),
  /** The longest time for which the thread of a new page is busy at its first proof. */
  async longestTask() {
    const page = await open('ours');
    try {
      return { value: await page.evaluate((given) => (globalThis as never as Api).first(given), person) };
    } finally {
      await page.context().close();
    }
  },
});

/** The functions of a page. */
interface Api {
  first(given: unknown): Promise<number>;
  measure(): Promise<number>;
}

const measured = (side: 'ours' | 'peer') =>
  pages![side].evaluate(() => (globalThis as never as Api).measure());

async function open(name: string): Promise<Page> {
  // A page served by this route has no address, so Chromium asks whether it may reach loopback.
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  const page = await context.newPage();
  const { baseUrl } = person.deployment;
  await context.route(`${baseUrl}/bench/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice('/bench/'.length);
    const html = `<!doctype html><title>bench</title><script type="module" src="${name}.js"></script>`;
    const body = file === 'index.html' ? html : files.get(file);
    if (body === undefined) return route.fulfill({ status: 404 });
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
