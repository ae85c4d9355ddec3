/** On a real cluster with Token-2022, without the program: what these send does not need it. */
import { Localnet } from '@service/localnet';
import { readAccounts, tokenAccountAddress } from '@service/protocol';
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
import type { PlainWallet } from '../wallet/wallet.ts';
import { createBindableMint, createTokenAccount, fetchPass, fetchRuleSet, fundRuleSet } from './index.ts';

const PROGRAM = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi' as Address;

let net: Localnet;
let deployment: Deployment;
let wallet: KeyPairSigner;

beforeAll(() => {
  net = Localnet.start({ slotMs: 20, finalitySlots: 2 });
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

/** The cluster through a node that changes answers. */
function changed(change: (method: string, answer: Answer) => Promise<unknown>) {
  return createSolanaRpcFromTransport((async (request) => {
    const answer = (await net.transport(request)) as Answer;
    return change((request.payload as { method: string }).method, answer);
  }) as RpcTransport);
}

/** What a call comes to while pretended time passes, in steps of some milliseconds. */
async function soon<T>(call: () => Promise<T>, step = 100): Promise<T> {
  // The slots of the cluster pass by the clock of this machine: that is pretended for waits of minutes alone.
  const clock = step > 1_000 ? (['performance'] as const) : [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', ...clock] });
  const underWay = startCount();
  try {
    const calling = call();
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    calling.then(end, end);
    for (let passed = 0; !isOver; passed += step) {
      if (passed > 600_000) throw new Error('the call does not end');
      await untilIdle(underWay);
      await vi.advanceTimersByTimeAsync(step);
    }
    return await calling;
  } finally {
    underWay.end();
    vi.useRealTimers();
  }
}

describe('createBindableMint and createTokenAccount', () => {
  it('make what the binding profile asks for, final when they resolve', async () => {
    const options = { deployment, rpc: net.rpc };
    const owner = (await generateKeyPairSigner()).address;
    const { mint } = await createBindableMint(wallet, { ...options, decimals: 2 });
    const { tokenAccount } = await createTokenAccount(wallet, { ...options, mint, owner });
    // Who has one already is not asked to sign.
    const mute = { address: wallet.address, signTransaction: () => Promise.reject(new Error('asked')) };
    expect(await createTokenAccount(mute, { ...options, mint, owner })).toEqual({
      tokenAccount,
      signature: null,
    });
    await expect(createTokenAccount(mute, { ...options, mint: owner })).rejects.toMatchObject({
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
      hook: { authority: null, program: PROGRAM },
    });
    expect(account?.data).toMatchObject({ mint, owner, immutableOwner: true });
  });

  it('say what the RPC says of a wallet without funds', async () => {
    const poor = await generateKeyPairSigner();
    await expect(createBindableMint(poor, { deployment, rpc: net.rpc })).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      retryable: false,
      message: expect.stringContaining(`Check that ${poor.address} has SOL`),
      context: { isFinal: true },
    });
  });

  it('are never called repeatable once they are sent: a lost answer is waited out, an abort says where to look', async () => {
    const abort = new AbortController();
    const losing = (onSent: () => void) =>
      createSolanaRpcFromTransport((async (request) => {
        const answer = await net.transport(request);
        if ((request.payload as { method: string }).method !== 'sendTransaction') return answer;
        onSent();
        throw new TypeError('fetch failed');
      }) as RpcTransport);
    const { mint } = await createBindableMint(wallet, { deployment, rpc: losing(() => undefined) });
    expect((await net.rpc.getBalance(mint).send()).value).toBeGreaterThan(0n);

    const rpc = losing(() => abort.abort());
    await expect(createBindableMint(wallet, { deployment, rpc, signal: abort.signal })).rejects.toMatchObject(
      {
        code: 'TRANSACTION_FAILED',
        retryable: false,
        context: { isFinal: false, signature: expect.any(String) },
      },
    );
  });

  it('wait while the RPC cannot say whether it has landed, whatever it says of the blockhash', async () => {
    let lookUps = 0;
    const rpc = changed(async (method, answer) => {
      if (method === 'getEpochInfo')
        return { ...answer, result: { ...answer.result, blockHeight: 2n ** 40n } };
      if (method === 'getSignatureStatuses' && ++lookUps < 6) throw new TypeError('fetch failed');
      return answer;
    });
    const { mint } = await soon(() => createBindableMint(wallet, { deployment, rpc }));
    expect((await net.rpc.getBalance(mint).send()).value).toBeGreaterThan(0n);
    expect(lookUps).toBeGreaterThanOrEqual(6);
  });

  it('are sent again while their blockhash lives, though what is final does not know it yet', async () => {
    let sent = 0;
    const rpc = createSolanaRpcFromTransport((async (request) => {
      const { method } = request.payload as { method: string };
      // The network drops what was sent first.
      if (method === 'sendTransaction' && ++sent === 1)
        return { jsonrpc: '2.0', id: '1', result: '1'.repeat(64) };
      const answer = (await net.transport(request)) as Answer;
      if (method === 'isBlockhashValid') return { ...answer, result: { ...answer.result, value: false } };
      return answer;
    }) as RpcTransport);
    const { mint } = await soon(() => createBindableMint(wallet, { deployment, rpc }));
    expect((await net.rpc.getBalance(mint).send()).value).toBeGreaterThan(0n);
    expect(sent).toBe(2);
  });

  it('are given up when they were not sent again in time', async () => {
    const rpc = changed(async (method, answer) => {
      if (method === 'getSignatureStatuses')
        return { ...answer, result: { ...answer.result, value: [null] } };
      const result = { ...answer.result, blockHeight: 2n ** 40n };
      return method === 'getEpochInfo' ? { ...answer, result } : answer;
    });
    await expect(soon(() => createBindableMint(wallet, { deployment, rpc }))).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      context: { isFinal: false },
      message: expect.stringContaining('blockhash has expired'),
    });
  });

  it.each(['sendTransaction', 'getSignatureStatuses'])(
    'end in minutes, or with the caller’s signal, when the RPC never answers %s',
    async (silent) => {
      const abort = new AbortController();
      let asked: () => void = () => undefined;
      const wasAsked = new Promise<void>((resolve) => (asked = resolve));
      const rpc = createSolanaRpcFromTransport((async (request) => {
        const { method } = request.payload as { method: string };
        if (method !== silent) return net.transport(request);
        asked();
        return new Promise(() => undefined);
      }) as RpcTransport);
      const making = createBindableMint(wallet, { deployment, rpc, signal: abort.signal });
      void wasAsked.then(() => abort.abort());
      const unknown = { code: 'TRANSACTION_FAILED', context: { isFinal: false } };
      await expect(making).rejects.toMatchObject(unknown);
      if (silent === 'sendTransaction') return;
      await expect(soon(() => createBindableMint(wallet, { deployment, rpc }), 10_000)).rejects.toMatchObject(
        unknown,
      );
    },
  );

  it.each([
    ['as processed already', 'AlreadyProcessed'],
    ['for a blockhash that it does not know', 'BlockhashNotFound'],
  ])('are sent when the RPC refuses them %s', async (_name, err) => {
    // A provider that forwards a request twice, and gives the answer to the second, perhaps of a node that is behind.
    const error = {
      code: -32002,
      message: `Transaction simulation failed: ${err}`,
      data: { err, logs: [], accounts: null, unitsConsumed: 0 },
    };
    const rpc = changed(async (method, answer) =>
      method === 'sendTransaction' ? { jsonrpc: '2.0', id: '1', error } : answer,
    );
    const { mint } = await createBindableMint(wallet, { deployment, rpc });
    expect((await net.rpc.getBalance(mint).send()).value).toBeGreaterThan(0n);
  });

  it.each<[string, () => unknown]>([
    [
      'knows no sendTransaction',
      () => ({ jsonrpc: '2.0', id: '1', error: { code: -32601, message: 'Method not found' } }),
    ],
    [
      'takes no such parameters',
      () => ({ jsonrpc: '2.0', id: '1', error: { code: -32602, message: 'Invalid params' } }),
    ],
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
    const rpc = createSolanaRpcFromTransport((async (request) =>
      (request.payload as { method: string }).method === 'sendTransaction'
        ? answer()
        : net.transport(request)) as RpcTransport);
    await expect(createBindableMint(wallet, { deployment, rpc })).rejects.toMatchObject({
      code: 'RPC_ERROR',
      message: expect.stringContaining('was not sent'),
    });
  });

  it('end with the caller’s signal at a prompt that is not answered, and send nothing of it later', async () => {
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
    let sent = 0;
    const rpc = changed(async (method, result) => {
      sent += method === 'sendTransaction' ? 1 : 0;
      return result;
    });
    const making = createBindableMint(slow, { deployment, rpc, signal: abort.signal });
    await expect(making).rejects.toMatchObject({ code: 'ABORTED' });
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(0);
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
    const before = (await net.rpc.getBalance(wallet.address).send()).value;
    await expect(createBindableMint(changing, { deployment, rpc: net.rpc })).rejects.toMatchObject({
      code: 'WALLET_CHANGED_TRANSACTION',
    });
    const elsewhere = { ...deployment, genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' };
    await expect(createBindableMint(wallet, { deployment: elsewhere, rpc: net.rpc })).rejects.toMatchObject({
      code: 'GENESIS_HASH_MISMATCH',
    });
    expect((await net.rpc.getBalance(wallet.address).send()).value).toBe(before);
  });

  it.each<[string, (signed: Uint8Array) => Promise<void>]>([
    [
      'another key',
      async (signed) => {
        const { privateKey } = (await generateKeyPairSigner()).keyPair;
        // The wallet is the first signer, as it pays; two sign.
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
    const sent = vi.fn();
    const rpc = changed(async (method, answer) => {
      if (method === 'sendTransaction') sent();
      return answer;
    });
    await expect(createBindableMint(spoiling, { deployment, rpc })).rejects.toMatchObject({
      code: 'WALLET_SIGNATURE_INVALID',
    });
    expect(sent).not.toHaveBeenCalled();
  });

  it.each([10n ** 12n, 100_000_001n, null])(
    'believe no node that says that the rent of a mint is %s',
    async (rent) => {
      const rpc = changed(async (method, answer) =>
        method === 'getMinimumBalanceForRentExemption' ? { ...answer, result: rent } : answer,
      );
      const mute = { address: wallet.address, signTransaction: () => Promise.reject(new Error('asked')) };
      await expect(createBindableMint(mute, { deployment, rpc })).rejects.toMatchObject({
        code: 'RPC_ERROR',
        retryable: false,
        message: expect.stringContaining('0.1 SOL'),
      });
    },
  );

  it('refuse decimals that are none', async () => {
    await expect(
      createBindableMint(wallet, { deployment, rpc: net.rpc, decimals: 256 }),
    ).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});

describe('fundRuleSet', () => {
  it('sends no SOL to an address that is no rule set', async () => {
    const rule = (await generateKeyPairSigner()).address;
    await expect(fundRuleSet(wallet, { deployment, rpc: net.rpc, rule, lamports: 1n })).rejects.toMatchObject(
      {
        code: 'ACCOUNT_NOT_FOUND',
        context: { address: rule },
      },
    );
    await expect(fundRuleSet(wallet, { deployment, rpc: net.rpc, rule, lamports: 0n })).rejects.toMatchObject(
      {
        code: 'INVALID_ARGUMENT',
      },
    );
  });
});

describe('reads', () => {
  it('of what is not there are null', async () => {
    const rule = (await generateKeyPairSigner()).address;
    expect(await fetchRuleSet({ deployment, rpc: net.rpc, rule })).toBeNull();
    expect(await fetchPass({ deployment, rpc: net.rpc, rule, wallet: wallet.address })).toBeNull();
  });

  it('of an account of another program are null', async () => {
    const { mint } = await createBindableMint(wallet, { deployment, rpc: net.rpc });
    expect(await fetchRuleSet({ deployment, rpc: net.rpc, rule: mint })).toBeNull();
  });
});
