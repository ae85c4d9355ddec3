/** The app of `npm create`: created from the packed tarballs, compiled, built, and used by a person against a development stack. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { type Stack, type StackOptions, startStack } from '@service/development';
import { passHostedPage } from '@service/test-support';
import type { Browser, Locator, Page } from 'playwright-core';
import { freePort } from '../e2e/support/child-process.ts';
import { compilePage } from './example.ts';
import { installManifest, run, SHELL, type Tarball } from './install.ts';

/** The ports of `npm start` and of the app. The test takes free ones. */
const SITE = 'http://localhost:3000';
const ORIGIN = 'http://localhost:5173';
const PERSON = { region: 'NL', status: 'professional', birthDate: '1985-02-28' };
/** A person waits for slots and, on a slow machine, for a proof. */
const timeout = 90_000;

/** Creates the app as a person does, in a folder that does not exist, and installs, compiles and builds it. */
export async function createApp(parent: string, folder: string, tarballs: readonly Tarball[]): Promise<void> {
  const { file } = tarballs.find(({ name }) => name === '@service/create')!;
  const deployment = join(parent, 'deployment.json');
  await writeFile(deployment, JSON.stringify({ baseUrl: ORIGIN }));
  const create = () =>
    run(
      'npx',
      ['--yes', '--package', file, 'create', folder, '--packages', dirname(file), '--deployment', deployment],
      parent,
    );
  await create();
  const again = await create().then(
    () => 'the app was created twice',
    (error: Error) => error.message,
  );
  if (!again.includes(`${folder} is not empty.`)) throw new Error(again);
  await installManifest(folder);
  await compilePage(folder);
}

/** Uses the app under its development server: an issuer creates a token, and a person gets verified, proves and transfers. */
export async function useApp(
  browser: Browser,
  folder: string,
  options: Omit<StackOptions, 'ports' | 'origin'>,
): Promise<void> {
  const [pagePort, sitePort] = [await freePort(), await freePort()];
  const origin = ORIGIN.replace('5173', `${pagePort}`);
  const ports = { site: sitePort, rpc: 0, verifier: 0 };
  const stack = await startStack({ ...options, ports, origin });
  try {
    await writeFile(join(folder, 'deployment.json'), JSON.stringify(stack.deployment));
    const settings = join(folder, 'vite.config.ts');
    const text = await readFile(settings, 'utf8');
    const moved = text.replace(SITE, SITE.replace('3000', `${sitePort}`)).replace('5173', `${pagePort}`);
    await writeFile(settings, moved);
    const token = await withServer(folder, () => createToken(folder));
    // A server that runs would start again, and refuse connections meanwhile.
    await writeFile(join(folder, '.env.local'), token.settings);
    await withServer(folder, () => inNewPage(browser, (page) => visit(page, { folder, stack, ...token })));
  } finally {
    await stack.close();
  }
}

/** Runs the issuer of the app. Returns what it printed. */
async function issue(folder: string, ...addresses: string[]): Promise<string> {
  return (await run('npm', ['run', '--silent', 'issuer', '--', ...addresses], folder)).stdout;
}

/** A token of the app. */
interface Token {
  /** The lines of `.env.local`. */
  readonly settings: string;
  /** A wallet with a pass. */
  readonly holder: string;
}

/** Lets the issuer create a rule set and a token. */
async function createToken(folder: string): Promise<Token> {
  const printed = await issue(folder);
  const [settings] = /^VITE_RULE=\w+\nVITE_MINT=\w+$/m.exec(printed) ?? [];
  const [, holder] = /^(\w+) got 1000\.00/m.exec(printed) ?? [];
  if (!settings || !holder) throw new Error(`npm run issuer printed ${printed}`);
  return { settings, holder };
}

/** Opens a page of its own, and uses it. Throws if that fails, or if the page throws an error. */
async function inNewPage(browser: Browser, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(timeout);
    page.on('dialog', (dialog) => dialog.accept());
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    await use(page).catch(async (cause: unknown) => {
      const shown = await page.innerText('body').catch(() => 'nothing');
      const message = `the app of npm create failed: ${cause}; it threw: ${failures.join('; ')}; it shows: ${shown}`;
      throw new Error(message, { cause });
    });
    if (failures.length > 0) throw new Error(`the app of npm create threw ${failures.join('; ')}`);
  } finally {
    await context.close();
  }
}

interface App extends Token {
  readonly folder: string;
  readonly stack: Stack;
}

/** Uses the gate with the keyboard only, then the children that it shows. */
async function visit(page: Page, { folder, stack: { deployment }, holder }: App): Promise<void> {
  const press = async (name: string) => {
    const button = page.getByRole('button', { name, exact: true });
    await button.waitFor();
    await checkWithAxe(page);
    await tabTo(page, button);
    await page.keyboard.press('Enter');
  };
  await page.goto(deployment.baseUrl);
  await press('Connect Development wallet');
  await press('Sign in');
  await press('Get verified');
  await page.waitForURL((url) => deployment.verifierOrigins.includes(url.origin));
  await page.goto(await passHostedPage(page.url(), PERSON));
  await press('Prove');
  await page.getByRole('progressbar').waitFor();
  await checkWithAxe(page);
  const shown = await page.getByText(/^Your pass is open\. /).textContent();
  await checkWithAxe(page);
  const [, own] = /(\w+) has no tokens yet/.exec(shown ?? '') ?? [];
  const issued = await issue(folder, own!);
  if (!issued.includes(`${own} got 1000.00`)) throw new Error(`npm run issuer printed ${issued}`);
  await page.reload();
  await page.getByText('You have 1000.').waitFor();
  await page.getByLabel('To').fill(holder);
  await page.getByLabel('Amount').fill('12.5');
  await press('Send');
  await page.getByText('You have 987.5.').waitFor();
}

/** More elements than the app has. */
const MOST_TABS = 20;

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the Tab key does not reach the button');
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Throws if axe finds something that keeps people from using the page. */
async function checkWithAxe(page: Page): Promise<void> {
  await page.addScriptTag({ path: AXE });
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const found = (await axe.run()).violations;
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  if (violations.length > 0) throw new Error(`axe finds ${violations.join('; ')}`);
}

/** Runs the development server of the app while the function runs. */
async function withServer<T>(folder: string, use: () => Promise<T>): Promise<T> {
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  const server = spawn(process.execPath, [vite], {
    cwd: folder,
    env: SHELL,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const lines = createInterface(server.stdout);
  try {
    await new Promise<void>((resolve, reject) => {
      // In CI, Vite prints colours also into a pipe.
      lines.on('line', (line) => stripVTControlCharacters(line).includes('Local:') && resolve());
      lines.on('close', () => reject(new Error('the development server of the app ended')));
    });
    return await use();
  } finally {
    server.kill();
    await ended;
  }
}
