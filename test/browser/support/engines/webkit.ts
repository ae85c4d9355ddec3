/** Debian's WebKitGTK by its WebDriver: the engine of Safari, with another window around it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver';
import { freePort } from '../../../e2e/support/child-process.ts';
import { EXECUTABLES } from './executables.ts';
import { codeOf } from './key-codes.ts';
import { printedBy } from './printed-by.ts';
import { asText, type Browser, type Display, type Engine, type Key, type Tab, valueIn } from './tab.ts';

const [DRIVER, BROWSER, XVFB] = EXECUTABLES.WebKit;

export const WEBKIT: Engine = {
  name: 'WebKit',
  start: startWebKit,
  movesThroughDates: false,
  // The toolbar of its window.
  narrowest: 447,
};

/** GTK has no reduced motion, but can be without animations. */
const SETTINGS = '[Settings]\ngtk-enable-animations=0\n';

/** Starts a display without a screen. Each tab starts a browser, because a driver has one session. */
async function startWebKit(): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'webkit-'));
  mkdirSync(join(home, 'gtk-3.0'));
  writeFileSync(join(home, 'gtk-3.0/settings.ini'), SETTINGS);
  const xvfb = spawn(XVFB, ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [display] = await printedBy(xvfb, xvfb.stdout, /\d+/);
  const env = {
    ...process.env,
    DISPLAY: `:${display}`,
    HOME: home,
    XDG_CONFIG_HOME: home,
    LANGUAGE: 'en_US',
    NO_AT_BRIDGE: '1',
    GSETTINGS_BACKEND: 'memory',
  };
  return {
    newTab: (shown) => openWebKit(env, shown),
    async close() {
      await endOf(xvfb);
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function openWebKit(env: NodeJS.ProcessEnv, { width }: Display): Promise<Tab> {
  const port = await freePort();
  const driver = spawn(DRIVER, [`--port=${port}`], { env, stdio: 'ignore' });
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation'] },
  });
  await listening(port, driver);
  const session = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(capabilities)
    .build();
  await session.manage().window().setRect({ x: 0, y: 0, width, height: 900 });
  return new WebKitTab(session, driver);
}

/** What an expression returns, and what the page script has recorded of the console. */
interface Recorded {
  readonly value: unknown;
  readonly logged: readonly string[];
}

class WebKitTab implements Tab {
  // This WebDriver has no console, so the page script records it from the first look at a page.
  readonly logged: string[] = [];
  readonly #session: WebDriver;
  readonly #driver: ChildProcess;

  constructor(session: WebDriver, driver: ChildProcess) {
    this.#session = session;
    this.#driver = driver;
  }

  open(url: string): Promise<void> {
    return this.#session.get(url);
  }

  reload(): Promise<void> {
    return this.#session.navigate().refresh();
  }

  async inject(script: string): Promise<void> {
    await this.#session.executeScript(script);
  }

  async evaluate(expression: string): Promise<unknown> {
    const recorded = `Promise.resolve(${expression}).then((value) => (
      { value, logged: globalThis.person?.logged.splice(0) ?? [] }))`;
    const text = await this.#session.executeAsyncScript<string>(
      `const done = arguments[0]; ${asText(recorded)}.then(done, (error) => done(JSON.stringify({ failed: String(error) })));`,
    );
    const { failed } = JSON.parse(text) as { failed?: string };
    if (failed) throw new Error(failed);
    const { value, logged } = valueIn(text) as Recorded;
    this.logged.push(...logged);
    return value;
  }

  async press(...keys: readonly Key[]): Promise<void> {
    const actions = this.#session.actions({ async: true });
    for (const key of keys) actions.keyDown(codeOf(key));
    for (const key of keys.toReversed()) actions.keyUp(codeOf(key));
    await actions.perform();
  }

  async close(): Promise<void> {
    await this.#session.quit();
    await endOf(this.#driver);
  }
}

/** Waits until a driver listens. It prints nothing. */
async function listening(port: number, driver: ChildProcess): Promise<void> {
  while (driver.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const opened = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (opened) return;
    await setTimeout(20);
  }
  throw new Error(`${DRIVER} ended with ${driver.exitCode}.`);
}

/** Ends a program that this file started. */
async function endOf(program: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => program.once('close', resolve));
  if (program.exitCode === null && program.kill()) await ended;
}
