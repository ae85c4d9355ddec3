/** The drop-in under StrictMode, in a real DOM, with the service in memory and a wallet that the browser lists. */
import type { ServiceClient } from '@service/sdk';
import { PassGate, type PassGateProps, ServiceProvider, useWallet } from '@service/sdk/react';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { keepPreviousData, QueryClient } from '@tanstack/react-query';
import { createElement as element, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, it, vi } from 'vitest';
import { rules } from './support/dapp.ts';
import { of, part, useGatePage } from './support/gate.ts';
import { htmlOf, render, settled } from './support/render.ts';

const DAY = 86_400n;
const page = useGatePage();

describe('PassGate leads a person to a pass', () => {
  it('from the choice of a wallet to the children, and forgets the witness', async () => {
    await page.show();
    await page.reaches('connect');
    expect(page.rendered.text()).toContain('No wallet was found');
    page.install(page.dapp.holder);
    await page.rendered.shows('Connect Test wallet');
    await page.click('connect');
    await page.reaches('signIn');
    await page.click('signIn');
    await page.reaches('verify');
    expect(page.rendered.text()).not.toContain('Members only');
    await page.click('verify');
    await vi.waitFor(() => expect(page.left).toHaveLength(1));
    expect(page.client.deployment.verifierOrigins).toContain(new URL(page.left[0]!).origin);

    // The verifier sends the person back to a new page, which connects the wallet and signs in as before.
    await page.rendered.unmount();
    page.comeBack();
    await page.show();
    await page.reaches('prove');
    await page.click('prove');
    await page.reaches('proving');
    expect(part('progress')!.getAttribute('aria-label')).toBeTruthy();
    await page.reaches('open');
    expect(page.rendered.text()).toBe('Members only');
    expect(part('renewal')).toBeUndefined();
    expect(location.hash).toBe('');
  });

  it('and says why the wallet, the service or the verification refused', async () => {
    page.install(page.dapp.holder);
    await page.show();
    await page.reaches('connect');
    page.refusal = 'User rejected the request.';
    await page.click('connect');
    await page.rendered.shows('Test wallet did not connect: User rejected the request. Nothing was sent.');
    page.refusal = undefined;
    await page.click('connect');
    await page.reaches('signIn');
    page.refusal = 'No.';
    await page.click('signIn');
    await page.rendered.shows('The wallet did not sign the message: No.');
    expect(part('error')!.getAttribute('role')).toBe('alert');
    page.refusal = undefined;
    await page.click('signIn');
    await page.reaches('verify');
    page.dapp.instead = (request) =>
      new URL(request.url).pathname === '/api/verification-sessions'
        ? Response.json({
            sessionId: crypto.randomUUID(),
            url: 'https://evil.test/',
            expiresAt: '9999999999',
          })
        : undefined;
    await page.click('verify');
    await page.rendered.shows('the deployment pins');
    expect(page.left).toEqual([]);
  });

  it('with the wallet of another account only if it signs in', async () => {
    await page.signIn();
    await page.show({ wallet: page.dapp.other });
    await page.reaches('signIn');
  });
});

