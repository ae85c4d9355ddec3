/** Debian's Firefox, or the executable that FIREFOX names, by its WebDriver BiDi. Debian has no geckodriver. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as bidi from 'selenium-webdriver/bidi/index.js';
import { EXECUTABLES } from './executables.ts';
import { codeOf } from './key-codes.ts';
import { printedBy } from './printed-by.ts';
import { asText, type Browser, type Display, type Engine, type Key, type Tab, valueIn } from './tab.ts';

const [EXECUTABLE] = EXECUTABLES.Firefox;

export const FIREFOX: Engine = {
  name: 'Firefox',
  start: startFirefox,
  movesThroughDates: true,
  narrowest: 390,
};

const PREFERENCES = {
  'intl.accept_languages': 'en-US',
  'ui.prefersReducedMotion': 1,
  // Nothing outside of this machine.
  'network.proxy.allow_hijacking_localhost': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
};

async function startFirefox(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const parameters = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const firefox = spawn(EXECUTABLE, parameters, {
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [, origin] = await printedBy(firefox, firefox.stderr, /WebDriver BiDi listening on (ws:\S+)/);
  return new FirefoxBrowser(firefox, profile, await Connection.open(`${origin}/session`));
}

/** The used part of Selenium's connection, whose types lack the class. */
interface BiDi {
  send(command: { readonly method: string; readonly params: object }): Promise<unknown>;
  on(event: string, listener: (params: LogEntry) => void): void;
  close(): Promise<unknown>;
}
const { default: BiDi } = bidi as unknown as { readonly default: new (url: string) => BiDi };

/** A connection to the browser. */
class Connection {
  readonly #bidi: BiDi;

  private constructor(bidi: BiDi) {
    this.#bidi = bidi;
  }

  static async open(url: string): Promise<Connection> {
    const connection = new Connection(new BiDi(url));
    await connection.send('session.new', { capabilities: {} });
    await connection.send('session.subscribe', { events: ['log.entryAdded'] });
    return connection;
  }

  async send(method: string, params: object): Promise<Record<string, unknown>> {
    const answer = (await this.#bidi.send({ method, params })) as {
      readonly result?: Record<string, unknown>;
      readonly error?: string;
      readonly message?: string;
    };
    if (answer.result) return answer.result;
    throw new Error(`${method}: ${answer.error}: ${answer.message}`);
  }

  on(event: string, listener: (params: LogEntry) => void): void {
    this.#bidi.on(event, listener);
  }

  close(): Promise<unknown> {
    return this.#bidi.close();
  }
}

/** The event `log.entryAdded`. */
interface LogEntry {
  readonly level: string;
  readonly text: string | null;
  readonly source: { readonly context?: string };
}

class FirefoxBrowser implements Browser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #connection: Connection;

  constructor(process: ChildProcess, profile: string, connection: Connection) {
    this.#process = process;
    this.#profile = profile;
    this.#connection = connection;
  }

  async newTab({ width }: Display): Promise<Tab> {
    const connection = this.#connection;
    const { userContext } = await connection.send('browser.createUserContext', {});
    const created = await connection.send('browsingContext.create', { type: 'window', userContext });
    const context = String(created.context);
    await connection.send('browsingContext.setViewport', { context, viewport: { width, height: 900 } });
    return new FirefoxTab(connection, context);
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('close', resolve));
    await this.#connection.send('browser.close', {});
    await this.#connection.close();
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

class FirefoxTab implements Tab {
  readonly logged: string[] = [];
  readonly #connection: Connection;
  readonly #context: string;

  constructor(connection: Connection, context: string) {
    this.#connection = connection;
    this.#context = context;
    connection.on('log.entryAdded', ({ level, text, source }) => {
      if (source.context === context && ['error', 'warn'].includes(level)) this.logged.push(String(text));
    });
  }

  open(url: string): Promise<void> {
    return this.#send('browsingContext.navigate', { url, wait: 'complete' });
  }

  reload(): Promise<void> {
    return this.#send('browsingContext.reload', { wait: 'complete' });
  }

  async inject(script: string): Promise<void> {
    await this.#run(script);
  }

  async evaluate(expression: string): Promise<unknown> {
    return valueIn(await this.#run(asText(expression)));
  }

  async press(...keys: readonly Key[]): Promise<void> {
    // Another person's window may have the focus.
    if (!(await this.evaluate('document.hasFocus()'))) await this.#send('browsingContext.activate', {});
    const codes = keys.map(codeOf);
    const actions = [
      ...codes.map((value) => ({ type: 'keyDown', value })),
      ...codes.toReversed().map((value) => ({ type: 'keyUp', value })),
    ];
    await this.#send('input.performActions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  close(): Promise<void> {
    return this.#send('browsingContext.close', {});
  }

  async #send(method: string, parameters: object): Promise<void> {
    await this.#connection.send(method, { context: this.#context, ...parameters });
  }

  async #run(expression: string): Promise<unknown> {
    const answer = (await this.#connection.send('script.evaluate', {
      target: { context: this.#context },
      expression,
      awaitPromise: true,
      userActivation: false,
    })) as { result?: { value?: unknown }; exceptionDetails?: { text: string } };
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
    return answer.result?.value;
  }
}
