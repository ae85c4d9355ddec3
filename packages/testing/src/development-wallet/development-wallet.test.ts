/** The development wallet as a page uses it: in the registry of the Wallet Standard, and through the SDK. */
import { createRequire } from 'node:module';
import {
  isServiceError,
  type PlainWallet,
  ServiceClient,
  type ServiceErrorCode,
  standardWallet,
} from '@service/sdk';
import { errorOf } from '@service/test-support';
import {
  type Address,
  getPublicKeyFromAddress,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit';
import type { Wallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type DevelopmentWalletOptions,
  type DevelopmentWalletRequest,
  registerDevelopmentWallet,
  type SimulatedStandardAccount,
  type SimulatedStandardWallet,
  testWallet,
} from '../index.ts';
import { type ServiceHandlers, serviceHandlers } from '../msw/index.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

const server = setupServer();
let service: ServiceHandlers;
beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' });
  service = await serviceHandlers();
  server.use(...service.handlers);
});
afterAll(() => server.close());

let storage: Map<string, string>;
beforeEach(() => {
  storage = new Map();
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage: localStorage() }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const localStorage = () => ({
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
});

const require = createRequire(import.meta.url);
/** Returns the registry of a dApp that loads now, from a new copy of the module. */
function registry(): Wallets {
  for (const file of Object.keys(require.cache)) {
    if (file.includes('/@wallet-standard/app/')) delete require.cache[file];
  }
  return (require('@wallet-standard/app') as typeof import('@wallet-standard/app')).getWallets();
}

const register = (options: Partial<DevelopmentWalletOptions> = {}) =>
  registerDevelopmentWallet({ deployment: service.deployment, ...options });

const featureOf = (wallet: SimulatedStandardWallet, name: string) =>
  wallet.features[`standard:${name}`] as Record<string, (...input: unknown[]) => Promise<unknown>>;
const connect = (wallet: SimulatedStandardWallet, input?: object) =>
  featureOf(wallet, 'connect').connect!(input) as Promise<{ accounts: SimulatedStandardAccount[] }>;

describe('registration', () => {
  it.each(['before', 'after'])('reaches a dApp that loads %s it, and can be undone', async (when) => {
    const early = when === 'before' ? registry() : null;
    const { wallet, accounts, unregister } = await register();
    const wallets = early ?? registry();
    // The types of the Wallet Standard accept both.
    const [found, account]: [Wallet, WalletAccount] = [wallet, accounts[0]!];
    expect(wallets.get()).toEqual([found]);
    expect([found.name, account.label]).toEqual(['Development wallet', 'Issuer']);
    expect(found.icon).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(found.chains).toEqual(['solana:localnet', 'solana:devnet']);
    expect(Object.keys(found.features)).not.toContain('solana:signAndSendTransaction');
    unregister();
    expect(wallets.get()).toEqual([]);
  });

  it('leaves one wallet in the page, of the last call, also when React runs an effect twice', async () => {
    const wallets = registry();
    const [first, second] = await Promise.all([register(), register()]);
    expect(wallets.get()).toEqual([second.wallet]);
    first.unregister();
    expect(wallets.get()).toEqual([second.wallet]);
    const third = await register();
    expect(wallets.get()).toEqual([third.wallet]);
    third.unregister();
    expect(wallets.get()).toEqual([]);
  });

  const refused = async (options: Partial<DevelopmentWalletOptions>, code: ServiceErrorCode) => {
    const wallets = registry();
    const error = await errorOf(register(options));
    expect(isServiceError(error, code), String(error)).toBe(true);
    expect(wallets.get()).toEqual([]);
    return error;
  };

  it('is refused on mainnet: for the deployment, and for the RPC', async () => {
    const { deployment } = service;
    const pinned = { deployment: { ...deployment, genesisHash: MAINNET } };
    expect(await refused(pinned, 'INVALID_ARGUMENT')).toMatchObject({
      context: { field: 'deployment.genesisHash' },
    });
    vi.stubGlobal('fetch', async (_input: unknown, init: RequestInit) => {
      const { id } = JSON.parse(String(init.body)) as { id: string };
      return Response.json({ jsonrpc: '2.0', id, result: MAINNET });
    });
    expect(await refused({}, 'GENESIS_HASH_MISMATCH')).toMatchObject({ context: { received: MAINNET } });
    expect(storage.size).toBe(0);
  });

  it('is refused outside a page, and without a storage that works', async () => {
    const full = {
      ...localStorage(),
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(await refused({ storage: full }, 'INVALID_ARGUMENT')).toMatchObject({
      context: { field: 'storage' },
    });
    for (const content of [
      '{',
      '{"accounts":[]}',
      '{"connected":true,"accounts":[{"label":"","seed":"AA=="}]}',
    ]) {
      storage.set('service-development-wallet', content);
      const error = await refused({}, 'INVALID_ARGUMENT');
      expect(String(error)).toContain('Remove it');
      expect(storage.get('service-development-wallet')).toBe(content);
    }
    const denied = () => {
      throw new Error('denied');
    };
    vi.stubGlobal('window', Object.defineProperty(new EventTarget(), 'localStorage', { get: denied }));
    await refused({}, 'INVALID_ARGUMENT');
    vi.stubGlobal('window', undefined);
    expect(await errorOf(register())).toMatchObject({
      code: 'INVALID_ARGUMENT',
      context: { field: 'window' },
    });
  });
});

describe('accounts', () => {
  it('are made once, and are the same after a reload', async () => {
    const first = await register();
    const labels = first.accounts.map(({ label }) => label);
    expect(labels).toEqual(['Issuer', 'Alice', 'Bob']);
    expect(new Set(first.accounts.map(({ address }) => address)).size).toBe(3);
    const second = await register({ labels: ['Ignored'] });
    expect(second.accounts).toEqual(first.accounts);
    storage.clear();
    expect((await register({ labels: ['Zoe'] })).accounts).toMatchObject([{ label: 'Zoe' }]);
  });

  it('can be added: a connected site gets them at once, and they stay', async () => {
    const { wallet, addAccount } = await register();
    const changes: object[] = [];
    featureOf(wallet, 'events').on!('change', (change: object) => changes.push(change));
    await addAccount('Carol');
    expect([wallet.accounts, changes]).toEqual([[], []]);
    await connect(wallet);
    const dave = await addAccount('Dave');
    expect(wallet.accounts.at(-1)).toBe(dave);
    expect(changes.at(-1)).toEqual({ accounts: wallet.accounts });
    const labels = (await register()).accounts.map(({ label }) => label);
    expect(labels).toEqual(['Issuer', 'Alice', 'Bob', 'Carol', 'Dave']);
  });

  it('are made again after somebody cleared the storage', async () => {
    const { wallet } = await register();
    await connect(wallet);
    storage.clear();
    await featureOf(wallet, 'disconnect').disconnect!();
    expect((await register()).accounts).toHaveLength(3);
  });

  it('connect silently only where the person has connected, also after a reload', async () => {
    const { wallet } = await register();
    expect(await connect(wallet, { silent: true })).toEqual({ accounts: [] });
    expect((await connect(wallet)).accounts).toHaveLength(3);
    const { wallet: reloaded } = await register();
    expect(reloaded.accounts).toEqual([]);
    expect((await connect(reloaded, { silent: true })).accounts).toHaveLength(3);
    await featureOf(reloaded, 'disconnect').disconnect!();
    expect(reloaded.accounts).toEqual([]);
    expect((await connect((await register()).wallet, { silent: true })).accounts).toEqual([]);
  });

  it('get no SOL by an address of somebody else', async () => {
    const { requestAirdrop } = await register();
    const error = await errorOf(requestAirdrop((await testWallet('other')).address, 1n));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', context: { field: 'account' } });
  });
});

describe('signing', () => {
  const rules = {
    name: 'French professionals',
    clauses: [{ regions: ['FR' as const], statuses: ['professional' as const], minAge: 18 }],
    maxPassAgeSeconds: 86_400n,
  };

  it('signs in and sends a transaction with the account that the site chose, after the person approved', async () => {
    const requests: DevelopmentWalletRequest[] = [];
    const { wallet: standard, accounts } = await register({
      approve: async (request) => requests.push(request) > 0,
    });
    await connect(standard);
    const { deployment } = service;
    for (const account of accounts.slice(0, 2)) {
      const wallet = standardWallet(standard, account, { chain: 'solana:localnet' });
      const client = new ServiceClient({ deployment });
      await client.authenticate(wallet as PlainWallet, deployment.genesisHash);
      expect(await client.session()).toBe(account.address);
      await client.createRuleSet(wallet, rules);
    }
    expect(requests.map(({ account: { label }, kind }) => `${label} ${kind}`)).toEqual([
      'Issuer message',
      'Issuer transaction',
      'Alice message',
      'Alice transaction',
    ]);
    expect(requests[0]).toMatchObject({ text: expect.stringContaining(accounts[0]!.address) });
    expect(() => getSignatureFromTransaction(getTransactionDecoder().decode(requests[1]!.bytes))).toThrow();
  });

  it('rejects as wallets do when the person refuses: the SDK throws WALLET_REJECTED', async () => {
    let answer: unknown = true;
    const { wallet: standard, accounts } = await register({ approve: async () => answer as boolean });
    await connect(standard);
    const wallet = standardWallet(standard, accounts[0]!);
    const { deployment } = service;
    const client = new ServiceClient({ deployment });
    for (const refusal of [false, undefined, 'yes']) {
      answer = refusal;
      const signingIn = client.authenticate(wallet as PlainWallet, deployment.genesisHash);
      expect(await errorOf(signingIn)).toMatchObject({ code: 'WALLET_REJECTED' });
    }
    answer = true;
    await client.authenticate(wallet as PlainWallet, deployment.genesisHash);
    answer = false;
    expect(await errorOf(client.createRuleSet(wallet, rules))).toMatchObject({ code: 'WALLET_REJECTED' });
    expect(await errorOf(wallet.signTransaction(new Uint8Array()))).toMatchObject({ code: 4001 });
  });

  it('shows one request at a time, and the next one also after a refusal', async () => {
    const open: { request: DevelopmentWalletRequest; answer: (approved: boolean) => void }[] = [];
    const { wallet: standard, accounts } = await register({
      approve: (request) => new Promise((answer) => open.push({ request, answer })),
    });
    await connect(standard);
    const wallets = accounts.slice(0, 2).map((account) => standardWallet(standard, account));
    const message = new Uint8Array(1);
    const [first, second] = wallets.map((wallet) => (wallet as PlainWallet).signMessage(message));
    const refusal = errorOf(first!);
    await vi.waitFor(() => expect(open).toHaveLength(1));
    open[0]!.answer(false);
    expect(await refusal).toMatchObject({ code: 4001 });
    await vi.waitFor(() => expect(open).toHaveLength(2));
    expect(open[1]!.request.account).toEqual(accounts[1]);
    open[1]!.answer(true);
    expect(await second).toHaveLength(64);
  });

  it('signs what the person was shown, although the site changes it meanwhile', async () => {
    const message = new Uint8Array([1]);
    const { wallet: standard, accounts } = await register({
      async approve() {
        message[0] = 2;
        return true;
      },
    });
    await connect(standard);
    const [account] = accounts;
    const signature = await (standardWallet(standard, account!) as PlainWallet).signMessage(message);
    const key = await getPublicKeyFromAddress(account!.address as Address);
    expect(await verifySignature(key, signature as SignatureBytes, new Uint8Array([1]))).toBe(true);
  });

  it('signs for no other cluster, with no key of somebody else, and for no site that is not connected', async () => {
    const asked: unknown[] = [];
    const { wallet: standard, accounts } = await register({
      approve: async (request) => asked.push(request) > 0,
    });
    const early = standardWallet(standard, accounts[0]!);
    expect(String(await errorOf(early.signTransaction(new Uint8Array())))).toContain('Connect');
    await connect(standard);
    const onMainnet = standardWallet(standard, accounts[0]!, { chain: 'solana:mainnet' });
    expect(String(await errorOf(onMainnet.signTransaction(new Uint8Array())))).toContain('solana:mainnet');
    const { address } = await testWallet('other');
    const foreign = standardWallet(standard, { ...accounts[0]!, address });
    expect(String(await errorOf(foreign.signTransaction(new Uint8Array())))).toContain(address);
    expect(asked).toEqual([]);
  });
});
