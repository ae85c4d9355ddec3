/** What wallets add to the transactions of `@service/sdk/chain`, on a real chain with the real program. */
import { addStandInGuardProgram } from '@service/localnet';
import { LIGHTHOUSE_PROGRAM } from '@service/protocol';
import type { PlainWallet, TransactionWallet } from '@service/sdk';
import {
  type ClosePassOptions,
  closePass,
  createBindableMint,
  createTokenAccount,
  fetchPass,
  fetchRuleSet,
  fundRuleSet,
  setMaxPassFee,
} from '@service/sdk/chain';
import { PASS_FEE, setPassFee, setVerifier } from '@service/server/test-service';
import { errorOf, memoInstruction } from '@service/test-support';
import { type SimulatedWalletId, type SimulatedWalletOptions, simulatedWallet } from '@service/testing';
import {
  AccountRole,
  type Address,
  compileTransaction,
  createSolanaRpcFromTransport,
  decompileTransactionMessage,
  generateKeyPairSigner,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  partiallySignTransaction,
  type RpcTransport,
  type Signature,
  type Transaction,
} from '@solana/kit';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { leavePasses } from './support/leave-passes.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
beforeAll(async () => {
  // A raise that does not hold yet, so creators can agree to it.
  await setPassFee(market.world, 2n * PASS_FEE);
  addStandInGuardProgram(market.world.net);
  // Their verifier is switched off, so all passes can be closed.
  await leavePasses(market, [market.holder.signer.address, market.issuer.signer.address]);
  await setVerifier(market.world, false);
});

const secondsLeft = async (options: Parameters<typeof fetchPass>[0]) =>
  (await fetchPass(options))?.secondsLeft ?? 0n;

type Options = Pick<ClosePassOptions, 'guards' | 'maxPriorityFeeLamports'>;
type AnyWallet = PlainWallet | TransactionWallet;
const ALLOWED: Options = { guards: true, maxPriorityFeeLamports: 10_000n };
const MODES: readonly (readonly [string, Options])[] = [
  ['by default', {}],
  ['with additions allowed', ALLOWED],
];

/** What was sent. */
let sent: string[];
beforeEach(() => {
  sent = [];
});
afterEach(() => vi.restoreAllMocks());

/** The options of all writes, with an RPC that notes what is sent. */
function chain() {
  const rpc = createSolanaRpcFromTransport((async (request) => {
    const { method, params } = request.payload as { method: string; params: string[] };
    if (method === 'sendTransaction') sent.push(params[0]!);
    return market.world.net.transport(request);
  }) as RpcTransport);
  return { deployment: market.deployment, rpc, clock: market.clock() };
}

const signer = () => market.issuer.signer;
const lamportsOf = async (key: Address) => (await market.world.rpc.getBalance(key).send()).value;

/** One write of each kind. Resolves to its signature, after a check of its effect. */
const WRITES: Readonly<Record<string, (wallet: AnyWallet, options: Options) => Promise<Signature>>> = {
  async fundRuleSet(wallet, options) {
    const { rule } = market;
    const before = await lamportsOf(rule);
    const { signature } = await fundRuleSet(wallet, { ...chain(), rule, lamports: 7n, ...options });
    expect(await lamportsOf(rule)).toBe(before + 7n);
    return signature;
  },
  async setMaxPassFee(wallet, options) {
    const { rule } = market;
    const lamports = (await fetchRuleSet({ ...chain(), rule }))!.maxPassFee! + 1n;
    const { signature } = await setMaxPassFee(wallet, { ...chain(), rule, lamports, ...options });
    expect((await fetchRuleSet({ ...chain(), rule }))?.maxPassFee).toBe(lamports);
    return signature;
  },
  async createTokenAccount(wallet, options) {
    const { address: owner } = await generateKeyPairSigner();
    const asked = { ...chain(), mint: market.mint, owner, ...options };
    const { signature, tokenAccount } = await createTokenAccount(wallet, asked);
    expect(await lamportsOf(tokenAccount)).toBeGreaterThan(0n);
    return signature!;
  },
  async createBindableMint(wallet, options) {
    const { signature, mint } = await createBindableMint(wallet, { ...chain(), ...options });
    expect(await lamportsOf(mint)).toBeGreaterThan(0n);
    return signature;
  },
  async closePass(wallet, options) {
    const { rule, holder, issuer } = market;
    const first = { ...chain(), rule, wallet: holder.signer.address };
    const owner = (await secondsLeft(first)) > 0n ? first.wallet : issuer.signer.address;
    const { signature } = await closePass(wallet, { ...chain(), rule, holder: owner, ...options });
    // Its account stays for an hour after the proof.
    expect(await secondsLeft({ ...first, wallet: owner })).toBe(0n);
    return signature;
  },
};
const KINDS = Object.keys(WRITES);