describe('PassGate shows', () => {
  it('that the credential is on its way, and that people review it', async () => {
    await page.givesCredential();
    page.comeBack();
    page.passportHas('ISSUING', {}, { commitment: 'ab'.repeat(32) });
    await page.show({ wallet: page.dapp.holder });
    await page.reaches('waiting');
    await page.rendered.unmount();
    page.passportHas('ISSUING', { pendingSince: '1700000000' }, { commitment: 'ab'.repeat(32) });
    await page.show({ wallet: page.dapp.holder });
    await page.rendered.shows('reviews your data');
  });

  it('what is missing, who can act, and checks again', async () => {
    const nowhere = (await generateKeyPairSigner()).address;
    await page.showSignedIn({ rule: nowhere });
    await page.reaches('blocked');
    expect(of('li').map(({ dataset }) => [dataset.code, dataset.who])).toContainEqual([
      'NOT_FOUND',
      'issuer',
    ]);
    const check = vi.spyOn(page.client, 'checkProof');
    await page.click('retry');
    expect(check).toHaveBeenCalled();
    check.mockRestore();
  });

  it('a person who does not meet the rules, and offers another verification', async () => {
    await page.givesCredential();
    const strict = {
      ...rules,
      clauses: [{ regions: ['DE'], statuses: ['professional'], minAge: 18 }],
    } as const;
    const { rule: other } = await page.dapp.otherPage().createRuleSet(page.dapp.holder, strict);
    page.comeBack();
    await page.show({ wallet: page.dapp.holder, rule: other });
    await page.reaches('blocked');
    expect(page.rendered.text()).toContain('You do not meet the rules.');
    await page.click('verify');
    await vi.waitFor(() => expect(page.left).toHaveLength(1));
  });

  it('that the page has the witness of another wallet', async () => {
    page.comeBack({ ...page.witness, wallet: page.dapp.other.address });
    await page.showSignedIn();
    await page.rendered.shows('You verified another wallet.');
  });

  it('an RPC or a service that fails, and asks again', async () => {
    await page.signIn();
    const error = await page.client.checkProof({ rule: 'x' as never }).catch((thrown) => thrown);
    const check = vi.spyOn(page.client, 'checkProof').mockRejectedValue(error);
    await page.show({ wallet: page.dapp.holder });
    await page.reaches('failed');
    expect(part('error')!.getAttribute('role')).toBe('alert');
    check.mockRestore();
    await page.click('retry');
    await page.reaches('verify');
  });

  it('a proof that the person cancels, without an error once they start again', async () => {
    await page.givesCredential();
    page.comeBack();
    const never = vi
      .spyOn(page.client, 'prove')
      .mockImplementation(
        (_wallet, _request, { signal } = {}) =>
          new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      );
    await page.show({ wallet: page.dapp.holder });
    await page.reaches('prove');
    await page.click('prove');
    await page.reaches('proving');
    await page.click('cancel');
    await page.reaches('prove');
    never.mockRestore();
    await page.click('prove');
    await page.reaches('open');
  });
});

