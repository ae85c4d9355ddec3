/** Checks the built docs site, also in Debian's Chromium, or in the one that CHROMIUM names. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, parse } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { siteIsCurrent } from '../../docs/.vitepress/current.ts';
import { root, site, sources } from '../../docs/.vitepress/sources.ts';
import { exportedNames } from '../support/exported-names.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ORIGIN = 'http://docs.test';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The pages of prose, and one page of each kind of the reference. */
const pages = [
  ...[...sources().values()].map((page) => page.replace(/\.md$/, '.html')),
  'reference/index.html',
  'reference/sdk/index.html',
  'reference/sdk/classes/ServiceClient.html',
  'reference/sdk/functions/verifyReceipt.html',
  'reference/sdk/interfaces/WaitOptions.html',
  'reference/sdk/type-aliases/ProofCheck.html',
  'reference/sdk/variables/REGION_GROUPS.html',
];

/** Builds the site unless `npm run docs` has just built it. */
beforeAll(() => {
  if (!siteIsCurrent()) execFileSync('npm', ['run', '-s', 'docs'], { stdio: 'ignore' });
});

describe('the reference', () => {
  const entries: Readonly<Record<string, string>> = {
    'packages/sdk': 'reference/sdk',
    'packages/testing': 'reference/testing',
  };

  it.each(Object.entries(entries))(
    'has a page for each export of each entry of %s',
    async (folder, reference) => {
      const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const names = Object.keys(exports).filter((entry) => entry !== './package.json');
      expect(names).not.toEqual([]);
      for (const entry of names) {
        const exported = exportedNames(join(root, folder, 'src', entry, 'index.ts'));
        expect(exported).not.toEqual([]);
        const pages = join(site, reference, entry);
        const shown = readdirSync(pages, { recursive: true, encoding: 'utf8' }).map(
          (name) => parse(name).name,
        );
        const index = readFileSync(join(pages, 'index.html'), 'utf8');
        // An export of two entries has its page in one of them, and a link in the other.
        const missing = exported.filter((name) => !shown.includes(name) && !index.includes(`>${name}</a>`));
        expect(missing, entry).toEqual([]);
      }
    },
  );
});

it('llms.txt lists every page of prose, and each has its Markdown', () => {
  const listed = [...readFileSync(join(site, 'llms.txt'), 'utf8').matchAll(/^- \[.+?\]\(\/(.+?)\)/gm)].map(
    ([, path]) => path!,
  );
  expect(listed).toEqual(
    expect.arrayContaining([...sources().values()].filter((page) => page !== 'index.md')),
  );
  expect(listed.filter((path) => !existsSync(join(site, path)))).toEqual([]);
  const full = readFileSync(join(site, 'llms-full.txt'), 'utf8');
  for (const path of listed.filter((each) => !each.startsWith('reference/')))
    expect(full).toContain(`<!-- ${path} -->`);
});

describe.skipIf(!existsSync(executablePath))('in a browser', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the pages log, and the requests that leave the site. */
  const complaints: string[] = [];

  beforeAll(async () => {
    // CI runs as root, and Chromium has no sandbox for root.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'light' });
    await context.route('**/*', (route) => {
      const { origin, pathname } = new URL(route.request().url());
      if (origin !== ORIGIN) {
        complaints.push(`request of ${route.request().url()}`);
        return route.abort();
      }
      const file = join(site, decodeURIComponent(pathname), pathname.endsWith('/') ? 'index.html' : '');
      if (!existsSync(file) || !statSync(file).isFile()) return route.fulfill({ status: 404 });
      const contentType = TYPES[extname(file)] ?? 'application/octet-stream';
      return route.fulfill({ body: readFileSync(file), contentType });
    });
    page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error}`));
    await page.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Opens a page and waits until its scripts have run. */
  async function open(path: string): Promise<void> {
    await page.goto(`${ORIGIN}/${path}`, { waitUntil: 'load' });
    // Otherwise axe reads colours on their way from one theme to the other.
    await page.addStyleTag({ content: '* { transition: none !important; }' });
    await page.waitForFunction(() => '__vue_app__' in document.querySelector('#app')!);
  }

  /** Returns the serious findings of axe, a line for each. */
  async function findings(options: RunOptions): Promise<string[]> {
    const results: AxeResults = await page.evaluate(
      (given) => window.axe.run(document, { resultTypes: ['violations'], ...given }),
      options,
    );
    return results.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
  }

  it.each(pages)('%s fits a narrow page, and is accessible', async (path) => {
    await open(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    // The rule for contrast takes most of the time of axe.
    expect(await findings({ rules: { 'color-contrast': { enabled: false } } })).toEqual([]);
  });

  // Between them, these pages have everything that has a colour.
  it.each([
    'index.html',
    'concepts.html',
    'quickstart.html',
    'errors.html',
    'reference/sdk/functions/verifyReceipt.html',
  ])('%s has enough contrast in both themes', async (path) => {
    await open(path);
    for (const isDark of [false, true]) {
      await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), isDark);
      expect(await findings({ runOnly: ['color-contrast', 'link-in-text-block'] }), `${isDark}`).toEqual([]);
    }
  });

  describe('a search', () => {
    // In one page, because each page reads the whole index.
    beforeAll(() => open('index.html'));
    afterEach(() => page.keyboard.press('Escape'));

    it.each([
      ['powers of tau', 'ceremony.html'],
      ['reads of the service do not show it yet', 'sdk.html'],
      ['verifyReceipt', 'reference/sdk/functions/verifyReceipt.html'],
      ['SIGNED_OPERATION_PENDING', 'errors.html'],
      ['KYC', 'for-issuers.html'],
      ['GDPR', 'security-model.html'],
      ['cost', 'for-issuers.html'],
      ['custody', 'for-issuers.html'],
      ['legal advice', 'for-issuers.html'],
      ['key is lost', 'for-issuers.html'],
    ])('for "%s" finds %s', async (words, path) => {
      await page.locator('#local-search button').click();
      await page.locator('#localsearch-input').fill(words);
      const found = page.locator('#localsearch-list a');
      await found.first().waitFor();
      await expect
        .poll(() =>
          found.evaluateAll((links) =>
            links.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
          ),
        )
        .toContain(`/${path}`);
    });
  });

  it('draws every diagram', async () => {
    await open('operations.html');
    expect(await page.locator('figure.diagram svg[role=img] text').count()).toBeGreaterThan(20);
    const left = readdirSync(site, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html'))
      .filter((name) => readFileSync(join(site, name), 'utf8').includes('language-mermaid'));
    expect(left).toEqual([]);
  });

  it('loads nothing from other hosts, and logs nothing', () => expect(complaints).toEqual([]));
});

declare global {
  interface Window {
    readonly axe: typeof import('axe-core');
  }
}
