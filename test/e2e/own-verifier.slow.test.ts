/** `npm start -- --no-verifier`: an operator runs a verifier with the manual provider on its chain, and verifies a person. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDeployment, parseWitnessFragment, ServiceClient } from '@service/sdk';
import { fundedWallet } from '@service/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { bundleCommands } from './support/bundle-commands.ts';
import { freePort, killAll, ROOT, startChild } from './support/child-process.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const { bundles, remove: removeBundles } = await bundleCommands(
  'packages/development/src/start.ts',
  'packages/verifier/src/main.ts',
);
const folder = mkdtempSync(join(tmpdir(), 'own-verifier-'));
const MANUAL_PASSWORD = 'the password of an operator';

afterAll(async () => {
  await killAll();
  removeBundles();
  rmSync(folder, { recursive: true });
});

/** Returns the variables that a shell exports when it reads verifier.env and the example of the manual provider. */
function variablesInShell(): Record<string, string> {
  const command = 'set -a; . ./verifier.env; . examples/verifier/manual.env; exec env -0';
  const printed = execFileSync('sh', ['-c', command], { cwd: folder, env: { PATH: process.env.PATH } });
  const lines = printed.toString().split('\0').filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]));
}

/** Sends requests as a browser with cookies does, and follows no redirect. */
function browser() {
  const cookies: string[] = [];
  return async (url: string, form?: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: cookies.join('; '), origin: new URL(url).origin, ...headers },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) cookies.push(line.split(';')[0]!);
    const location = response.headers.get('location');
    return {
      status: response.status,
      html: await response.text(),
      location: location ? new URL(location, url).href : '',
    };
  };
}

test('a verifier that reads verifier.env verifies a person whom an operator has checked', async () => {
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  const [site, rpc, port] = await Promise.all([freePort(), freePort(), freePort()]);
  const args = `--no-demo --no-verifier --site-port ${site} --rpc-port ${rpc} --verifier-port ${port} --slot-ms 100 --finality-slots 2`;
  const stack = startChild(bundles[0], { args: args.split(' '), cwd: folder });
  await stack.printed('ready:');
  expect(stack.stdout()).toContain('. ./verifier.env;');
  expect(statSync(join(folder, 'verifier.env')).mode & 0o777).toBe(0o600);
  const deployment = parseDeployment(JSON.parse(readFileSync(join(folder, 'deployment.json'), 'utf8')));
  const origin = `http://localhost:${port}`;
  expect(deployment.verifierOrigins).toEqual([origin]);
  await expect(fetch(origin)).rejects.toThrow();

  const verifier = startChild(bundles[1], { env: { ...variablesInShell(), MANUAL_PASSWORD }, cwd: folder });
  await verifier.printed('listening');

  const wallet = await fundedWallet(deployment);
  const client = new ServiceClient({ deployment });
  await client.authenticate(wallet, deployment.genesisHash);
  const { url } = await client.startVerification({
    returnUrl: `http://localhost:${site}/verified`,
  });
  const person = browser();
  expect((await person(url)).html).toContain(wallet.address);
  const { location: check } = await person(url, {});
  const goOn = /class="button first" href="([^"]+)"/.exec((await person(check)).html)![1]!;
  // Nobody has decided yet, so the person stays at the verifier.
  expect((await person(goOn)).location).not.toContain('#witness=');

  const operator = check.replace('/checks/', '/operator/');
  const enter = {
    what: 'approve',
    birthDate: '1984-02-29',
    documentType: 'passport',
    documentCountry: 'JP',
    documentNumber: 'TK1234567',
    documentExpires: '2099-12-31',
  };
  expect((await browser()(operator, enter)).status).toBe(401);
  const authorization = `Basic ${Buffer.from(`operator:${MANUAL_PASSWORD}`).toString('base64')}`;
  expect((await browser()(operator, enter, { authorization })).status).toBe(303);

  const witness = parseWitnessFragment(new URL((await person(goOn)).location).hash)!;
  expect(witness).toMatchObject({ wallet: wallet.address, region: 'JP', status: 'retail' });
  await client.waitForCredential();
});
