/** A page with a PassGate: its service in memory, the wallet of its browser, and what a person sees and does there. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import type { VerificationState } from '@service/contract';
import { artifactsFrom, disposeProver, type Witness } from '@service/sdk';
import { PassGate, type PassGateProps } from '@service/sdk/react';
import { testCredential } from '@service/testing';
import { type Address, type KeyPairSigner, signBytes } from '@solana/kit';
import { getWallets } from '@wallet-standard/app';
import { createElement as element } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { type Dapp, dapp, rules } from './dapp.ts';
import { type Rendered, render, settled } from './render.ts';

const artifacts = artifactsFrom({ digest: (await readArtifacts()).digest, files: artifactsDirectory });

type Changed = (change: { accounts: readonly object[] }) => void;

/** The page of one test. Each test begins with nobody signed in, a rule set of another wallet, and a witness of the holder. */
class GatePage {
  dapp!: Dapp;
  rule!: Address;
  witness!: Witness;
  rendered!: Rendered;
  /** The time of the service and its chain, if it is not the machine's. */
  time: bigint | undefined;
  /** URLs for which the person left the page. */
  left: string[] = [];
  /** What the wallet of the browser answers instead of doing what it is asked. */
  refusal: string | undefined;
  /** What the wallet of the browser waits for, such as for the person. */
  waits: Promise<void> | undefined;
  /** Reports other accounts of the wallet of the browser. */
  changed: Changed | undefined;
  #unregister = () => {};

  get client() {
    return this.dapp.client;
  }

  async begin(): Promise<void> {
    [this.time, this.left, this.refusal, this.waits] = [undefined, [], undefined, undefined];
    const now = () => this.time ?? BigInt(Math.floor(Date.now() / 1_000));
    this.dapp = await dapp({ artifacts, now });
    const issuer = this.dapp.otherPage();
    await issuer.authenticate(this.dapp.other, issuer.deployment.genesisHash);
    ({ rule: this.rule } = await issuer.createRuleSet(this.dapp.other, rules));
    await issuer.logout();
    ({ witness: this.witness } = await testCredential(this.dapp.holder.address));
  }

  async end(): Promise<void> {
    await this.rendered?.unmount();
    this.#unregister();
    this.#unregister = () => {};
    history.replaceState(null, '', '/verified');
    sessionStorage.clear();
    localStorage.clear();
  }

  /** Registers a wallet in the browser, as an extension does. */
  install({ address, keyPair }: KeyPairSigner = this.dapp.holder, name = 'Test wallet'): void {
    const sign = (bytes: Uint8Array) => signBytes(keyPair.privateKey, bytes);
    const features = ['solana:signMessage', 'solana:signTransaction'] as const;
    const account = { address, publicKey: new Uint8Array(32), chains: ['solana:devnet'], features };
    const asked = async <T>(result: () => T) => {
      await this.waits;
      if (this.refusal) throw new Error(this.refusal);
      return result();
    };
    this.#unregister = getWallets().register({
      version: '1.0.0',
      name,
      icon: 'data:image/png;base64,',
      chains: ['solana:devnet'],
      accounts: [],
      features: {
        'standard:connect': { version: '1.0.0', connect: () => asked(() => ({ accounts: [account] })) },
        'standard:events': {
          version: '1.0.0',
          on: (_event: string, listener: Changed) => {
            this.changed = listener;
            return () => {
              this.changed = undefined;
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

  async show(props: Partial<PassGateProps> = {}): Promise<void> {
    const leave = (url: string) => void this.left.push(url);
    const gate = { rule: this.rule, leave, children: 'Members only', ...props };
    this.rendered = await render(this.client, () => element(PassGate, gate));
  }

  signIn() {
    return this.client.authenticate(this.dapp.holder, this.client.deployment.genesisHash);
  }

  /** Shows the gate to a person who is connected and signed in. */
  async showSignedIn(props: Partial<PassGateProps> = {}): Promise<void> {
    await this.signIn();
    await this.show({ wallet: this.dapp.holder, ...props });
  }

  /** Shows the gate to a person whose browser connects the wallet of the last visit. */
  async showConnected(props: Partial<PassGateProps> = {}): Promise<void> {
    this.install();
    localStorage.setItem('service:wallet', 'Test wallet');
    await this.show(props);
  }

  /** Connects the wallet of the browser, and signs in. */
  async enters(): Promise<void> {
    this.install();
    await this.show();
    await this.reaches('connect');
    await this.click('connect');
    await this.reaches('signIn');
    await this.click('signIn');
    await this.reaches('verify');
  }

  async givesCredential(): Promise<void> {
    await this.signIn();
    await this.client.startVerification({ returnUrl: `${this.client.deployment.baseUrl}/verified` });
  }

  open(given = this.witness) {
    return this.client.prove(this.dapp.holder, { rule: this.rule, witness: given });
  }

  comeBack(given: Witness = this.witness): void {
    const text = Buffer.from(JSON.stringify(given)).toString('base64url');
    history.replaceState(null, '', `/verified#witness=${text}`);
  }

  /** The service in memory issues the credential at once, and knows no other state. */
  passportHas(verification: VerificationState, fields: object = {}, credential: object = {}): void {
    this.dapp.instead = async (request) => {
      if (new URL(request.url).pathname !== '/api/passport') return undefined;
      const passport = await (await this.dapp.answer(request)).json();
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

  state(): string | undefined {
    return of('[data-pass-gate]')[0]?.dataset.state;
  }

  reaches(expected: string): Promise<void> {
    return vi.waitFor(
      () => expect(`${this.state()}: ${this.rendered.text()}`).toMatch(new RegExp(`^${expected}:`)),
      { timeout: 60_000, interval: 5 },
    );
  }

  /** Waits until the page asks nothing. */
  async quiet(): Promise<void> {
    await vi.waitFor(() => expect(this.rendered.cache.isFetching()).toBe(0));
    await settled();
  }

  async click(name: string): Promise<void> {
    part(name)!.click();
    await settled();
  }
}

export const of = (selector: string) => [...document.querySelectorAll(selector)] as HTMLElement[];
export const part = (name: string) => of(`[data-part=${name}]`)[0];

/** Returns the page of each test in a file. Fails a test in which React complains. */
export function useGatePage(): GatePage {
  const page = new GatePage();
  const complaints: string[] = [];
  beforeAll(() => {
    vi.spyOn(console, 'error').mockImplementation((...all) => void complaints.push(all.join(' ')));
    // The window accepts only events of its own class, so the registry cannot announce itself. Wallets register directly.
    // Only the first file of a worker sees that complaint.
    getWallets();
    complaints.length = 0;
  });
  afterAll(async () => {
    await disposeProver();
  });
  beforeEach(() => page.begin());
  afterEach(async () => {
    vi.useRealTimers();
    await page.end();
    expect(complaints.splice(0)).toEqual([]);
  });
  return page;
}
