/** The app of `npm create`: created from the packed tarballs, compiled, built, and used by a person against a development stack. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Stack, type StackOptions, startStack } from '@service/development';
import { openPort } from '@service/process';
import { passHostedPage } from '@service/test-support';
import type { Browser } from 'playwright-core';
import { compilePage } from './example.ts';
import { run, type Tarball } from './install.ts';

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
      ['--yes', '--package', file, 'create', folder, '--packages', parent, '--deployment', deployment],
      parent,
    );
  await create();
  const again = await create().then(
    () => 'the app was created twice',
    (error: Error) => error.message,
  );
  if (!again.includes(`${folder} is not empty.`)) throw new Error(again);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'], folder);
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
    await withServer(folder, (prints) => visit(browser, { folder, deployment: stack.deployment, prints }));
  } finally {
    await stack.close();
  }
}

interface App {
  readonly folder: string;
  readonly deployment: Stack['deployment'];
  /** Waits until the development server prints a text. */
  readonly prints: (text: string) => Promise<void>;
}

async function visit(browser: Browser, { folder, deployment, prints }: App): Promise<void> {
  const issue = async (...addresses: string[]) =>
    (await run('npm', ['run', '--silent', 'issuer', '--', ...addresses], folder)).stdout;
  const first = await issue();
  const [settings] = /^VITE_RULE=\w+\nVITE_MINT=\w+$/m.exec(first) ?? [];
  const [, other] = /^(\w+) got 1000\.00/m.exec(first) ?? [];
  if (!settings || !other) throw new Error(`npm run issuer printed ${first}`);
  // The server starts again, and refuses connections meanwhile.
  const restarted = prints('server restarted');
  await writeFile(join(folder, '.env.local'), settings);
  await restarted;

  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(timeout);
    page.on('dialog', (dialog) => dialog.accept());
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto(deployment.baseUrl);
    await click('Connect Development wallet');
    await click('Sign in');
    await click('Get verified');
    await page.waitForURL((url) => deployment.verifierOrigins.includes(url.origin));
    await page.goto(await passHostedPage(page.url(), PERSON));
    await click('Prove');
    const shown = await page.getByText(/^Your pass is open\. /).textContent();
    const [, own] = /(\w+) has no tokens yet/.exec(shown ?? '') ?? [];
    const issued = await issue(own!);
    if (!issued.includes(`${own} got 1000.00`)) throw new Error(`npm run issuer printed ${issued}`);
    await page.reload();
    await page.getByText('You have 1000.').waitFor();
    await page.getByLabel('To').fill(other);
    await page.getByLabel('Amount').fill('12.5');
    await click('Send');
    await page.getByText('You have 987.5.').waitFor();
    if (failures.length > 0) throw new Error(`the app of npm create threw ${failures.join('; ')}`);
  } finally {
    await context.close();
  }
}

/** Runs the development server of the app while the function runs. */
async function withServer(folder: string, use: (prints: App['prints']) => Promise<void>): Promise<void> {
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  const server = spawn(process.execPath, [vite], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  // One reader for all texts: the server would end at its next line if nobody read it.
  const lines = createInterface(server.stdout);
  const prints = (text: string) =>
    new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => line.includes(text) && resolve());
      lines.on('close', () => reject(new Error('the development server of the app ended')));
    });
  try {
    await prints('Local:');
    await use(prints);
  } finally {
    server.kill();
    await ended;
  }
}

async function freePort(): Promise<number> {
  const { port, server } = await openPort({ port: 0 });
  await new Promise((closed) => server.close(closed));
  return port;
}
