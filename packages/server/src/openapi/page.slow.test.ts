/** The page at /api/docs in Debian's Chromium, or in the browser that CHROMIUM names, under its policy. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

describe.skipIf(!existsSync(executablePath))('the page of the API in a browser', () => {
  const world = testWorld({ program: false });
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    ({ url } = await world.created.listen({ port: 0 }));
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  it.each(['light', 'dark'] as const)('shows endpoints and schemas in a %s theme', async (colorScheme) => {
    const page = await browser.newPage({ colorScheme });
    // Long enough for a machine that is busy with other work.
    page.setDefaultTimeout(120_000);
    const problems: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    page.on('pageerror', (error) => void problems.push(error.message));
    const requests: string[] = [];
    page.on('request', (request) => void requests.push(new URL(request.url()).pathname));
    await page.goto(`${url}/api/docs`);
    await page
      .getByRole('button', { name: /GET\s+\/api\/config/ })
      .first()
      .click();
    await page.getByText('The configuration that a client reads first.').waitFor();
    await page.getByText('Request a challenge').waitFor();
    expect(await page.locator('html.dark-mode').count()).toBe(colorScheme === 'dark' ? 1 : 0);
    expect(await page.getByText('Authorize').count()).toBe(0);
    expect(problems).toEqual([]);
    expect(requests.sort()).toEqual(['/api/docs', '/api/docs.css', '/api/docs.js']);
    await page.close();
  });
});
