import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { disposeProver } from '@service/sdk';
import { readDeployment, verifiedPerson } from '@service/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bundleCommands, bundlePackages } from './support/bundle-commands.ts';
import { type Child, freePort, ROOT, startChild } from './support/child-process.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const examples = readdirSync(join(ROOT, 'examples')).filter((name) => /^\d\d-.*\.ts$/.test(name));
const sourceOf = (name: string) => readFileSync(join(ROOT, 'examples', name), 'utf8');
// The examples read deployment.json from the working directory.
const folder = mkdtempSync(join(tmpdir(), 'examples-'));
let stack: Child;
const { bundles, remove: removeBundle } = await bundleCommands('packages/development/src/start.ts');
/** The packages that the examples import, as npm installs them: bundled. */
const { env, remove: removePackages } = await bundlePackages(
  '@service/sdk',
  '@service/sdk/chain',
  '@service/sdk/node',
  '@service/testing',
);
// Inside node_modules, so that the receiver finds the library that it imports.
const receiverFile = join(ROOT, 'node_modules/.cache', `receiver-${process.pid}.mjs`);
let receiver: Child;
const events = { EVENTS_SECRET: `whsec_${Buffer.alloc(24, 5).toString('base64')}` };

/** Starts the receiver of docs/events.md. Returns its URL. */
async function startReceiver(): Promise<string> {
  const page = readFileSync(join(ROOT, 'docs/events.md'), 'utf8');
  const code = page.match(/```js\n(import \{ createServer .*?)```/s)![1]!;
  const port = await freePort();
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  writeFileSync(receiverFile, code.replace('4000', `${port}`));
  receiver = startChild(receiverFile, { env: events, cwd: folder });
  return `http://127.0.0.1:${port}/`;
}

beforeAll(async () => {
  const options = '--no-demo --site-port 0 --rpc-port 0 --verifier-port 0 --slot-ms 100 --finality-slots 2';
  const receiving = { ...events, EVENTS_URL: await startReceiver() };
  stack = startChild(bundles[0], { args: options.split(' '), env: receiving, cwd: folder });
  await stack.printed('ready:');
});

afterAll(async () => {
  stack.kill('SIGINT');
  const code = await stack.ended;
  receiver.kill('SIGTERM');
  await receiver.ended;
  removeBundle();
  removePackages();
  for (const path of [folder, receiverFile]) rmSync(path, { recursive: true });
  expect(code, `npm start ends with 0 on Ctrl-C: ${stack.stderr()}`).toBe(0);
});

test('the examples are numbered from 01 without a gap', () => {
  expect(examples.length).toBeGreaterThanOrEqual(10);
  expect(examples.map((name) => Number(name.slice(0, 2)))).toEqual(examples.map((_, index) => index + 1));
});

// Each has its own people and rule sets, and mostly waits for slots.
test.concurrent.each(examples)('%s runs', async (name) => {
  const example = startChild(join('examples', name), { env, cwd: folder });
  expect([await example.ended, example.stderr()]).toEqual([0, '']);
  expect(example.stdout()).not.toBe('');
});

test('npm start sends the events of the examples to EVENTS_URL', async () => {
  for (const type of ['credential.issued', 'operation.finalized']) await receiver.printed(`event: ${type}`);
});

test('example 10 keeps its token, and issues to the address of a holder who proved its rule set', async () => {
  const { rule, mint } = JSON.parse(readFileSync(join(folder, 'issuer-backend.json'), 'utf8'));
  const deployment = await readDeployment(join(folder, 'deployment.json'));
  const { client, wallet, witness } = await verifiedPerson(deployment, { region: 'NL' });
  const issue = async () => {
    const options = { args: [wallet.address], env, cwd: folder };
    const example = startChild('examples/10-issuer-backend.ts', options);
    expect([await example.ended, example.stderr()]).toEqual([0, '']);
    return example.stdout();
  };
  expect(await issue()).toContain(`${wallet.address} has no live pass`);
  await client.prove(wallet, { rule, witness });
  expect(await issue()).toMatch(new RegExp(`${mint}\\n${wallet.address} got 1000.00`));
  await disposeProver();
});

test('an example prints its first comment with --help, and does nothing', async () => {
  const name = '09-resume-after-a-crash.ts';
  const example = startChild(join('examples', name), { args: ['--help'], env, cwd: tmpdir() });
  expect([await example.ended, example.stderr()]).toEqual([0, '']);
  const [comment] = sourceOf(name).split("import './help.ts';");
  expect(example.stdout().trim()).toBe(comment!.replaceAll(/^\/\/ /gm, '').trim());
});

test.each(examples)('%s answers --help, is short, and imports only packages that a dApp has', (name) => {
  const source = sourceOf(name);
  expect(source).toMatch(/^(\/\/ .+\n)+import '\.\/help\.ts';\n/);
  expect(source.split('\n').length).toBeLessThan(60);
  for (const [, module] of source.matchAll(/from '([^']+)'/g)) {
    expect(module).toMatch(
      /^(@service\/sdk(\/\w+)?|@service\/testing|@solana\/kit|@solana-program\/\w+|node:.+|\.\/(help|send)\.ts)$/,
    );
  }
});
