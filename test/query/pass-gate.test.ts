/** The drop-in under StrictMode, in a real DOM, with the service in memory and a wallet that the browser lists. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import type { VerificationState } from '@service/contract';
import { artifactsFrom, disposeProver, type ServiceClient, type Witness } from '@service/sdk';
import { PassGate, type PassGateProps, ServiceProvider, useWallet } from '@service/sdk/react';
import { testCredential } from '@service/testing';
import { type Address, generateKeyPairSigner, type KeyPairSigner, signBytes } from '@solana/kit';
import { keepPreviousData, QueryClient } from '@tanstack/react-query';
import { getWallets } from '@wallet-standard/app';
import { createElement as element, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Dapp, dapp, rules } from './support/dapp.ts';
import { htmlOf, type Rendered, render, settled } from './support/render.ts';

const artifacts = artifactsFrom({ digest: (await readArtifacts()).digest, files: artifactsDirectory });
const DAY = 86_400n;
let page: Dapp;
let rule: Address;
let witness: Witness;
/** The time of the service and its chain, if it is not the machine's. */
let time: bigint | undefined;
let rendered: Rendered | undefined;
let unregister = () => {};
let left: string[] = [];
let refusal: string | undefined;
/** Ends of the accounts' listeners of the wallet. */
let changed: ((change: { accounts: readonly object[] }) => void) | undefined;
const complaints: string[] = [];

beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation((...all) => void complaints.push(all.join(' ')));
  // The window accepts only events of its own class, so the registry cannot announce itself. Wallets register directly.
  getWallets();
  expect(complaints.splice(0)).toHaveLength(1);
});
afterAll(async () => {
  await disposeProver();
});
beforeEach(async () => {
  [time, left, refusal] = [undefined, [], undefined];
  page = await dapp({ artifacts, now: () => time ?? BigInt(Math.floor(Date.now() / 1_000)) });
  const issuer = page.otherPage();
  await issuer.authenticate(page.other, issuer.deployment.genesisHash);
  ({ rule } = await issuer.createRuleSet(page.other, rules));
  await issuer.logout();
  ({ witness } = await testCredential(page.holder.address));
});
afterEach(async () => {
  vi.useRealTimers();
  await rendered?.unmount();
  rendered = undefined;
  unregister();
  unregister = () => {};
  history.replaceState(null, '', '/verified');
  sessionStorage.clear();
  localStorage.clear();
  expect(complaints.splice(0)).toEqual([]);
});

/** Registers a wallet in the browser, as an extension does. */
function install({ address, keyPair }: KeyPairSigner, name = 'Test wallet'): void {
  const sign = (bytes: Uint8Array) => signBytes(keyPair.privateKey, bytes);
  const features = ['solana:signMessage', 'solana:signTransaction'] as const;
  const account = { address, publicKey: new Uint8Array(32), chains: ['solana:devnet'], features };
  const asked = async <T>(result: () => T) => {
    if (refusal) throw new Error(refusal);
    return result();
  };
  unregister = getWallets().register({
    version: '1.0.0',
    name,
    icon: 'data:image/png;base64,',
    chains: ['solana:devnet'],
    accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: () => asked(() => ({ accounts: [account] })) },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: typeof changed) => {
          changed = listener;
          return () => {
            changed = undefined;
          };
        },
      },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: ({ message }: { message: Uint8Array }) =>
          asked(async () => [{ signedMessage: message, signature: await sign(message) }]),
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: [0],
        signTransaction: ({ transaction }: { transaction: Uint8Array }) =>
          asked(async () => {
            const message = transaction.subarray(65);
            return [{ signedTransaction: Uint8Array.from([1, ...(await sign(message)), ...message]) }];
          }),
      },
    },
  } as never);
}

const show = async (props: Partial<PassGateProps> = {}, client = page.client) => {
  const gate = { rule, leave: (url: string) => void left.push(url), children: 'Members only', ...props };
  rendered = await render(client, () => element(PassGate, gate));
  return rendered;
};
const signIn = () => page.client.authenticate(page.holder, page.client.deployment.genesisHash);
/** Shows the gate to a person who is connected and signed in. */
const showSignedIn = async (props: Partial<PassGateProps> = {}) => {
  await signIn();
  return show({ wallet: page.holder, ...props });
};
const open = (given = witness) => page.client.prove(page.holder, { rule, witness: given });
const of = (selector: string) => [...document.querySelectorAll(selector)] as HTMLElement[];
const part = (name: string) => of(`[data-part=${name}]`)[0];
const state = () => of('[data-pass-gate]')[0]?.dataset.state;
const reaches = (expected: string) =>
  vi.waitFor(() => expect(`${state()}: ${rendered!.text()}`).toMatch(new RegExp(`^${expected}:`)), {
    timeout: 60_000,
    interval: 5,
  });
