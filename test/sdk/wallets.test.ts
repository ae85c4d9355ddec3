/** Wallets that change a transaction, reject it, or cannot sign messages: the errors differ. Against a real cluster. */
import { splitWireTransaction } from '@service/protocol';
import { isServiceError, type PlainWallet, ServiceClient, standardWallet, type Wallet } from '@service/sdk';
import { createTokenAccount } from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import {
  type Address,
  address,
  type Blockhash,
  compileTransaction,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  type Instruction,
  type SignatureBytes,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
  verifySignature,
} from '@solana/kit';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type HostileService, hostileService, ORIGIN } from '../support/hostile-service.ts';
import { honestWire, useStillChain } from '../support/still-chain.ts';

const chain = useStillChain();
let service: HostileService;
beforeEach(async () => {
  service = hostileService(chain, { transaction: await honestWire(chain, chain.kinds.BIND_MINT) });
});

const signWith = async (wallet: Wallet) =>
  service.client.signAndSubmit(wallet, await chain.kinds.BIND_MINT.prepare(service.client));

const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
const LIGHTHOUSE = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
const UNKNOWN = address('7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi');

type Draft = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[1];

/** Creates a wallet that changes each transaction before it signs. */
function rewriting(change: (message: Draft) => object): PlainWallet {
  const honest = countingWallet(chain.wallet);
  return {
    ...honest,
    async signTransaction(wire) {
      const compiled = getCompiledTransactionMessageDecoder().decode(splitWireTransaction(wire)!.message);
      const message = decompileTransactionMessage(compiled as never) as unknown as Draft;
      const changed = compileTransaction(change(message) as never);
      return honest.signTransaction(new Uint8Array(getTransactionEncoder().encode(changed)));
    },
  };
}

const prepend = (...added: Instruction[]) =>
  rewriting((message) => ({ ...message, instructions: [...added, ...message.instructions] }));
const append = (...added: Instruction[]) =>
  rewriting((message) => ({ ...message, instructions: [...message.instructions, ...added] }));
const budget = (...data: number[]): Instruction => ({
  programAddress: COMPUTE_BUDGET,
  data: Uint8Array.from(data),
});
const price = budget(3, 0xe8, 3, 0, 0, 0, 0, 0, 0);
const limit = budget(2, 0x40, 0x0d, 3, 0);
const guard = (programAddress: Address): Instruction => ({
  programAddress,
  accounts: [{ address: chain.wallet.address, role: 1 }],
  data: Uint8Array.of(1, 2, 3),
});

/** Returns the error of a wallet that changes transactions, if nothing was submitted. */
async function changesOf(signing: Promise<unknown>) {
  const error = await errorOf(signing);
  expect(service.submitted).toEqual([]);
  if (!isServiceError(error, 'WALLET_CHANGED_TRANSACTION')) throw error;
  return error;
}

describe('a wallet that changes the transaction', () => {
  test('by a priority fee and a limit causes an error with both numbers', async () => {
    const { message, context } = await changesOf(signWith(prepend(limit, price)));
    expect(context.changes).toEqual([
      {
        kind: 'COMPUTE_LIMIT',
        program: COMPUTE_BUDGET,
        what: 'added a limit of 200000 compute units (Compute Budget)',
      },
      {
        kind: 'PRIORITY_FEE',
        program: COMPUTE_BUDGET,
        what: 'added a priority fee of 1000 micro-lamports for each compute unit (Compute Budget)',
      },
    ]);
    expect(message).toContain('The wallet changed the transaction: it added a limit of 200000');
    expect(message).toContain('pass maxPriorityFeeLamports');
    expect(message).toContain('This client sent nothing.');
    expect(context.differences.length).toBeGreaterThan(0);
  });

  test('by guards causes an error with their programs', async () => {
    const { message, context } = await changesOf(signWith(append(guard(LIGHTHOUSE), guard(UNKNOWN))));
    expect(context.changes.map(({ kind, program }) => [kind, program])).toEqual([
      ['GUARD', LIGHTHOUSE],
      ['INSTRUCTION', UNKNOWN],
    ]);
    expect(message).toContain(`added a guard instruction of Lighthouse (${LIGHTHOUSE})`);
    expect(message).toContain(`added an instruction of the program ${UNKNOWN}`);
  });

  test('by a new blockhash causes an error with both', async () => {
    const { genesisHash } = chain.deployment;
    const wallet = rewriting((message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: genesisHash as Blockhash, lastValidBlockHeight: 0n },
        message,
      ),
    );
    const { context } = await changesOf(signWith(wallet));
    expect(context.changes).toEqual([
      { kind: 'BLOCKHASH', what: `replaced the blockhash ${chain.blockhash} with ${genesisHash}` },
    ]);
  });

  test('in its own instruction causes an error with that, whatever else was added', async () => {
    const wallet = rewriting((message) => {
      const [memo, action] = message.instructions;
      return {
        ...message,
        instructions: [price, memo, { ...action, data: Uint8Array.from([...(action!.data ?? []), 7]) }],
      };
    });
    const { context } = await changesOf(signWith(wallet));
    expect(context.changes.map(({ kind }) => kind)).toEqual(['OTHER', 'PRIORITY_FEE']);
  });

  test('into something else causes an error with that', async () => {
    const wallet = { ...countingWallet(chain.wallet), signTransaction: async () => Uint8Array.of(2, 1, 2) };
    const { context, message } = await changesOf(signWith(wallet));
    expect(context.changes).toMatchObject([{ kind: 'OTHER' }]);
    expect(message).toContain('returned no transaction with the wallet’s one signature');
  });

  test('that the SDK built causes the same error', async () => {
    const { deployment, net, rule } = chain;
    const account = { deployment, rpc: net.rpc, mint: chain.transfer.mint, owner: rule };
    const { context } = await changesOf(createTokenAccount(prepend(price), account));
    expect(context.changes).toMatchObject([{ kind: 'PRIORITY_FEE' }]);
  });
});