/** A wallet that changes also what somebody else has signed. Those of Phantom and others then change nothing. */
function eager(id: SimulatedWalletId, options: SimulatedWalletOptions = {}) {
  const simulated = simulatedWallet(id, signer(), { rpc: market.world.net.rpc as never, ...options });
  const wallet: AnyWallet = {
    ...simulated.wallet,
    signTransaction(wire) {
      const { messageBytes, signatures } = getTransactionDecoder().decode(wire);
      const blank = Object.fromEntries(Object.keys(signatures).map((key) => [key, null]));
      return simulated.wallet.signTransaction(encoded({ messageBytes, signatures: blank }));
    },
  };
  return { wallet, signed: simulated.signed };
}

/** A wallet that changes the instructions and signs what comes out. */
function changing(change: (instructions: readonly Instruction[]) => readonly Instruction[]) {
  const signed: Uint8Array[] = [];
  const wallet: TransactionWallet = {
    address: signer().address,
    async signTransaction(wire) {
      const message = decompileTransactionMessage(compiledOf(wire) as never);
      const changed = compileTransaction({ ...message, instructions: change(message.instructions) } as never);
      signed.push(encoded(await partiallySignTransaction([signer().keyPair], changed)));
      return signed[0]!;
    },
  };
  return { wallet, signed };
}

const encoded = (transaction: Transaction) => new Uint8Array(getTransactionEncoder().encode(transaction));
const messageOf = (wire: Uint8Array) => new Uint8Array(getTransactionDecoder().decode(wire).messageBytes);
const compiledOf = (wire: Uint8Array) => getCompiledTransactionMessageDecoder().decode(messageOf(wire));

/** Returns how often each program of a landed transaction was called directly, and its signers. */
async function landed(signature: Signature) {
  const config = { commitment: 'finalized', encoding: 'base64', maxSupportedTransactionVersion: 0 } as const;
  const found = await market.world.rpc.getTransaction(signature, config).send();
  const wire = new Uint8Array(Buffer.from(found!.transaction[0], 'base64'));
  const message = compiledOf(wire);
  if (message.version !== 0) throw new Error('not of version 0');
  const { instructions, staticAccounts, header } = message;
  const guards = instructions.filter(
    ({ programAddressIndex }) => staticAccounts[programAddressIndex] === LIGHTHOUSE_PROGRAM,
  );
  return { guards: guards.length, signers: header.numSignerAccounts };
}

/** Counts signatures over a message by whatever key of this process. */
function signaturesOver(spy: { mock: { calls: readonly unknown[][] } }, message: Uint8Array): number {
  return spy.mock.calls.filter(([, , data]) => Buffer.from(data as Uint8Array).equals(message)).length;
}

/** A guard that holds: the wallet belongs to the system program. */
const guardOn = (address: Address, role: AccountRole): Instruction => ({
  programAddress: LIGHTHOUSE_PROGRAM,
  accounts: [{ address, role }],
  data: Uint8Array.of(6, 4, 1, 3, 0, 0),
});

const OTHER = '9fuKLiXcdyKy1xHdSFHw4z7jyTnPkKQsVZVVdNPnPM9f' as Address;
const HOSTILE: readonly SimulatedWalletId[] = [
  'other-amount',
  'other-destination',
  'extra-instruction',
  'second-memo',
  'promoted-accounts',
  'lookup-table',
  'huge-price',
  'durable-nonce',
  'fresh-blockhash',
  'seeker',
];
const CHANGES: Readonly<Record<string, (instructions: readonly Instruction[]) => readonly Instruction[]>> = {
  'that adds a signer': (all) => [...all, guardOn(OTHER, AccountRole.READONLY_SIGNER)],
  'that makes an account writable': (all) => [...all, guardOn(OTHER, AccountRole.WRITABLE)],
  'that leaves out an instruction': (all) => [...all.slice(1), guardOn(OTHER, AccountRole.READONLY)],
  'that repeats an instruction': (all) => [...all, all.at(-1)!],
  'that turns the order around': (all) => [memoInstruction('first'), ...all.toReversed()],
};

