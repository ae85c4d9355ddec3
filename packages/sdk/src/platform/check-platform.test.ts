import { type Address, generateKeyPairSigner } from '@solana/kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEPLOYMENT } from '../../test/support/deployment.ts';
import { artifacts, attributes, facts } from '../../test/support/prover/eligible.ts';
import * as chain from '../chain/index.ts';
import * as sdk from '../index.ts';
import { artifactsFrom } from '../prover/artifact-source/artifacts-from.ts';
import { proveFacts } from '../prover/prove-facts.ts';
import { startProver } from '../prover/worker/proving-queue.ts';
import * as query from '../query/index.ts';
import { checkPlatform } from './check-platform.ts';

const ADDRESS = DEPLOYMENT.program as Address;
const deployment = sdk.parseDeployment(DEPLOYMENT);
const wallet = await generateKeyPairSigner();
const { keyPair } = wallet;
const fetch = vi.fn(async () => Response.error());
const rpc = new Proxy({} as never, {
  get: () => () => {
    throw new Error('the RPC was called');
  },
});
const client = new sdk.ServiceClient({ deployment, fetch, rpc });
const proof = { rule: ADDRESS, expiresAt: 1n, asOf: 1, proof: new Uint8Array(256) };
const witness = {
  wallet: ADDRESS,
  region: 'FR',
  status: 'retail',
  birthDate: '1990-05-17',
  salt: `${2n ** 130n}`,
  person: `${2n ** 130n}`,
};
const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }] as const;
const move = { mint: ADDRESS, source: ADDRESS, destination: wallet.address, amount: 1n };

/** Every call that signs, or reads the chain. */
const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  authenticate: () => client.authenticate(wallet, deployment.genesisHash),
  prepareSignIn: () => client.prepareSignIn(wallet, deployment.genesisHash),
  createRuleSet: () => client.createRuleSet(wallet, { name: 'A', clauses, maxPassAgeSeconds: 86_400n }),
  transfer: () => client.transfer(wallet, move),
  'prepare.issue': () => client.prepare.issue(move),
  'prove with a proof': () => client.prove(wallet, proof),
  'prove with a witness': () => client.prove(wallet, { rule: ADDRESS, witness: witness as sdk.Witness }),
  proofContext: () => client.proofContext({ rule: ADDRESS }),
  checkTransfer: () => client.checkTransfer(move),
  createTokenAccount: () => chain.createTokenAccount(wallet, { deployment, rpc, mint: ADDRESS }),
  fetchPass: () => chain.fetchPass({ deployment, rpc, rule: ADDRESS, wallet: ADDRESS }),
  tokenAccountOf: () => sdk.tokenAccountOf({ mint: ADDRESS, owner: ADDRESS }),
  walletFromKeyPair: () => sdk.walletFromKeyPair(keyPair),
};
const PROOFS: Readonly<Record<string, () => Promise<unknown>>> = {
  proveFacts: () => proveFacts(facts, attributes, { digest: artifacts.digest, load: async () => artifacts }),
  startProver: () => startProver('own', undefined),
};

const lack = (feature: string, neededFor: string, remedy: RegExp) => ({
  feature,
  neededFor,
  remedy: expect.stringMatching(remedy),
});

/** Removes what browsers do not give to a page without https. */
function leaveSecureContext() {
  vi.stubGlobal('isSecureContext', false);
  vi.stubGlobal('crypto', { getRandomValues: (array: never) => array });
}

afterEach(() => {
  vi.unstubAllGlobals();
  fetch.mockClear();
});

describe('checkPlatform', () => {
  it('returns an empty list on this platform, also in a page that is secure', () => {
    expect(checkPlatform()).toEqual([]);
    vi.stubGlobal('isSecureContext', true);
    expect(checkPlatform()).toEqual([]);
  });

  it('names polyfills and a native prover in React Native', () => {
    vi.stubGlobal('navigator', { product: 'ReactNative' });
    vi.stubGlobal('WebAssembly', undefined);
    vi.stubGlobal('URL', undefined);
    expect(checkPlatform()).toEqual([
      lack('URL', 'everything', /^Install a polyfill/),
      lack(
        'WebAssembly',
        'proofs',
        /^Pass a native prover: new ServiceClient\(\{ deployment, prover \}\)\.$/,
      ),
    ]);
  });

  it('names https for a page that is not secure', () => {
    leaveSecureContext();
    const remedy = /^Browsers have it only on secure pages\. Serve the page over https, or from localhost\.$/;
    expect(checkPlatform()).toEqual([
      lack('crypto.randomUUID', 'everything', remedy),
      lack('crypto.subtle', 'everything', remedy),
    ]);
  });

  it('names Lockdown Mode for an engine without WebAssembly, and only proofs need it', () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(checkPlatform()).toEqual([lack('WebAssembly', 'proofs', /Lockdown Mode/)]);
  });

  it('names the policy that blocks WebAssembly, but not where a worker may have another policy', () => {
    const Module = class {
      constructor() {
        throw new EvalError('blocked by CSP');
      }
    };
    vi.stubGlobal('WebAssembly', { Module });
    expect(checkPlatform()).toEqual([lack('WebAssembly', 'proofs', /^Allow 'wasm-unsafe-eval'/)]);
    vi.stubGlobal('Worker', class {});
    expect(checkPlatform()).toEqual([]);
  });

  it.each([
    'AbortController',
    'AbortSignal',
    'Array.prototype.at',
    'BigUint64Array',
    'Headers',
    'Intl',
    'Object.hasOwn',
    'Request',
    'Response',
    'String.prototype.replaceAll',
    'TextDecoder',
    'TextEncoder',
    'URL',
    'URLSearchParams',
    'atob',
    'btoa',
    'fetch',
    'performance',
  ])('names the platforms that have %s', (feature) => {
    const path = feature.split('.');
    const last = path.pop() as string;
    let owner = globalThis as never;
    for (const name of path) owner = owner[name];
    const kept = Object.getOwnPropertyDescriptor(owner, last)!;
    Object.defineProperty(owner, last, { configurable: true, value: undefined });
    let found: ReturnType<typeof checkPlatform>;
    try {
      found = checkPlatform();
    } finally {
      Object.defineProperty(owner, last, kept);
    }
    expect(found).toEqual([lack(feature, 'everything', /^Use Chrome or Edge 109/)]);
  });
});