describe('PassGate while the pass is open', () => {
  const showOpen = async (props: Partial<PassGateProps> = {}) => {
    await page.givesCredential();
    await page.open();
    return page.show({ wallet: page.dapp.holder, ...props });
  };

  it('gives the wallet and the pass to a function', async () => {
    await showOpen({ children: ({ wallet, pass }) => `${wallet.address} ${pass.secondsLeft > 0n}` });
    await page.rendered.shows(`${page.dapp.holder.address} true`);
  });

  it('closes when the pass expires, though nothing is read again', async () => {
    await page.givesCredential();
    const { passExpiresAt } = await page.open();
    page.time = passExpiresAt - 50n;
    await page.signIn();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await page.show({ wallet: page.dapp.holder });
    await page.reaches('open');
    const read = vi.spyOn(page.client, 'checkProof').mockImplementation(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(page.state()).toBe('open');
    await vi.advanceTimersByTimeAsync(20_000);
    await settled();
    expect(page.state()).not.toBe('open');
    expect(page.rendered.text()).not.toContain('Members only');
    read.mockRestore();
  });

  /** Answers with a pass of so many seconds, and never for another rule set. */
  const answer = (seconds: () => bigint) =>
    vi.spyOn(page.client, 'checkProof').mockImplementation(({ rule: asked }) =>
      asked === page.rule && seconds() > 0n
        ? Promise.resolve({
            ok: false,
            reasons: [],
            pass: { address: page.rule, wallet: page.dapp.holder.address, secondsLeft: seconds() },
          } as never)
        : new Promise(() => undefined),
    );

  it('stays closed after the end when it is shown again', async () => {
    await page.signIn();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    let seconds = 50n;
    const read = answer(() => seconds);
    await page.show({ wallet: page.dapp.holder });
    const { cache } = page.rendered;
    await page.reaches('open');
    seconds = 0n;
    await vi.advanceTimersByTimeAsync(50_000);
    await settled();
    expect(page.state()).not.toBe('open');
    const Page = () =>
      element(PassGate, { rule: page.rule, wallet: page.dapp.holder, children: 'Members only' });
    const again = await render(page.client, Page, { cache });
    await vi.waitFor(() => expect(again.text()).not.toBe(''));
    expect(again.text()).not.toContain('Members only');
    await again.unmount();
    read.mockRestore();
  });

  it('opens for no other rule set, though the page shows data of before until the answer comes', async () => {
    await page.signIn();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    let seconds = 50n;
    const read = answer(() => seconds);
    const cache = new QueryClient({ defaultOptions: { queries: { placeholderData: keepPreviousData } } });
    let choose: (rule: Address) => void;
    const Page = () => {
      const [chosen, setChosen] = useState(page.rule);
      choose = setChosen;
      return element(PassGate, { rule: chosen, wallet: page.dapp.holder, children: `Members of ${chosen}` });
    };
    page.rendered = await render(page.client, Page, { cache });
    await page.reaches('open');
    seconds = 0n;
    await vi.advanceTimersByTimeAsync(50_000);
    await settled();
    expect(page.state()).not.toBe('open');
    seconds = 5_000n;
    void cache.invalidateQueries();
    await page.reaches('open');
    const other = (await generateKeyPairSigner()).address;
    choose!(other);
    await vi.advanceTimersByTimeAsync(100);
    await settled();
    expect(page.rendered.text()).not.toContain('Members');
    read.mockRestore();
  });

  it('offers a renewal beside the children in time, and renews', async () => {
    await page.givesCredential();
    const { passExpiresAt } = await page.open();
    await page.show({ wallet: page.dapp.holder });
    await page.reaches('open');
    await page.quiet();
    expect(part('renewal'), 'the rule set allows none yet').toBeUndefined();
    await page.rendered.unmount();
    page.time = passExpiresAt - DAY / 4n;
    await page.signIn();
    page.comeBack();
    await page.show({ wallet: page.dapp.holder, renewWithin: 60 });
    await page.reaches('open');
    await page.quiet();
    expect(part('renewal'), 'it is not due').toBeUndefined();
    await page.rendered.unmount();
    await page.show({ wallet: page.dapp.holder });
    await page.rendered.shows('Your pass ends soon. Prove that');
    expect(page.rendered.text()).toContain('Members only');
    const before = page.rendered.text();
    await page.click('prove');
    await vi.waitFor(() => expect(page.rendered.text()).toBe('Members only'), { timeout: 30_000 });
    expect(before).not.toBe('Members only');
    await page.quiet();
    expect(page.rendered.text()).toBe('Members only');
    const pass = await page.client.checkProof({ rule: page.rule }, { wallet: page.dapp.holder.address });
    expect(pass.pass!.expiresAt).toBeGreaterThan(passExpiresAt);
  });
});

describe('PassGate fits into a page', () => {
  it('with other words, a class, and other content for a state', async () => {
    await page.showSignedIn({ className: 'gate', labels: { verifyButton: 'Überprüfen' } });
    await page.rendered.shows('Überprüfen');
    expect(of('.gate')[0]!.getAttribute('role')).toBe('group');
    await page.rendered.unmount();
    await page.showSignedIn({
      render: { verify: ({ verify }) => element('a', { onClick: verify }, 'my own link') },
    });
    await page.rendered.shows('my own link');
    expect(part('verify')).toBeUndefined();
  });

  it('keeps the focus when the focused button disappears, and takes it from nobody else', async () => {
    page.install(page.dapp.holder);
    await page.show();
    await page.reaches('connect');
    part('connect')!.focus();
    await page.click('connect');
    await page.reaches('signIn');
    expect(document.activeElement).toBe(of('[data-pass-gate]')[0]);
    const outside = document.createElement('input');
    document.body.append(outside);
    outside.focus();
    await page.click('signIn');
    await page.reaches('verify');
    expect(document.activeElement).toBe(outside);
    outside.remove();
  });

  it('leaves the wallet and the session', async () => {
    await page.enters();
    await page.click('leave');
    await page.reaches('connect');
    await vi.waitFor(() => expect(page.client.getSnapshot().wallet).toBeNull());
  });

  it('follows the account of the wallet', async () => {
    await page.enters();
    const features = ['solana:signMessage', 'solana:signTransaction'];
    page.changed!({ accounts: [{ address: page.dapp.other.address, features }] });
    await page.reaches('signIn');
    page.changed!({ accounts: [] });
    await page.reaches('connect');
  });

  it('renders on a server, and without a provider of TanStack Query', async () => {
    expect(htmlOf(page.client, () => element(PassGate, { rule: page.rule }))).toContain(
      'data-state="loading"',
    );
    const container = document.createElement('div');
    document.body.append(container);
    const root = createRoot(container);
    const Names = () => useWallet().wallets.map(({ name }) => name);
    page.install(page.dapp.holder, 'Only wallet');
    const client: ServiceClient = page.client;
    root.render(element(ServiceProvider, { client }, element(PassGate, { rule: page.rule }), element(Names)));
    await vi.waitFor(() => expect(container.textContent).toContain('Only wallet'));
    root.unmount();
    await settled();
    container.remove();
  });
});
