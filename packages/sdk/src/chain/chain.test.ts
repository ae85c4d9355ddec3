/** On a real cluster with Token-2022. These transactions do not need the program. */
import { addressBytes } from '@service/contract';
import { Localnet } from '@service/localnet';
import { permanentDelegateOf, programAddresses, readAccounts, tokenAccountAddress } from '@service/protocol';
import { startCount, untilIdle } from '@service/test-support/under-way';
import {
  type Address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  type KeyPairSigner,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Deployment } from '../deployment.ts';
import { signerOf } from '../wallet/signer.ts';
import type { PlainWallet, Wallet } from '../wallet/wallet.ts';
import {
  type ChainOptions,
  closePass,
  createBindableMint,
  createTokenAccount,
  fetchPass,
  fetchRuleSet,
  fundRuleSet,
} from './index.ts';

const PROGRAM = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' as Address;

let net: Localnet;
let deployment: Deployment;
let wallet: KeyPairSigner;

beforeAll(() => {
  net = Localnet.start({ slotMs: 'manual', finalitySlots: 2 });
  deployment = {
    program: PROGRAM,
    genesisHash: net.genesisHash,
    artifactsDigest: '0'.repeat(64),
    rpcUrl: 'http://127.0.0.1:1',
    verifierOrigins: [],
  };
});
afterAll(() => net.stop());
beforeEach(async () => {
  wallet = await generateKeyPairSigner();
  net.airdrop(wallet.address, 10_000_000_000n);
});

type Answer = { readonly result: object };
type Handler = (forward: () => Promise<Answer>) => unknown;

/** Returns the RPC of the cluster, with other answers to some methods. */
function nodeWith(handlers: Readonly<Record<string, Handler>>) {
  return createSolanaRpcFromTransport((async (request) => {
    const handler = handlers[(request.payload as { method: string }).method];
    const forward = () => net.transport(request) as Promise<Answer>;
    return handler ? handler(forward) : forward();
  }) as RpcTransport);
}

/** Forwards a request and replaces a part of the result. */
const replaced =
  (part: object): Handler =>
  async (forward) => {
    const answer = await forward();
    return { ...answer, result: { ...answer.result, ...part } };
  };

const create = (rpc: typeof net.rpc, by: Wallet = wallet, signal?: AbortSignal) =>
  createBindableMint(by, { deployment, rpc, signal });
/** A wallet that must not be called. */
const mute = () => ({
  address: wallet.address,
  signTransaction: () => Promise.reject(new Error('called')),
});
const balanceOf = async (address: Address) => (await net.rpc.getBalance(address).send()).value;

/** Milliseconds between two slots of the cluster. */
const SLOT_MS = 400;

/** Runs a call while fake time passes for it and for the cluster, in steps of some slots. */
async function soon<T>(call: () => Promise<T>, slots = 1): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const underWay = startCount();
  try {
    const calling = call();
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    calling.then(end, end);
    for (let passed = 0; !isOver; passed += slots * SLOT_MS) {
      if (passed > 600_000) throw new Error('the call does not end');
      await untilIdle(underWay);
      net.advanceSlots(slots);
      await vi.advanceTimersByTimeAsync(slots * SLOT_MS);
    }
    return await calling;
  } finally {
    underWay.end();
    vi.useRealTimers();
  }
}

