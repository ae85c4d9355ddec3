/** Runs a bundle in Chromium, on the origin of the real service, with a strict content security policy. */

import type { Stack } from '@service/development';
import { passHostedPage } from '@service/test-support';
import { type Browser, chromium } from 'playwright-core';
import type { Bundle } from './bundles.ts';
import type { Outcome } from './consumer/journey.ts';

const PAGE = '<!doctype html><title>dApp</title><script type="module" src="page.js"></script>';
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', html: 'text/html; charset=utf-8' };

/** Starts Debian's Chromium, or the executable that CHROMIUM names. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // CI runs as root, and Chromium has no sandbox for root.
    args: ['--no-sandbox'],
  });
}

/** Runs the journey of a bundle in a page. Throws if it fails, or if the page logs an error or a warning. */
export async function journeyInPage(
  browser: Browser,
  { bundle, path, deployment }: { bundle: Bundle; path: string; deployment: Stack['deployment'] },
): Promise<Outcome> {
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
    await page.exposeFunction('visit', (url: string) =>
      passHostedPage(url, { region: 'CH', status: 'accredited', birthDate: '1985-02-28' }),
    );
    await page.addInitScript((value) => Object.assign(globalThis, { deployment: value }), deployment);
    await page.goto(`${deployment.baseUrl}${path}`);
    await page
      .waitForFunction(() => 'outcome' in globalThis, undefined, { timeout: 90_000 })
      .catch(() => {
        throw new Error(`the page did not start: ${logged.join('; ')}`);
      });
    const outcome = await page.evaluate(() => globalThis.outcome);
    if (logged.length > 0) throw new Error(`the page logs: ${logged.join('; ')}`);
    return outcome;
  } finally {
    await context.close();
  }
}