/** Waits until the page asks nothing. */
const quiet = async () => {
  await vi.waitFor(() => expect(rendered!.cache.isFetching()).toBe(0));
  await settled();
};
const click = async (name: string) => {
  part(name)!.click();
  await settled();
};
function comeBack(given: Witness = witness): void {
  const text = Buffer.from(JSON.stringify(given)).toString('base64url');
  history.replaceState(null, '', `/verified#witness=${text}`);
}
/** The service in memory issues the credential at once, and knows no other state. */
function passportHas(verification: VerificationState, fields: object = {}, credential: object = {}): void {
  page.instead = async (request) => {
    if (new URL(request.url).pathname !== '/api/passport') return undefined;
    const passport = await (await page.answer(request)).json();
    return Response.json({
      ...passport,
      credential: passport.credential && { ...passport.credential, ...credential },
      verification: {
        sessionId: crypto.randomUUID(),
        state: verification,
        expiresAt: '9999999999',
        ...fields,
      },
    });
  };
}
/** Connects the wallet of the browser, and signs in. */
const enters = async () => {
  install(page.holder);
  await show();
  await reaches('connect');
  await click('connect');
  await reaches('signIn');
  await click('signIn');
  await reaches('verify');
};
const givesCredential = async () => {
  await signIn();
  await page.client.startVerification({ returnUrl: `${page.client.deployment.baseUrl}/verified` });
};

describe('PassGate leads a person to a pass', () => {
  it('from the choice of a wallet to the children, and forgets the witness', async () => {
    await show();
    await reaches('connect');
    expect(rendered!.text()).toContain('No wallet was found');
    install(page.holder);
    await rendered!.shows('Connect Test wallet');
    await click('connect');
    await reaches('signIn');
    await click('signIn');
    await reaches('verify');
    expect(rendered!.text()).not.toContain('Members only');
    await click('verify');
    await vi.waitFor(() => expect(left).toHaveLength(1));
    expect(page.client.deployment.verifierOrigins).toContain(new URL(left[0]!).origin);

    // The verifier sends the person back to a new page, which connects the wallet and signs in as before.
    await rendered!.unmount();
    comeBack();
    await show();
    await reaches('prove');
    await click('prove');
    await reaches('proving');
    expect(part('progress')!.getAttribute('aria-label')).toBeTruthy();
    await reaches('open');
    expect(rendered!.text()).toBe('Members only');
    expect(part('renewal')).toBeUndefined();
    expect(location.hash).toBe('');
  });

  it('and says why the wallet, the service or the verification refused', async () => {
    install(page.holder);
    await show();
    await reaches('connect');
    refusal = 'User rejected the request.';
    await click('connect');
    await rendered!.shows('Test wallet did not connect: User rejected the request. Nothing was sent.');
    refusal = undefined;
    await click('connect');
    await reaches('signIn');
    refusal = 'No.';
    await click('signIn');
    await rendered!.shows('The wallet did not sign the message: No.');
    expect(part('error')!.getAttribute('role')).toBe('alert');
    refusal = undefined;
    await click('signIn');
    await reaches('verify');
    page.instead = (request) =>
      new URL(request.url).pathname === '/api/verification-sessions'
        ? Response.json({
            sessionId: crypto.randomUUID(),
            url: 'https://evil.test/',
            expiresAt: '9999999999',
          })
        : undefined;
    await click('verify');
    await rendered!.shows('the deployment pins');
    expect(left).toEqual([]);
  });

  it('with the wallet of another account only if it signs in', async () => {
    await signIn();
    await show({ wallet: page.other });
    await reaches('signIn');
  });
});

