/** Runs a bundle in Chromium, on the origin of the real service, with a strict content security policy. */

import type { Stack } from '@service/development';
import { passHostedPage } from '@service/test-support';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Bundle } from './bundles.ts';
import type { Outcome } from './consumer/journey.ts';

const PAGE =
  '<!doctype html><title>dApp</title><div id="app"></div><script type="module" src="page.js"></script>';
/** What the person enters at the sandbox verifier. */
export const PERSON = { region: 'CH', status: 'accredited', birthDate: '1985-02-28' };
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', html: 'text/html; charset=utf-8' };

/** Starts Debian's Chromium, or the executable that CHROMIUM names. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // CI runs as root, and Chromium has no sandbox for root.
    args: ['--no-sandbox'],
  });
}

/** A bundle, and where the page with it is. */
export interface Hosted {
  readonly bundle: Bundle;
  /** With a slash at its end. */
  readonly path: string;
  readonly deployment: Stack['deployment'];
}

/** Runs the journey of a bundle in a page. */
export const journeyInPage = (browser: Browser, hosted: Hosted): Promise<Outcome> =>
  inPage(browser, hosted, async (page) => {
    const { deployment, path } = hosted;
    await page.exposeFunction('visit', (url: string) => passHostedPage(url, PERSON));
    await page.addInitScript((value) => Object.assign(globalThis, { deployment: value }), deployment);
    await page.goto(`${deployment.baseUrl}${path}`);
    await page.waitForFunction(() => 'outcome' in globalThis, undefined, { timeout: 90_000 });
    return page.evaluate(() => globalThis.outcome);
  });

/** Opens a page with a bundle, and uses it. Throws if that fails, or if the page logs an error or a warning. */
export async function inPage<T>(
  browser: Browser,
  { bundle, path, deployment }: Hosted,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  // A page served by this route has no address, so Chromium asks whether it may reach loopback.
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  try {
    const page = await context.newPage();
    const logged: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) logged.push(message.text());
    });
    page.on('pageerror', (error) => logged.push(String(error)));
    const rpc = new URL(deployment.rpcUrl).origin;
    const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ${rpc}`;
    // This route serves only the page's own files. All other requests reach the real service.
    await context.route(`${deployment.baseUrl}${path}**`, (route) => {
      const name = new URL(route.request().url()).pathname.slice(path.length) || 'index.html';
      const body = name === 'index.html' ? PAGE : bundle.get(name);
      if (!body) return route.fulfill({ status: 404 });
      const contentType = TYPES[name.split('.').at(-1)!] ?? 'application/octet-stream';
      return route.fulfill({ body, contentType, headers: { 'content-security-policy': policy } });
    });
    const outcome = await use(page).catch((error: unknown) => {
      throw new Error(`the page ${path} failed: ${error}; it logs: ${logged.join('; ')}`, { cause: error });
    });
    if (logged.length > 0) throw new Error(`the page logs: ${logged.join('; ')}`);
    return outcome;
  } finally {
    await context.close();
  }
}
