/** A holder who uses the page of the installed server in Chromium, with a wallet of the Wallet Standard. */
import { type Deployment, tokenAccountOf } from '@service/sdk';
import { createTokenAccount } from '@service/sdk/chain';
import { approveManually } from '@service/test-support';
import { address } from '@solana/kit';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { WalkState } from '../walk/walk-state.ts';
import { REPOSITORY } from './install.ts';

/** Milliseconds for one step. Finality takes 13 seconds on a validator. */
const TIMEOUT_MS = 180_000;
const PERSON = { region: 'FR', status: 'accredited', birthDate: '1988-02-29' };
/** Base units that the holder gets. The mint of the walk has two decimals. */
const RECEIVED = 1_000n;

declare global {
  /** The address of the wallet that the script registers. */
  var walletAddress: string | undefined;
}

/**
 * Opens the page, connects, signs in, is verified by the operator of the verifier, proves the rule set of the walk, receives
 * tokens and transfers some. Throws if a step fails, or if the page logs an error.
 */
export async function holdInPage(
  browser: Browser,
  state: WalkState,
  { password, onStep }: { readonly password: string; readonly onStep: (line: string) => void },
): Promise<void> {
  const { deployment, cluster, issuer, holder, mint } = state;
  const context = await browser.newContext();
  try {
    await context.addInitScript({ content: await walletScript(deployment) });
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const logged = logOf(page);
    await opens(page, deployment.baseUrl);
    onStep('the page opens, with the holder page and the issuer desk');

    await page.getByRole('button', { name: 'Connect wallet' }).click();
    const menu = page.getByRole('dialog', { name: 'Wallet' });
    await menu.getByRole('button', { name: 'Connect Development wallet' }).click();
    await page.keyboard.press('Escape');
    const wallet = address((await page.evaluate(() => globalThis.walletAddress))!);
    await cluster.fund([wallet], 1_000_000_000n);
    await page.getByRole('navigation').getByRole('link', { name: 'Holder page' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Get verified' }).click();
    await page.getByRole('button', { name: 'Continue on this device' }).click();
    await page.getByRole('heading', { name: 'An operator checks you' }).waitFor();
    await approveManually(page.url(), PERSON, password);
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.getByText('is in this tab. With it, you can prove the rule sets that you meet.').waitFor();
    onStep('the page: a holder is verified by an operator');

    const row = page.getByRole('article', { name: 'EU professionals' });
    await row.getByRole('button', { name: /^Prove/ }).click();
    await row.getByRole('button', { name: 'Sign' }).click();
    await row.getByText('you have a pass', { exact: true }).waitFor();
    onStep('the page: the holder proves the rule set and has a pass');

    await createTokenAccount(issuer.wallet, { deployment, mint, owner: wallet });
    const [source, destination] = await Promise.all(
      [issuer.wallet.address, wallet].map((owner) => tokenAccountOf({ mint, owner })),
    );
    const sent = { mint, source: source!, destination: destination!, amount: RECEIVED };
    await issuer.client.transfer(issuer.wallet, sent);
    const form = page.getByRole('form', { name: 'Transfer tokens' });
    await form.getByLabel('Recipient').fill(holder.wallet.address);
    await form.getByLabel('Amount').fill('5');
    await form.getByRole('button', { name: 'Transfer' }).click();
    await form.getByText(/^Transferred 5 .+ It is final\.$/).waitFor();
    onStep('the page: the holder transfers tokens');
    if (logged.length > 0) throw new Error(`The page logs: ${logged.join('; ')}`);
  } catch (error) {
    const [page] = context.pages();
    const shown = await page?.innerText('body').catch(() => '');
    throw new Error(`${(error as Error).message}\nThe page ${page?.url()} shows:\n${shown}`, {
      cause: error,
    });
  } finally {
    await context.close();
  }
}

/** Returns the errors and warnings that a page logs from now on. */
function logOf(page: Page): readonly string[] {
  const logged: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) logged.push(message.text());
  });
  page.on('pageerror', (error) => logged.push(String(error)));
  return logged;
}

/** Throws unless the site has the holder page and the issuer desk, and no page of the demo. */
async function opens(page: Page, baseUrl: string): Promise<void> {
  await page.goto(baseUrl);
  const links = page.getByRole('navigation').getByRole('link');
  await links.first().waitFor();
  const names = await links.allTextContents();
  if (names.join() !== 'Holder page,Issuer desk') throw new Error(`The page has the links ${names.join()}.`);
  for (const name of names) {
    await links.filter({ hasText: name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }
}

/** Returns a script that registers a wallet in the page of the site, as an extension does. It signs everything. */
async function walletScript(deployment: Deployment): Promise<string> {
  const contents = `
    import { parseDeployment } from '@service/sdk';
    import { registerDevelopmentWallet } from '@service/testing';
    const deployment = parseDeployment(${JSON.stringify(deployment)});
    if (location.origin === deployment.baseUrl) {
      registerDevelopmentWallet({ deployment, labels: ['Holder'] }).then(({ accounts: [{ address }] }) => {
        globalThis.walletAddress = address;
      });
    }`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: REPOSITORY },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    // The built packages, whose platform files are those of browsers.
    tsconfigRaw: {},
  });
  return outputFiles[0]!.text;
}