describe('PassGate shows', () => {
  it('that the credential is on its way, and that people review it', async () => {
    await givesCredential();
    comeBack();
    passportHas('ISSUING', {}, { commitment: 'ab'.repeat(32) });
    await show({ wallet: page.holder });
    await reaches('waiting');
    await rendered!.unmount();
    passportHas('ISSUING', { pendingSince: '1700000000' }, { commitment: 'ab'.repeat(32) });
    await show({ wallet: page.holder });
    await rendered!.shows('reviews your data');
  });

  it('what is missing, who can act, and checks again', async () => {
    const nowhere = (await generateKeyPairSigner()).address;
    await showSignedIn({ rule: nowhere });
    await reaches('blocked');
    expect(of('li').map(({ dataset }) => [dataset.code, dataset.who])).toContainEqual([
      'NOT_FOUND',
      'issuer',
    ]);
    const check = vi.spyOn(page.client, 'checkProof');
    await click('retry');
    expect(check).toHaveBeenCalled();
    check.mockRestore();
  });

  it('a person who does not meet the rules, and offers another verification', async () => {
    await givesCredential();
    const strict = {
      ...rules,
      clauses: [{ regions: ['DE'], statuses: ['professional'], minAge: 18 }],
    } as const;
    const { rule: other } = await page.otherPage().createRuleSet(page.holder, strict);
    comeBack();
    await show({ wallet: page.holder, rule: other });
    await reaches('blocked');
    expect(rendered!.text()).toContain('You do not meet the rules.');
    await click('verify');
    await vi.waitFor(() => expect(left).toHaveLength(1));
  });

  it('that the page has the witness of another wallet', async () => {
    comeBack({ ...witness, wallet: page.other.address });
    await showSignedIn();
    await rendered!.shows('You verified another wallet.');
  });

  it('an RPC or a service that fails, and asks again', async () => {
    await signIn();
    const error = await page.client.checkProof({ rule: 'x' as never }).catch((thrown) => thrown);
    const check = vi.spyOn(page.client, 'checkProof').mockRejectedValue(error);
    await show({ wallet: page.holder });
    await reaches('failed');
    expect(part('error')!.getAttribute('role')).toBe('alert');
    check.mockRestore();
    await click('retry');
    await reaches('verify');
  });

  it('a proof that the person cancels, without an error once they start again', async () => {
    await givesCredential();
    comeBack();
    const never = vi
      .spyOn(page.client, 'prove')
      .mockImplementation(
        (_wallet, _request, { signal } = {}) =>
          new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      );
    await show({ wallet: page.holder });
    await reaches('prove');
    await click('prove');
    await reaches('proving');
    await click('cancel');
    await reaches('prove');
    never.mockRestore();
    await click('prove');
    await reaches('open');
  });
});

