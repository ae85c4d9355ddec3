/** Wallets that change a transaction, refuse it, or sign no messages: each told apart, against a real cluster. */
import { splitWireTransaction } from '@service/protocol';
import { isServiceError, type PlainWallet, standardWallet, type Wallet } from '@service/sdk';
import { createTokenAccount } from '@service/sdk/chain';
import {
  type Address,
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  type Instruction,
  prependTransactionMessageInstruction,
  type SignatureBytes,
  setTransactionMessageLifetimeUsingBlockhash,
  verifySignature,
} from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type HostileService, hostileService } from '../support/hostile-service.ts';
import { honestMessage, type Kind, kindsOn, OPERATION_ID, unsigned } from '../support/kinds.ts';
import { countingWallet } from '../support/offer.ts';
import { type StillChain, stillChain } from '../support/still-chain.ts';

let chain: StillChain;
let binding: Kind;
let service: HostileService;
beforeAll(async () => {
  chain = await stillChain();
  binding = kindsOn(chain).find(({ intent }) => intent.kind === 'BIND_MINT')!;
});
afterAll(() => chain?.stop());
beforeEach(async () => {
  service = hostileService(chain);
  service.operationId = OPERATION_ID;
  service.transaction = unsigned(await honestMessage(chain, binding.intent));
});

const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
const LIGHTHOUSE = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
const UNKNOWN = address('7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi');

type Draft = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[1];

/** A wallet that rewrites what it is given before it signs. */
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

const prepend = (...instructions: Instruction[]) =>
  rewriting((message) =>
    instructions.reduceRight<object>(
      (draft, instruction) => prependTransactionMessageInstruction(instruction, draft as never),
      message,
    ),
  );
const append = (...instructions: Instruction[]) =>
  rewriting((message) =>
    instructions.reduce<object>(
      (draft, instruction) => appendTransactionMessageInstruction(instruction, draft as never),
      message,
    ),
  );
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

async function refusalOf(wallet: Wallet) {
  const prepared = await binding.prepare(service.client);
  const error: unknown = await service.client
    .signAndSubmit(wallet, prepared)
    .catch((thrown: unknown) => thrown);
  expect(service.submitted).toEqual([]);
  if (!isServiceError(error, 'WALLET_CHANGED_TRANSACTION')) throw error;
  return error;
}

describe('a wallet that changes the transaction', () => {
  test('by a priority fee and a limit is told with both, in numbers', async () => {
    const { message, context } = await refusalOf(prepend(limit, price));
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
    expect(message).toContain('Nothing was sent.');
    expect(context.differences.length).toBeGreaterThan(0);
  });

  test('by guards is told with their programs', async () => {
    const { message, context } = await refusalOf(append(guard(LIGHTHOUSE), guard(UNKNOWN)));
    expect(context.changes.map(({ kind, program }) => [kind, program])).toEqual([
      ['GUARD', LIGHTHOUSE],
      ['INSTRUCTION', UNKNOWN],
    ]);
    expect(message).toContain(`added a guard instruction of Lighthouse (${LIGHTHOUSE})`);
    expect(message).toContain(`added an instruction of the program ${UNKNOWN}`);
  });

  test('by a fresh blockhash is told so, with both', async () => {
    const { genesisHash } = chain.deployment;
    const wallet = rewriting((message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: genesisHash as Blockhash, lastValidBlockHeight: 0n },
        message,
      ),
    );
    const { context } = await refusalOf(wallet);
    expect(context.changes).toEqual([
      { kind: 'BLOCKHASH', what: `replaced the blockhash ${chain.blockhash} by ${genesisHash}` },
    ]);
  });

  test('itself is told as such, whatever is added beside', async () => {
    const wallet = rewriting((message) => {
      const [memo, action] = message.instructions;
      return {
        ...message,
        instructions: [price, memo, { ...action, data: Uint8Array.from([...(action!.data ?? []), 7]) }],
      };
    });
    const { context } = await refusalOf(wallet);
    expect(context.changes.map(({ kind }) => kind)).toEqual(['OTHER', 'PRIORITY_FEE', 'INSTRUCTION']);
  });

  test('into something that is none is told as such', async () => {
    const wallet = { ...countingWallet(chain.wallet), signTransaction: async () => Uint8Array.of(2, 1, 2) };
    const { context, message } = await refusalOf(wallet);
    expect(context.changes).toMatchObject([{ kind: 'OTHER' }]);
    expect(message).toContain('returned no transaction with the wallet’s one signature');
  });

  test('of what the SDK builds itself is told the same', async () => {
    const error: unknown = await createTokenAccount(prepend(price), {
      deployment: chain.deployment,
      rpc: chain.net.rpc,
      mint: chain.boundMint,
      owner: chain.rule,
    }).catch((thrown: unknown) => thrown);
    if (!isServiceError(error, 'WALLET_CHANGED_TRANSACTION')) throw error;
    expect(error.context.changes).toMatchObject([{ kind: 'PRIORITY_FEE' }]);
  });
});

