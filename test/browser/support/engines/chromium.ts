/** Debian's Chromium, or the executable that CHROMIUM names, by Playwright. */
import { type CDPSession, chromium, type Browser as Launched, type Page } from 'playwright-core';
import { EXECUTABLES } from './executables.ts';
import { asText, type Browser, type Display, type Engine, type Key, type Tab, valueIn } from './tab.ts';

const [EXECUTABLE] = EXECUTABLES.Chromium;

export const CHROMIUM: Engine = {
  name: 'Chromium',
  start: startChromium,
  movesThroughDates: true,
  narrowest: 390,
};

/** Chromium with the page of Playwright, which can also take pictures. */
export async function startChromium(): Promise<ChromiumBrowser> {
  // CI runs as root, and Chromium has no sandbox for root.
  return new ChromiumBrowser(await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] }));
}

class ChromiumBrowser implements Browser {
  readonly #launched: Launched;

  constructor(launched: Launched) {
    this.#launched = launched;
  }

  async newTab({ width, colorScheme }: Display): Promise<ChromiumTab> {
    const context = await this.#launched.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    return new ChromiumTab(page, await context.newCDPSession(page));
  }

  close(): Promise<void> {
    return this.#launched.close();
  }
}

export class ChromiumTab implements Tab {
  readonly logged: string[] = [];
  readonly page: Page;
  // Playwright's own evaluate counts as an action of the person.
  readonly #session: CDPSession;

  constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.logged.push(message.text());
    });
    page.on('pageerror', (error) => this.logged.push(String(error)));
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  async inject(expression: string): Promise<void> {
    await this.#run({ expression });
  }

  async evaluate(expression: string): Promise<unknown> {
    return valueIn(await this.#run({ expression: asText(expression), awaitPromise: true }));
  }

  async press(...keys: readonly Key[]): Promise<void> {
    await this.page.keyboard.press(keys.join('+'));
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  async #run(script: { readonly expression: string; readonly awaitPromise?: boolean }): Promise<unknown> {
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', script);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
}
