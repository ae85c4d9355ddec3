/** A person at a page in Chromium, who uses only the keyboard. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Proofs and finality take seconds, and a busy machine takes several times as long. */
const WAIT_MS = 90_000;
/** More elements than any page has. */
const MOST_TABS = 400;

/** How a person sees the site. */
export interface Display {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Opens a browser of its own for a person: nobody shares its storage, its cookies and its development wallet. */
export async function openPerson(browser: Browser, { width, colorScheme }: Display): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  return new Person(context, page, width);
}

export class Person {
  readonly page: Page;
  /** Errors and warnings of the console, with violations of the content security policy. */
  readonly logged: string[] = [];
  readonly #context: BrowserContext;
  readonly #width: number;

  constructor(context: BrowserContext, page: Page, width: number) {
    this.#context = context;
    this.#width = width;
    this.page = page;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.logged.push(message.text());
    });
    page.on('pageerror', (error) => this.logged.push(String(error)));
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Waits until a text is visible. */
  async sees(text: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByText(text).filter({ visible: true }).first().waitFor();
  }

  /** Moves the focus to an element with the Tab key. Fails if the keyboard does not reach it. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let pressed = 0; pressed < MOST_TABS; pressed++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not reach ${target}.`);
  }

  /** Presses a button or follows a link, when it is enabled. */
  async presses(target: Locator, key = 'Enter'): Promise<void> {
    await this.isEnabled(target);
    await this.tabTo(target);
    await this.page.keyboard.press(key);
  }

  async isEnabled(target: Locator): Promise<void> {
    await target.and(this.page.locator(':not(:disabled)')).waitFor();
  }

  /** Replaces the text of a field. */
  async types(target: Locator, text: string): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.type(text);
  }

  /** Opens a page of the site by its link. */
  async goesTo(name: string): Promise<void> {
    await this.presses(this.page.getByRole('link', { name, exact: true }).first());
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Approves what the development wallet shows. */
  async approves(): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: /^Sign this/ });
    await this.presses(this.button('Approve', dialog));
    await dialog.waitFor({ state: 'hidden' });
  }

  /** Checks the page with axe in both themes, and that it is not wider than the screen. */
  async hasAccessiblePage(): Promise<void> {
    const { page } = this;
    const kept = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const violations = await axeViolations(page);
      assert.deepEqual(violations, [], `${page.url()}, ${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: kept ? 'dark' : 'light' });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= this.#width, `${page.url()} is ${width} pixels wide`);
  }

  async leaves(): Promise<void> {
    await this.#context.close();
  }
}

/** Returns the violations that axe finds. A strict content security policy does not allow a script of the test. */
async function axeViolations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('Runtime.evaluate', { expression: AXE });
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: `axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
        id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join('; ')))`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(`axe failed: ${exceptionDetails.text}`);
    return result.value as string[];
  } finally {
    await session.detach();
  }
}