test('a wallet that refuses is told from one that changes, in its own words made fit to read', async () => {
  const rejecting: PlainWallet = {
    ...countingWallet(chain.wallet),
    signTransaction: () => Promise.reject(new Error(`User\u202e rejected\n${'x'.repeat(900)}`)),
  };
  const prepared = await binding.prepare(service.client);
  const error: unknown = await service.client
    .signAndSubmit(rejecting, prepared)
    .catch((thrown: unknown) => thrown);
  if (!isServiceError(error, 'WALLET_REJECTED')) throw error;
  expect(error.message).toContain('The wallet did not sign the transaction: User rejected');
  expect(error.message.length).toBeLessThan(400);
  expect(error.message).not.toMatch(/[\u202e\n]/);
});

describe('the Wallet Standard', () => {
  const FEATURES = ['solana:signMessage', 'solana:signTransaction'];
  const asked = vi.fn();

  /** A wallet of the standard, over a real key. */
  function standard(names: readonly string[], versions: readonly (number | string)[] = ['legacy', 0]) {
    const key = countingWallet(chain.wallet);
    const features: Record<string, object> = {
      'solana:signMessage': {
        signMessage: async ({ message }: { message: Uint8Array }) => {
          asked();
          const signature = await crypto.subtle.sign(
            'Ed25519',
            chain.wallet.keyPair.privateKey,
            message.slice(),
          );
          return [{ signedMessage: message, signature: new Uint8Array(signature) }];
        },
      },
      'solana:signTransaction': {
        supportedTransactionVersions: versions,
        signTransaction: async (input: { transaction: Uint8Array; chain?: string }) => {
          asked(input.chain);
          return [{ signedTransaction: await key.signTransaction(input.transaction) }];
        },
      },
    };
    const account = { address: chain.wallet.address as string, features: names };
    const wallet = {
      name: 'Example',
      features: Object.fromEntries(names.map((name) => [name, features[name]])),
    };
    return { wallet, account };
  }
  beforeEach(() => asked.mockClear());

  test('signs messages and transactions', async () => {
    const { wallet, account } = standard(FEATURES);
    const mine = standardWallet(wallet, account, { chain: 'solana:devnet' });
    expect(asked).not.toHaveBeenCalled();
    const prepared = await binding.prepare(service.client);
    await expect(service.client.signAndSubmit(mine, prepared)).resolves.toMatchObject({ state: 'QUEUED' });
    expect(asked).toHaveBeenCalledWith('solana:devnet');
    const text = new TextEncoder().encode('sign in');
    const signature = (await (mine as PlainWallet).signMessage!(text)) as SignatureBytes;
    expect(await verifySignature(chain.wallet.keyPair.publicKey, signature, text)).toBe(true);
  });

  test.each<[string, () => Wallet]>([
    [
      'an account without the feature',
      () => {
        const { wallet, account } = standard(FEATURES);
        return standardWallet(wallet, { ...account, features: ['solana:signTransaction'] });
      },
    ],
    [
      'a wallet without it',
      () => {
        const { wallet, account } = standard(['solana:signTransaction']);
        return standardWallet(wallet, { ...account, features: FEATURES });
      },
    ],
    [
      'a plain wallet without signMessage',
      () => ({
        address: chain.wallet.address,
        signTransaction: countingWallet(chain.wallet).signTransaction,
      }),
    ],
    [
      'a kit signer of transactions alone',
      () => ({ address: chain.wallet.address, signTransactions: chain.wallet.signTransactions }),
    ],
  ])('%s signs in nowhere, and nothing is asked', async (_name, make) => {
    const fetch = vi.fn();
    const rpc = vi.fn();
    const { ServiceClient } = await import('@service/sdk');
    const client = new ServiceClient({
      deployment: chain.deployment,
      baseUrl: 'http://service.test',
      fetch,
      rpc: new Proxy({}, { get: () => rpc }) as never,
    });
    const wallet = make();
    await expectRefusal(
      client.authenticate(wallet, chain.deployment.genesisHash),
      'WALLET_CANNOT_SIGN_MESSAGES',
      { retryable: false },
    );
    expect([fetch.mock.calls, rpc.mock.calls, asked.mock.calls]).toEqual([[], [], []]);
    // Transactions it can sign.
    const prepared = await binding.prepare(service.client);
    await expect(service.client.signAndSubmit(wallet, prepared)).resolves.toMatchObject({ state: 'QUEUED' });
  });

  test.each<[string, () => unknown]>([
    [
      'an account of another chain',
      () => {
        const { wallet, account } = standard(FEATURES);
        return standardWallet(wallet, { ...account, address: '0x00000000219ab540356cBB839Cbe05303d7705Fa' });
      },
    ],
    [
      'a wallet that only sends',
      () => {
        const { wallet, account } = standard(['solana:signMessage']);
        return standardWallet(wallet, account);
      },
    ],
    [
      'a wallet without version 0',
      () => {
        const { wallet, account } = standard(FEATURES, ['legacy']);
        return standardWallet(wallet, account);
      },
    ],
  ])('%s is refused at once', (_name, make) => {
    expect(make).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', context: { field: 'account' } }),
    );
  });
});