describe('PassGate while the pass is open', () => {
  const showOpen = async (props: Partial<PassGateProps> = {}) => {
    await givesCredential();
    await open();
    return show({ wallet: page.holder, ...props });
  };

  it('gives the wallet and the pass to a function', async () => {
    await showOpen({ children: ({ wallet, pass }) => `${wallet.address} ${pass.secondsLeft > 0n}` });
    await rendered!.shows(`${page.holder.address} true`);
  });

  it('closes when the pass expires, though nothing is read again', async () => {
    await givesCredential();
    const { passExpiresAt } = await open();
    time = passExpiresAt - 50n;
    await signIn();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await show({ wallet: page.holder });
    await reaches('open');
    const read = vi.spyOn(page.client, 'checkProof').mockImplementation(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(state()).toBe('open');
    await vi.advanceTimersByTimeAsync(20_000);
    await settled();
    expect(state()).not.toBe('open');
    expect(rendered!.text()).not.toContain('Members only');
    read.mockRestore();
  });

  /** Answers with a pass of so many seconds, and never for another rule set. */
  const answer = (seconds: () => bigint) =>
    vi.spyOn(page.client, 'checkProof').mockImplementation(({ rule: asked }) =>
      asked === rule && seconds() > 0n
        ? Promise.resolve({
            ok: false,
            reasons: [],
            pass: { address: rule, wallet: page.holder.address, secondsLeft: seconds() },
          } as never)
        : new Promise(() => undefined),
    );

  it('stays closed after the end when it is shown again', async () => {
    await signIn();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    let left = 50n;
    const read = answer(() => left);
    await show({ wallet: page.holder });
    const { cache } = rendered!;
    await reaches('open');
    left = 0n;
    await vi.advanceTimersByTimeAsync(50_000);
    await settled();
    expect(state()).not.toBe('open');
    const Page = () => element(PassGate, { rule, wallet: page.holder, children: 'Members only' });
    const again = await render(page.client, Page, { cache });
    await vi.waitFor(() => expect(again.text()).not.toBe(''));
    expect(again.text()).not.toContain('Members only');
    await again.unmount();
    read.mockRestore();
  });

  it('opens for no other rule set, though the page shows data of before until the answer comes', async () => {
    await signIn();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    let left = 50n;
    const read = answer(() => left);
    const cache = new QueryClient({ defaultOptions: { queries: { placeholderData: keepPreviousData } } });
    let choose: (rule: Address) => void;
    const Page = () => {
      const [chosen, setChosen] = useState(rule);
      choose = setChosen;
      return element(PassGate, { rule: chosen, wallet: page.holder, children: `Members of ${chosen}` });
    };
    rendered = await render(page.client, Page, { cache });
    await reaches('open');
    left = 0n;
    await vi.advanceTimersByTimeAsync(50_000);
    await settled();
    expect(state()).not.toBe('open');
    left = 5_000n;
    void cache.invalidateQueries();
    await reaches('open');
    const other = (await generateKeyPairSigner()).address;
    choose!(other);
    await vi.advanceTimersByTimeAsync(100);
    await settled();
    expect(rendered!.text()).not.toContain('Members');
    read.mockRestore();
  });

  it('offers a renewal beside the children in time, and renews', async () => {
    await givesCredential();
    const { passExpiresAt } = await open();
    await show({ wallet: page.holder });
    await reaches('open');
    await quiet();
    expect(part('renewal'), 'the rule set allows none yet').toBeUndefined();
    await rendered!.unmount();
    time = passExpiresAt - DAY / 4n;
    await signIn();
    comeBack();
    await show({ wallet: page.holder, renewWithin: 60 });
    await reaches('open');
    await quiet();
    expect(part('renewal'), 'it is not due').toBeUndefined();
    await rendered!.unmount();
    await show({ wallet: page.holder });
    await rendered!.shows('Your pass ends soon. Prove that');
    expect(rendered!.text()).toContain('Members only');
    const before = rendered!.text();
    await click('prove');
    await vi.waitFor(() => expect(rendered!.text()).toBe('Members only'), { timeout: 30_000 });
    expect(before).not.toBe('Members only');
    await quiet();
    expect(rendered!.text()).toBe('Members only');
    const pass = await page.client.checkProof({ rule }, { wallet: page.holder.address });
    expect(pass.pass!.expiresAt).toBeGreaterThan(passExpiresAt);
  });
});

describe('PassGate fits into a page', () => {
  it('with other words, a class, and other content for a state', async () => {
    await showSignedIn({ className: 'gate', labels: { verifyButton: 'Überprüfen' } });
    await rendered!.shows('Überprüfen');
    expect(of('.gate')[0]!.getAttribute('role')).toBe('group');
    await rendered!.unmount();
    await showSignedIn({
      render: { verify: ({ verify }) => element('a', { onClick: verify }, 'my own link') },
    });
    await rendered!.shows('my own link');
    expect(part('verify')).toBeUndefined();
  });

  it('keeps the focus when the focused button disappears, and takes it from nobody else', async () => {
    install(page.holder);
    await show();
    await reaches('connect');
    part('connect')!.focus();
    await click('connect');
    await reaches('signIn');
    expect(document.activeElement).toBe(of('[data-pass-gate]')[0]);
    const outside = document.createElement('input');
    document.body.append(outside);
    outside.focus();
    await click('signIn');
    await reaches('verify');
    expect(document.activeElement).toBe(outside);
    outside.remove();
  });

  it('leaves the wallet and the session', async () => {
    await enters();
    await click('leave');
    await reaches('connect');
    await vi.waitFor(() => expect(page.client.getSnapshot().wallet).toBeNull());
  });

  it('follows the account of the wallet', async () => {
    await enters();
    const features = ['solana:signMessage', 'solana:signTransaction'];
    changed!({ accounts: [{ address: page.other.address, features }] });
    await reaches('signIn');
    changed!({ accounts: [] });
    await reaches('connect');
  });

  it('renders on a server, and without a provider of TanStack Query', async () => {
    expect(htmlOf(page.client, () => element(PassGate, { rule }))).toContain('data-state="loading"');
    const container = document.createElement('div');
    document.body.append(container);
    const root = createRoot(container);
    const Names = () => useWallet().wallets.map(({ name }) => name);
    install(page.holder, 'Only wallet');
    const client: ServiceClient = page.client;
    root.render(element(ServiceProvider, { client }, element(PassGate, { rule }), element(Names)));
    await vi.waitFor(() => expect(container.textContent).toContain('Only wallet'));
    root.unmount();
    await settled();
    container.remove();
  });
});