describe('a call on a platform that lacks something', () => {
  it.each(Object.keys({ ...CALLS, ...PROOFS }))(
    '%s names what is missing on a page without https',
    async (name) => {
      leaveSecureContext();
      const context = { missing: [{ feature: 'crypto.randomUUID' }, { feature: 'crypto.subtle' }] };
      const message = expect.stringContaining('over https, or from localhost');
      const error = { code: 'UNSUPPORTED_PLATFORM', retryable: false, message, context };
      await expect({ ...CALLS, ...PROOFS }[name]!()).rejects.toMatchObject(error);
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  it.each(Object.keys(CALLS))('%s names what is missing without any WebCrypto', async (name) => {
    vi.stubGlobal('crypto', undefined);
    await expect(CALLS[name]!()).rejects.toMatchObject({ code: 'UNSUPPORTED_PLATFORM' });
  });

  it.each(Object.keys(PROOFS))('%s needs WebAssembly', async (name) => {
    vi.stubGlobal('WebAssembly', undefined);
    const context = { missing: [{ feature: 'WebAssembly' }] };
    await expect(PROOFS[name]!()).rejects.toMatchObject({ code: 'UNSUPPORTED_PLATFORM', context });
  });

  it('a proof of a native prover does not need WebAssembly', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    const cause = new Error('the artifacts were loaded');
    const source = { digest: artifacts.digest, load: () => Promise.reject(cause) };
    const prover = { prove: () => Promise.reject(new Error('not reached')) };
    const proving = proveFacts(facts, attributes, source, { prover });
    await expect(proving).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR', cause });
  });

  it('a call that makes no proof works without WebAssembly', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(await sdk.tokenAccountOf({ mint: ADDRESS, owner: ADDRESS })).toEqual(expect.any(String));
  });

  it('artifacts are not blamed on a page without https', async () => {
    leaveSecureContext();
    const source = artifactsFrom({ digest: artifacts.digest, url: 'https://site.test', fetch });
    await expect(source.load()).rejects.toMatchObject({ code: 'UNSUPPORTED_PLATFORM' });
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('a function that returns at once', () => {
  const fragment = '#witness=e30';
  const atPage = (call: () => unknown) => {
    vi.stubGlobal('location', { hash: fragment, pathname: '/', search: '' });
    vi.stubGlobal('history', { replaceState: () => undefined });
    return call();
  };
  const source = { digest: artifacts.digest, url: 'https://site.test' };

  it.each<[string, string, () => unknown]>([
    ['parseDeployment', 'URL', () => sdk.parseDeployment(DEPLOYMENT)],
    ['new ServiceClient', 'URL', () => new sdk.ServiceClient({ deployment })],
    ['new ServiceClient', 'fetch', () => new sdk.ServiceClient({ deployment })],
    ['new ServiceClient with a fetch', 'Request', () => new sdk.ServiceClient({ deployment, fetch })],
    ['new ServiceClient', 'AbortController', () => new sdk.ServiceClient({ deployment })],
    ['new ServiceClient', 'performance', () => new sdk.ServiceClient({ deployment })],
    ['parseWitnessFragment', 'URLSearchParams', () => sdk.parseWitnessFragment(fragment)],
    ['parseWitnessFragment', 'TextDecoder', () => sdk.parseWitnessFragment(fragment)],
    ['parseWitnessFragment', 'atob', () => sdk.parseWitnessFragment(fragment)],
    ['takeWitnessFromLocation', 'URLSearchParams', () => atPage(sdk.takeWitnessFromLocation)],
    ['take of a witness store', 'URLSearchParams', () => atPage(query.createWitnessStore().take)],
    ['artifactsFrom', 'URL', () => artifactsFrom({ ...source, url: new Date() as never })],
  ])('%s names %s if it is missing', (_name, feature, call) => {
    vi.stubGlobal(feature, undefined);
    const context = { missing: [lack(feature, 'everything', /^Use Chrome or Edge 109/)] };
    expect(call).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_PLATFORM', retryable: false, context }),
    );
  });

  it('creates a client on a page without https, which can read from the service', () => {
    leaveSecureContext();
    expect(() => new sdk.ServiceClient({ deployment, fetch })).not.toThrow();
  });
});

describe('a fetch without streams, as in React Native', () => {
  const streamless = async () =>
    Object.defineProperty(Response.json({ wallet: null }), 'body', { value: undefined });
  const refused = expect.objectContaining({
    code: 'UNSUPPORTED_PLATFORM',
    message: expect.stringContaining('Pass a fetch with streams'),
    context: { missing: [expect.objectContaining({ feature: 'Response.body' })] },
  });

  it('is blamed, and not the service', async () => {
    const other = new sdk.ServiceClient({ deployment, fetch: streamless, retry: { limit: 0 } });
    await expect(other.session()).rejects.toEqual(refused);
  });

  it('is blamed, and not the artifacts', async () => {
    // Of artifacts that no other test has loaded.
    const source = artifactsFrom({
      digest: '0'.repeat(64),
      url: 'https://app.example',
      fetch: streamless,
    });
    await expect(source.load()).rejects.toEqual(refused);
  });
});