describe.each(KINDS)('%s', (kind) => {
  const write = WRITES[kind]!;

  describe.each(MODES)('%s', (_mode, options) => {
    test.each(HOSTILE)('refuses the wallet %s, and sends nothing', async (id) => {
      market.world.net.advanceSlots(1);
      const { wallet, signed } = eager(id);
      const sign = vi.spyOn(crypto.subtle, 'sign');
      const error = await errorOf(write(wallet, options));
      expect(error).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION' });
      expect((error as Error).message).toMatch(/on chain, before you repeat the call\.$/);
      expect(sent).toEqual([]);
      expect(signaturesOver(sign, messageOf(signed[0]!))).toBe(1);
    });

    test.each(Object.entries(CHANGES))('refuses a wallet %s, and sends nothing', async (_name, change) => {
      const { wallet, signed } = changing(change);
      const sign = vi.spyOn(crypto.subtle, 'sign');
      const error = await errorOf(write(wallet, options));
      expect(error).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION' });
      expect(sent).toEqual([]);
      expect(signaturesOver(sign, messageOf(signed[0]!))).toBe(1);
    });
  });

  test('refuses guards and fees by default, signs nothing more, and names the options', async () => {
    const { wallet, signed } = eager('phantom-2026-08');
    const sign = vi.spyOn(crypto.subtle, 'sign');
    const error = await errorOf(market.live(() => write(wallet, {})));
    expect(error).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION' });
    expect((error as Error).message).toContain('pass guards: true and maxPriorityFeeLamports');
    expect(sent).toEqual([]);
    // The wallet's own signature: the key of the mint has not signed what was refused.
    expect(signaturesOver(sign, messageOf(signed[0]!))).toBe(1);
  });

  test.each<[string, unknown]>([
    ['guards', 'yes'],
    ['guards', null],
    ['maxPriorityFeeLamports', Number.NaN],
    ['maxPriorityFeeLamports', 'many'],
    ['maxPriorityFeeLamports', 1.5],
    ['maxPriorityFeeLamports', -1n],
  ])('rejects %s of %s before the wallet is asked', async (field, value) => {
    const signTransaction = vi.fn();
    const wallet = { address: signer().address, signTransaction };
    const error = await errorOf(write(wallet, { [field]: value } as Options));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', context: { field } });
    expect(signTransaction).not.toHaveBeenCalled();
  });

  test.each(['phantom-2026-08', 'solflare'] as const)(
    'sends what %s made of it, if the additions are allowed',
    async (id) => {
      const { wallet, signed } = eager(id);
      const signature = await market.live(() => write(wallet, ALLOWED));
      const signers = kind === 'createBindableMint' ? 2 : 1;
      expect(await landed(signature)).toEqual({ guards: 2, signers });
      // The bytes that the wallet signed, with every signature.
      expect(signed).toHaveLength(1);
      const wire = new Uint8Array(Buffer.from(sent[0]!, 'base64'));
      expect(messageOf(wire)).toEqual(messageOf(signed[0]!));
    },
  );
});

test('a wallet that respects the signature of the mint’s key signs unchanged, and the mint is created', async () => {
  const { wallet } = simulatedWallet('phantom-2026-08', signer(), { rpc: market.world.net.rpc as never });
  const signature = await market.live(() => WRITES.createBindableMint!(wallet, {}));
  expect(await landed(signature)).toEqual({ guards: 0, signers: 2 });
});

describe('an addition that stops the transaction', () => {
  const fund = (wallet: AnyWallet, rpc = chain().rpc) =>
    errorOf(
      fundRuleSet(wallet, {
        deployment: market.deployment,
        rpc,
        clock: market.clock(),
        rule: market.rule,
        lamports: 7n,
        ...ALLOWED,
      }),
    );
  /** An RPC without preflight, so that a failure happens on chain. */
  const careless = () =>
    createSolanaRpcFromTransport((async (request) => {
      const { method, params } = request.payload as { method: string; params: [string] };
      if (method !== 'sendTransaction') return market.world.net.transport(request);
      const payload = { ...(request.payload as object), params: [params[0], SKIP_PREFLIGHT] };
      return market.world.net.transport({ ...request, payload });
    }) as RpcTransport);
  const SKIP_PREFLIGHT = { encoding: 'base64', skipPreflight: true };
  const REMEDY = 'A guard that the wallet added did not hold';

  test('is named if a guard fails in the preflight', async () => {
    const error = await fund(eager('failing-guard').wallet);
    expect(error).toMatchObject({ code: 'TRANSACTION_FAILED', context: { isFinal: true } });
    expect((error as Error).message).toMatch(
      /preflight of your RPC with GUARD_FAILED \(6400\) in instruction 1/,
    );
    expect((error as Error).message).toContain(REMEDY);
    expect((error as Error).message).not.toContain('has SOL');
  });

  test('is named if a guard fails on chain', async () => {
    const error = await market.live(() => fund(eager('failing-guard').wallet, careless()));
    expect(error).toMatchObject({ code: 'TRANSACTION_FAILED', context: { isFinal: true } });
    expect((error as Error).message).toMatch(/failed on chain with GUARD_FAILED \(6400\) in instruction 1\./);
    expect((error as Error).message).toContain(REMEDY);
  });

  test('is named if it may be a compute limit', async () => {
    const asked = { ...chain(), rpc: careless(), ...ALLOWED };
    const creating = market.live(() => createBindableMint(eager('tiny-limit').wallet, asked));
    const error = await errorOf(creating);
    expect(error).toMatchObject({ code: 'TRANSACTION_FAILED', context: { isFinal: true } });
    expect((error as Error).message).toContain('If the wallet set a compute limit, it may be too low');
  });
});
