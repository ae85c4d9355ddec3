/** The holder page of packages/sdk/docs/vue.md: compiled, built, and used by a person in Chromium. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from '@service/development';
import { ServiceClient, walletFromKeyPair } from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';
import { failHostedPage, passHostedPage } from '@service/test-support';
import {
  type Address,
  createKeyPairFromPrivateKeyBytes,
  createSolanaRpc,
  devnet,
  generateKeyPair,
  lamports,
} from '@solana/kit';
import type { Browser } from 'playwright-core';
import { inPage, PERSON } from './browser.ts';
import { readBundle } from './bundles.ts';
import { REPOSITORY, run } from './install.ts';

const PAGE = 'packages/sdk/docs/vue.md';
const FILES = ['src/service.ts', 'src/main.ts', 'src/Holder.vue'];
const SEED = new Uint8Array(32).fill(7);
/** A person waits for slots and, on a slow machine, for a proof. */
const timeout = 60_000;

const toolOf = (folder: string, name: string, ...parameters: string[]) =>
  run(join(folder, 'node_modules/.bin', name), parameters, folder);

/** Writes the files of the docs into the page's folder, and compiles them. */
export async function compileVue(folder: string): Promise<void> {
  const text = await readFile(join(REPOSITORY, PAGE), 'utf8');
  const blocks = text.matchAll(/```\w+\n(?:\/\/|<!--) (src\/\S+)(?: -->)?\n(.*?)```/gs);
  const files = new Map([...blocks].map(([, name, code]) => [name!, code!]));
  if (`${[...files.keys()]}` !== `${FILES}`) throw new Error(`${PAGE} has the files ${[...files.keys()]}`);
  for (const [name, code] of files) await writeFile(join(folder, name), code);
  await writeFile(join(folder, 'src/deployment.json'), '{}');
  await toolOf(folder, 'vue-tsc', '-p', 'tsconfig.json');
}

/** Uses the page: signs in, is refused by the verifier, is verified, and proves. Throws unless the pass opens. */
export async function holderInVue(
  browser: Browser,
  folder: string,
  deployment: Stack['deployment'],
): Promise<void> {
  await writeFile(join(folder, 'src/deployment.json'), JSON.stringify(deployment));
  await toolOf(folder, 'vite', 'build');
  const bundle = await readBundle(join(folder, 'page'));
  const rule = await createRule(deployment);
  await inPage(browser, { bundle, path: '/vue/', deployment }, async (page) => {
    page.setDefaultTimeout(timeout);
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const shows = (text: string) => page.getByText(text).waitFor();
    const leave = async () => {
      await click('Get verified');
      await page.waitForURL((url) => deployment.verifierOrigins.includes(url.origin));
    };
    await page.addInitScript((given) => Object.assign(globalThis, given), { seed: [...SEED], rule });
    await page.goto(`${deployment.baseUrl}/vue/`);
    await click('Sign in');
    await shows('You have no credential.');
    await leave();
    // A route of Playwright does not serve a page to which another site redirects, so the test goes there.
    await page.goto(await failHostedPage(page.url()));
    await shows('The verification failed');
    await leave();
    await page.goto(await passHostedPage(page.url(), PERSON));
    await shows('You are verified.');
    await click('Prove');
    await shows('Your pass is open.');
  });
}

/** Funds the person, and lets an issuer create a rule set that the person meets. */
async function createRule(deployment: Stack['deployment']): Promise<Address> {
  const faucet = createSolanaRpc(devnet(deployment.rpcUrl));
  const holder = await walletFromKeyPair(await createKeyPairFromPrivateKeyBytes(SEED));
  const issuer = await walletFromKeyPair(await generateKeyPair());
  for (const { address } of [holder, issuer]) {
    await faucet.requestAirdrop(address, lamports(1_000_000_000n)).send();
  }
  const client = new ServiceClient({ deployment });
  await client.authenticate(issuer, deployment.genesisHash);
  const { rule } = await client.createRuleSet(issuer, {
    name: 'Swiss residents',
    clauses: [{ regions: ['CH'], statuses: ['accredited'], minAge: 18 }],
    maxPassAgeSeconds: 86_400n,
  });
  await fundRuleSet(issuer, { deployment, rule, lamports: 10_000_000n });
  return rule;
}