test('a wallet that rejects causes another error, which contains its own words in readable form', async () => {
  const rejecting: PlainWallet = {
    ...countingWallet(chain.wallet),
    signTransaction: () => Promise.reject(new Error(`User\u202e rejected\n${'x'.repeat(900)}`)),
  };
  const error = await errorOf(signWith(rejecting));
  if (!isServiceError(error, 'WALLET_REJECTED')) throw error;
  expect(error.message).toContain('The wallet did not sign the transaction: User rejected');
  expect(error.message.length).toBeLessThan(400);
  expect(error.message).not.toMatch(/[\u202e\n]/);
});

describe('the Wallet Standard', () => {
  const FEATURES = ['solana:signMessage', 'solana:signTransaction'];
  const asked = vi.fn();

  /** Creates a wallet of the standard with a real key. The other parameters change its account and versions. */
  function standard(
    names: readonly string[] = FEATURES,
    account: { features?: readonly string[]; address?: string } = {},
    supportedTransactionVersions: readonly (number | string)[] = ['legacy', 0],
    options?: { chain: 'solana:devnet' },
  ) {
    const key = countingWallet(chain.wallet);
    const features: Record<string, object> = {
      'solana:signMessage': {
        signMessage: async ({ message }: { message: Uint8Array }) => {
          asked();
          const signature = await signBytes(chain.wallet.keyPair.privateKey, message);
          return [{ signedMessage: message, signature }];
        },
      },
      'solana:signTransaction': {
        supportedTransactionVersions,
        signTransaction: async (input: { transaction: Uint8Array; chain?: string }) => {
          asked(input.chain);
          return [{ signedTransaction: await key.signTransaction(input.transaction) }];
        },
      },
    };
    const wallet = {
      name: 'Example',
      features: Object.fromEntries(names.map((name) => [name, features[name]])),
    };
    const own = { address: chain.wallet.address as string, features: names, ...account };
    return standardWallet(wallet, own, options);
  }
  beforeEach(() => asked.mockClear());

  test('signs messages and transactions', async () => {
    const wallet = standard(FEATURES, {}, ['legacy', 0], { chain: 'solana:devnet' });
    expect(asked).not.toHaveBeenCalled();
    await expect(signWith(wallet)).resolves.toMatchObject({ state: 'QUEUED' });
    expect(asked).toHaveBeenCalledWith('solana:devnet');
    const text = new TextEncoder().encode('sign in');
    const signature = (await (wallet as PlainWallet).signMessage!(text)) as SignatureBytes;
    expect(await verifySignature(chain.wallet.keyPair.publicKey, signature, text)).toBe(true);
  });

  test.each<[string, () => Wallet]>([
    ['an account without the feature', () => standard(FEATURES, { features: ['solana:signTransaction'] })],
    ['a wallet without it', () => standard(['solana:signTransaction'], { features: FEATURES })],
    [
      'a plain wallet without signMessage',
      () => ({
        address: chain.wallet.address,
        signTransaction: countingWallet(chain.wallet).signTransaction,
      }),
    ],
    [
      'a kit signer that signs transactions alone',
      () => ({ address: chain.wallet.address, signTransactions: chain.wallet.signTransactions }),
    ],
  ])('%s cannot sign in, and nothing is asked', async (_name, make) => {
    const [fetch, rpc] = [vi.fn(), vi.fn()];
    const client = new ServiceClient({
      deployment: chain.deployment,
      baseUrl: ORIGIN,
      fetch,
      rpc: new Proxy({}, { get: () => rpc }) as never,
    });
    const wallet = make();
    const signIn = client.authenticate(wallet, chain.deployment.genesisHash);
    await expectRefusal(signIn, 'WALLET_CANNOT_SIGN_MESSAGES', { retryable: false });
    expect([fetch.mock.calls, rpc.mock.calls, asked.mock.calls]).toEqual([[], [], []]);
    // It can sign transactions.
    await expect(signWith(wallet)).resolves.toMatchObject({ state: 'QUEUED' });
  });

  test.each<[string, () => unknown]>([
    [
      'an account of another chain',
      () => standard(FEATURES, { address: '0x00000000219ab540356cBB839Cbe05303d7705Fa' }),
    ],
    ['a wallet that only sends', () => standard(['solana:signMessage'])],
    ['a wallet without version 0', () => standard(FEATURES, {}, ['legacy'])],
  ])('%s is rejected at once', (_name, make) => {
    expect(make).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', context: { field: 'account' } }),
    );
  });
});