describe('createBindableMint and createTokenAccount', () => {
  it('create what the binding profile requires, and resolve when it is finalized', async () => {
    const options = { deployment, rpc: net.rpc };
    const owner = (await generateKeyPairSigner()).address;
    const key = await generateKeyPairSigner();
    const { mint } = await soon(() => createBindableMint(wallet, { ...options, decimals: 2, mint: key }));
    expect(mint).toBe(key.address);
    const { tokenAccount } = await soon(() => createTokenAccount(wallet, { ...options, mint, owner }));
    // An account that exists needs no signature.
    const again = await createTokenAccount(mute(), { ...options, mint, owner });
    expect(again).toEqual({ tokenAccount, signature: null });
    await expect(createTokenAccount(mute(), { ...options, mint: owner })).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
      context: { address: owner },
      message: expect.stringContaining('no Token-2022 mint'),
    });

    expect(tokenAccount).toBe(await tokenAccountAddress({ mint, owner }));
    const reader = { rpc: net.rpc, program: PROGRAM, commitment: 'finalized' } as const;
    const [found, account] = await readAccounts(reader, [
      ['mint', mint],
      ['tokenAccount', tokenAccount],
    ]);
    expect(found?.data).toMatchObject({
      authority: wallet.address,
      freezeAuthority: null,
      supply: 0n,
      decimals: 2,
      // The transfer hook without an authority.
      extensions: [{ type: 14, value: Uint8Array.of(...new Uint8Array(32), ...addressBytes(PROGRAM)) }],
    });
    expect(account?.data).toMatchObject({ mint, owner, immutableOwner: true });
  });

  it.each([
    ['security', [12, 26, 25, 14]],
    ['fund', [6, 12, 26, 25, 14]],
  ] as const)('create a mint of the template %s, whose issuer can freeze', async (template, types) => {
    const { mint } = await soon(() => createBindableMint(wallet, { deployment, rpc: net.rpc, template }));
    const reader = { rpc: net.rpc, program: PROGRAM, commitment: 'finalized' } as const;
    const [found] = await readAccounts(reader, [['mint', mint]]);
    expect(found!.data.extensions.map(({ type }) => type)).toEqual(types);
    expect(found!.data).toMatchObject({ freezeAuthority: wallet.address });
    const binding = await programAddresses(PROGRAM).mintBinding(mint);
    expect(permanentDelegateOf(found!.data)).toBe(binding);
  });

  it('report the error of the RPC for a wallet without funds', async () => {
    const poor = await generateKeyPairSigner();
    await expect(create(net.rpc, poor)).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      retryable: false,
      message: expect.stringContaining(`Check that ${poor.address} has SOL`),
      context: { isFinal: true },
    });
  });

  it('are never retryable after they are sent: wait after a lost answer, name the signature after an abort', async () => {
    const abort = new AbortController();
    const losing = (onSent: () => void) =>
      nodeWith({
        async sendTransaction(forward) {
          await forward();
          onSent();
          throw new TypeError('fetch failed');
        },
      });
    const { mint } = await soon(() => create(losing(() => undefined)));
    expect(await balanceOf(mint)).toBeGreaterThan(0n);

    const losingThenAborting = losing(() => abort.abort());
    await expect(soon(() => create(losingThenAborting, wallet, abort.signal))).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      retryable: false,
      context: { isFinal: false, signature: expect.any(String) },
    });
  });

  it('wait while the RPC cannot return the status, even if the blockhash seems to have expired', async () => {
    let lookUps = 0;
    const rpc = nodeWith({
      getEpochInfo: replaced({ absoluteSlot: 2n ** 40n, blockHeight: 2n ** 40n }),
      async getSignatureStatuses(forward) {
        if (++lookUps < 6) throw new TypeError('fetch failed');
        return forward();
      },
    });
    const { mint } = await soon(() => create(rpc));
    expect(await balanceOf(mint)).toBeGreaterThan(0n);
    expect(lookUps).toBeGreaterThanOrEqual(6);
  });

  it('are sent again until their blockhash expires, even if a finalized bank does not know it yet', async () => {
    let sent = 0;
    const rpc = nodeWith({
      // The network drops the first one.
      sendTransaction: (forward) =>
        ++sent === 1 ? { jsonrpc: '2.0', id: '1', result: '1'.repeat(64) } : forward(),
      isBlockhashValid: replaced({ value: false }),
    });
    const { mint } = await soon(() => create(rpc));
    expect(await balanceOf(mint)).toBeGreaterThan(0n);
    expect(sent).toBe(2);
  });

  it('fail when the blockhash has expired and the RPC never finds the transaction', async () => {
    const rpc = nodeWith({
      getSignatureStatuses: replaced({ value: [null] }),
      getEpochInfo: replaced({ absoluteSlot: 2n ** 40n, blockHeight: 2n ** 40n }),
    });
    await expect(soon(() => create(rpc))).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      context: { isFinal: false },
      message: expect.stringContaining('blockhash has expired'),
    });
  });

  it.each(['sendTransaction', 'getSignatureStatuses'])(
    'end in minutes, or with the caller’s signal, when the RPC never answers %s',
    async (silent) => {
      const abort = new AbortController();
      let called: () => void = () => undefined;
      const wasCalled = new Promise<void>((resolve) => (called = resolve));
      const rpc = nodeWith({
        [silent]() {
          called();
          return new Promise(() => undefined);
        },
      });
      void wasCalled.then(() => abort.abort());
      const unknown = { code: 'TRANSACTION_FAILED', context: { isFinal: false } };
      await expect(soon(() => create(rpc, wallet, abort.signal))).rejects.toMatchObject(unknown);
      if (silent === 'sendTransaction') return;
      await expect(soon(() => create(rpc), 25)).rejects.toMatchObject(unknown);
    },
  );

  it.each([
    ['as already processed', 'AlreadyProcessed'],
    ['for a blockhash that it does not know', 'BlockhashNotFound'],
  ])('succeed when the RPC rejects them %s', async (_name, err) => {
    // A provider that forwards a request twice may return the second answer, perhaps of a node that is behind.
    const error = {
      code: -32002,
      message: `Transaction simulation failed: ${err}`,
      data: { err, logs: [], accounts: null, unitsConsumed: 0 },
    };
    const rpc = nodeWith({
      async sendTransaction(forward) {
        await forward();
        return { jsonrpc: '2.0', id: '1', error };
      },
    });
    const { mint } = await soon(() => create(rpc));
    expect(await balanceOf(mint)).toBeGreaterThan(0n);
  });

  it.each<[string, () => unknown]>([
    ...[['does not have sendTransaction', -32601] as const, ['rejects the parameters', -32602] as const].map(
      ([name, code]): [string, () => unknown] => [
        name,
        () => ({ jsonrpc: '2.0', id: '1', error: { code, message: 'Rejected' } }),
      ],
    ),
    ...[401, 403].map((statusCode): [string, () => unknown] => [
      `answers ${statusCode}`,
      () => {
        throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
          statusCode,
          message: 'Forbidden',
          headers: new Headers(),
        });
      },
    ]),
  ])('end at once when the RPC %s', async (_name, answer) => {
    const rpc = nodeWith({ sendTransaction: async () => answer() });
    await expect(create(rpc)).rejects.toMatchObject({
      code: 'RPC_ERROR',
      message: expect.stringContaining('was not sent'),
    });
  });

  it('end with the caller’s signal while the wallet prompts, and send nothing later', async () => {
    const abort = new AbortController();
    const honest = signerOf(wallet);
    let answer: () => void = () => undefined;
    const slow: PlainWallet = {
      ...honest,
      async signTransaction(wire) {
        abort.abort();
        await new Promise<void>((resolve) => (answer = resolve));
        return honest.signTransaction(wire);
      },
    };
    const sendTransaction = vi.fn();
    await expect(create(nodeWith({ sendTransaction }), slow, abort.signal)).rejects.toMatchObject({
      code: 'ABORTED',
      cause: expect.objectContaining({ name: 'AbortError' }),
      message: expect.stringContaining('The wallet can still sign and send it'),
    });
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sendTransaction).not.toHaveBeenCalled();
  });

  it('send nothing that the wallet changed, and nothing to another cluster', async () => {
    const honest = signerOf(wallet);
    const changing: PlainWallet = {
      ...honest,
      async signTransaction(wire) {
        const signed = await honest.signTransaction(wire);
        signed[signed.length - 2]! ^= 1;
        return signed;
      },
    };
    const before = await balanceOf(wallet.address);
    await expect(create(net.rpc, changing)).rejects.toMatchObject({
      code: 'WALLET_CHANGED_TRANSACTION',
    });
    const elsewhere = { ...deployment, genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' };
    await expect(createBindableMint(wallet, { deployment: elsewhere, rpc: net.rpc })).rejects.toMatchObject({
      code: 'GENESIS_HASH_MISMATCH',
    });
    expect(await balanceOf(wallet.address)).toBe(before);
  });

  it.each<[string, (signed: Uint8Array) => Promise<void>]>([
    [
      'another key',
      async (signed) => {
        const { privateKey } = (await generateKeyPairSigner()).keyPair;
        // The wallet pays, so it is the first of the two signers.
        signed.set(new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, signed.slice(129))), 1);
      },
    ],
    ['nothing', async (signed) => void signed.fill(0, 1, 65)],
  ])('send nothing that the wallet signed with %s', async (_what, spoil) => {
    const honest = signerOf(wallet);
    const spoiling: PlainWallet = {
      ...honest,
      async signTransaction(wire) {
        const signed = await honest.signTransaction(wire);
        await spoil(signed);
        return signed;
      },
    };
    const sendTransaction = vi.fn();
    await expect(create(nodeWith({ sendTransaction }), spoiling)).rejects.toMatchObject({
      code: 'WALLET_SIGNATURE_INVALID',
    });
    expect(sendTransaction).not.toHaveBeenCalled();
  });

  it.each([10n ** 12n, 100_000_001n])('reject a rent of a mint of %s', async (rent) => {
    const rpc = nodeWith({
      getMinimumBalanceForRentExemption: async (forward) => ({ ...(await forward()), result: rent }),
    });
    await expect(create(rpc, mute())).rejects.toMatchObject({
      code: 'RPC_ERROR',
      retryable: false,
      message: expect.stringContaining('0.1 SOL'),
    });
  });

  it.each([
    ['decimals above 255', { decimals: 256 }],
    ['the address of a mint in place of its key', { mint: PROGRAM as never }],
    ['a mint whose key cannot sign', { mint: { address: PROGRAM } as never }],
    ['null as a mint', { mint: null as never }],
  ])('reject %s before the wallet is asked', async (_name, options) => {
    const creating = createBindableMint(mute(), { deployment, rpc: net.rpc, ...options });
    await expect(creating).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('fundRuleSet', () => {
  it('sends no SOL to an address without a rule set', async () => {
    const rule = (await generateKeyPairSigner()).address;
    const fund = (lamports: bigint) => fundRuleSet(wallet, { deployment, rpc: net.rpc, rule, lamports });
    await expect(fund(1n)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND', context: { address: rule } });
    await expect(fund(0n)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

it.each<[string, (options: ChainOptions & { rule: Address }) => Promise<unknown>]>([
  ['fundRuleSet', (options) => fundRuleSet(mute(), { ...options, lamports: 1n })],
  ['closePass', (options) => closePass(mute(), options)],
])('%s names another cluster before what is missing there', async (_name, call) => {
  const rule = (await generateKeyPairSigner()).address;
  const elsewhere = { ...deployment, genesisHash: PROGRAM };
  await expect(call({ deployment: elsewhere, rpc: net.rpc, rule })).rejects.toMatchObject({
    code: 'GENESIS_HASH_MISMATCH',
  });
});

describe('reads', () => {
  it('return null for an account that does not exist', async () => {
    const rule = (await generateKeyPairSigner()).address;
    expect(await fetchRuleSet({ deployment, rpc: net.rpc, rule })).toBeNull();
    expect(await fetchPass({ deployment, rpc: net.rpc, rule, wallet: wallet.address })).toBeNull();
  });

  it('return null for an account of another program', async () => {
    const { mint } = await soon(() => create(net.rpc));
    expect(await fetchRuleSet({ deployment, rpc: net.rpc, rule: mint })).toBeNull();
  });
});
