/** The page of `examples/react-minimal`: what it shows before its settings are written, and why a transfer would fail. */
import { testWallet } from '@service/testing';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { createElement as element } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { dapp, holdings } from './support/dapp.ts';
import { type Rendered, render } from './support/render.ts';

const { Page } = await import('../../examples/react-minimal/src/page.tsx');
const { readToken } = await import('../../examples/react-minimal/src/token.ts');
const { Transfer } = await import('../../examples/react-minimal/src/transfer.tsx');

let rendered: Rendered | undefined;
afterEach(async () => {
  await rendered?.unmount();
  rendered = undefined;
  vi.unstubAllGlobals();
});

const RULE = (await testWallet('rule')).address;
const MINT = (await testWallet('mint')).address;

it('reads a token only if both addresses are there', () => {
  expect(readToken({ VITE_RULE: RULE, VITE_MINT: MINT })).toEqual({ rule: RULE, mint: MINT });
  const settings = [{}, { VITE_RULE: RULE }, { VITE_MINT: MINT }, { VITE_RULE: RULE, VITE_MINT: `${MINT}…` }];
  for (const each of settings) expect(readToken(each)).toBe(null);
});

it('says how to create the token before .env.local is written, and shows the gate after that', async () => {
  const { client } = await dapp();
  rendered = await render(client, () => element(Page, { token: readToken({}) }));
  await rendered.shows('This page has no token yet. Run the issuer');
  expect(rendered.text()).toContain('into .env.local');
  expect(document.querySelector('[data-pass-gate]')).toBe(null);
  await rendered.unmount();
  rendered = await render(client, () => element(Page, { token: { rule: RULE, mint: MINT } }));
  await rendered.shows('No wallet was found');
});

it('says in a sentence why a transfer would fail', async () => {
  const { client, holder } = await dapp(await holdings(MINT, 1_000n));
  // The balance is the only request that the page sends without the client.
  const value = { amount: '1000', decimals: 0, uiAmount: 1000, uiAmountString: '1000' };
  const balance = { jsonrpc: '2.0', id: '1', result: { context: { slot: 1 }, value } };
  vi.stubGlobal('fetch', async () => Response.json(balance));
  await client.authenticate(holder, client.deployment.genesisHash);
  rendered = await render(client, () => element(Transfer, { wallet: holder, mint: MINT }));
  await rendered.shows('You have 1000.');
  enter('To', (await generateKeyPairSigner()).address);
  enter('Amount', '1');
  await rendered.shows('This address has no account for the token.');
  expect(rendered.text()).not.toContain('TOKEN_ACCOUNT_NOT_FOUND');
});

/** Types into a field, as a person does. React ignores a value that is set without the setter of the element. */
function enter(label: string, value: Address | string): void {
  const labels = [...document.querySelectorAll('label')];
  const field = labels.find(({ textContent }) => textContent?.trim() === label)!.querySelector('input')!;
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!;
  set!.call(field, value);
  field.dispatchEvent(new window.Event('input', { bubbles: true }));
}
