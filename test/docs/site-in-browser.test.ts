/** Opens the docs site in Debian's Chromium, or the one that CHROMIUM names. Builds it if it is not current. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteIsCurrent } from '../../docs/.vitepress/current.ts';
import { site, sources } from '../../docs/.vitepress/sources.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ORIGIN = 'http://docs.test';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
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
  'reference/sdk/type-aliases/Operation.html',
  'reference/sdk/variables/REGION_GROUPS.html',
];

describe.skipIf(!existsSync(executablePath))('the docs site', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the pages log, and the requests that leave the site. */
  const complaints: string[] = [];

  beforeAll(async () => {
    if (!siteIsCurrent()) execFileSync('npm', ['run', '-s', 'docs'], { stdio: 'ignore' });
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
  async function findings(rules?: string[]): Promise<string[]> {
    const results: AxeResults = await page.evaluate(
      (only) => window.axe.run(document, only ? { runOnly: { type: 'rule', values: only } } : {}),
      rules,
    );
    return results.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
  }

  const setTheme = (dark: boolean) =>
    page.evaluate((isDark) => document.documentElement.classList.toggle('dark', isDark), dark);

  it.each(pages)('%s fits a narrow page, and is accessible in both themes', async (path) => {
    await open(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(await page.locator('h1').count()).toBe(1);
    expect(await findings()).toEqual([]);
    await setTheme(true);
    expect(await findings(['color-contrast', 'link-in-text-block'])).toEqual([]);
    await setTheme(false);
  });

  it.each([
    ['powers of tau', 'ceremony.html'],
    ['reads of the service do not show it yet', 'packages/sdk.html'],
    ['verifyReceipt', 'reference/sdk/functions/verifyReceipt.html'],
    ['SIGNED_OPERATION_PENDING', 'errors.html'],
  ])('a search for "%s" finds %s', async (words, path) => {
    await open('index.html');
    await page.locator('#local-search button').click();
    await page.locator('#localsearch-input').fill(words);
    const found = page.locator('#localsearch-list a');
    await found.first().waitFor();
    await expect
      .poll(() =>
        found.evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname)),
      )
      .toContain(`/${path}`);
    await page.keyboard.press('Escape');
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
