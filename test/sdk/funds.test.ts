/** What a wallet needs to pay, at the lamport, by the client, the service and the chain, for each kind of write. */
import { clauseMasks, regionIndexOf, statusIndexOf } from '@service/contract';
import {
  COMPUTE_UNIT_LIMITS,
  type ComputeBudget,
  type Intent,
  operationMessage,
  planInstruction,
  priorityFeeLamports,
  wireTransaction,
} from '@service/protocol';
import { parseBirthDate } from '@service/protocol/eligibility';
import type { PreparedOperation, PrepareOptions } from '@service/sdk';
import {
  createMint,
  endProver,
  ORIGIN,
  proveRuleSet,
  ruleSetBody,
  send,
  Visitor,
} from '@service/test-support/service';
import { type Base64EncodedWireTransaction, getBase64Decoder, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { useMarket } from './support/market.ts';

const market = useMarket();
afterAll(endProver);

const FEE = 5_000n;
/** The rent-exempt minimum of an account without data: what must stay in a wallet, unless nothing stays. */
const MINIMUM = 890_880n;
const PRICE = 100_000n;
const CLAUSE = { regions: ['FR'], statuses: ['retail'], minAge: 18 } as const;

type Party = Awaited<ReturnType<typeof market.party>>;

/** A write of one kind. */
interface Write {
  readonly by: Party;
  readonly intent: Intent;
  /** Bytes of each account that it creates. */
  readonly creates: readonly number[];
  readonly path: string;
  readonly body: Record<string, unknown>;
  prepare(options: PrepareOptions): Promise<PreparedOperation>;
}

/** Sets the balance of a wallet, at every commitment. */
async function setBalance(signer: KeyPairSigner, lamports: bigint): Promise<void> {
  const { world } = market;
  const amount = await balanceOf(signer, 'processed');
  if (amount > 0n) {
    const { payer } = world.keys;
    const take = getTransferSolInstruction({ source: signer, destination: payer.address, amount });
    await send(world, payer, [take], [signer]);
    await world.finalize();
  }
  if (lamports > 0n) world.net.airdrop(signer.address, lamports);
}

const balanceOf = async ({ address }: KeyPairSigner, commitment: 'processed' | 'finalized' = 'finalized') =>
  (await market.world.rpc.getBalance(address, { commitment }).send()).value as bigint;

/** Returns the error of the chain for a write on the newest state, or null. */
async function errorOnChain(
  { intent }: Write,
  budget: Required<ComputeBudget> | undefined,
): Promise<unknown> {
  const { program, rpc } = market.world;
  const reader = { rpc, program, commitment: 'processed' } as const;
  const instruction = await planInstruction(reader, intent, { circuitId });
  const { blockhash } = (await rpc.getLatestBlockhash().send()).value;
  const operationId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
  const message = operationMessage({ wallet: intent.wallet, operationId, blockhash, instruction, budget });
  const wire = getBase64Decoder().decode(wireTransaction(message)) as Base64EncodedWireTransaction;
  const options = { encoding: 'base64', sigVerify: false, commitment: 'processed' } as const;
  return (await rpc.simulateTransaction(wire, options).send()).value.err;
}

async function rentOf(sizes: readonly number[]): Promise<bigint> {
  let sum = 0n;
  for (const bytes of sizes)
    sum += await market.world.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send();
  return sum;
}

/** Checks a write with balances around what it costs, then does it with the lowest balance that suffices. */
async function checkAtTheLamport(write: Write, isPaying: boolean): Promise<void> {
  const { by, intent, path } = write;
  const budget = isPaying ? { limit: COMPUTE_UNIT_LIMITS[intent.kind], price: PRICE } : undefined;
  const priorityFee = priorityFeeLamports(budget ?? {});
  const options = budget ? { priorityFee: PRICE, maxPriorityFeeLamports: priorityFee } : {};
  const body = { ...write.body, ...(budget ? { computeUnitPrice: `${PRICE}` } : {}) };
  const rent = await rentOf(write.creates);
  const cost = FEE + priorityFee + rent;
  const visitor = await visitorOf(by);
  const results: unknown[] = [];
  for (const left of [-1n, 0n, 1n, MINIMUM - 1n, MINIMUM]) {
    const balance = cost + left;
    await setBalance(by.signer, balance);
    const chain = await errorOnChain(write, budget);
    const answer = await visitor.prepare(path, body);
    const error = await write.prepare(options).then(
      () => null,
      (reason: Error) => reason,
    );
    results.push([left, chain === null, answer.status === 200, error === null]);
    if (chain === null) continue;
    const needed = cost + MINIMUM;
    const context = { balance, needed, fee: FEE, priorityFee, rent, minimum: MINIMUM };
    expect(error).toMatchObject({ code: 'INSUFFICIENT_FUNDS', retryable: false, context });
    const what = `The wallet has ${balance} lamports and needs ${needed}: `;
    const remedy = `Send ${needed - balance} lamports to ${by.signer.address}.`;
    for (const message of [error?.message, answer.message]) {
      expect(message).toContain(what);
      expect(message).toContain(remedy);
    }
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  }
  expect(results).toEqual([
    [-1n, false, false, false],
    [0n, true, true, true],
    [1n, false, false, false],
    [MINIMUM - 1n, false, false, false],
    [MINIMUM, true, true, true],
  ]);

  const wallet = countingWallet(by.signer);
  const left = isPaying ? MINIMUM : 0n;
  await setBalance(by.signer, cost + left);
  const prepared = await write.prepare(options);
  // The balance counts again before the wallet is asked.
  await setBalance(by.signer, cost + left - 1n);
  await expectRefusal(by.client.signAndSubmit(wallet, prepared, options), 'INSUFFICIENT_FUNDS');
  expect(wallet.asked).toBe(0);
  market.world.net.airdrop(by.signer.address, 1n);
  await market.live(async () => {
    const { operationId } = await by.client.signAndSubmit(wallet, prepared, options);
    const done = await by.client.waitForOperation(operationId);
    expect(done).toMatchObject({ kind: intent.kind, state: 'FINALIZED' });
  });
  expect(await balanceOf(by.signer)).toBe(left);
}

/** Returns a session of the same wallet that does not use the client. */
const visitorOf = ({ signer }: Party) => new Visitor(market.world.created.app, signer, ORIGIN).signIn();

let circuitId: string;
let people: [Party, Party];
beforeAll(async () => {
  circuitId = (await market.issuer.client.config()).artifacts.manifest.circuit;
  people = [await market.party(), await market.party()];
});

let nonce = 1_000n;
const writes: Record<string, (isPaying: boolean) => Promise<Write>> = {
  async 'a rule set'() {
    nonce += 1n;
    const [by] = people;
    const request = { name: 'Adults', nonce, clauses: [CLAUSE], maxPassAgeSeconds: 86_400n };
    const masks = { ...request, clauses: [clauseMasks(CLAUSE)] };
    return {
      by,
      intent: { kind: 'CREATE_RULE_SET', wallet: by.signer.address, ...masks },
      creates: [409],
      path: '/api/rules',
      body: { ...request, nonce: `${nonce}`, maxPassAgeSeconds: '86400' },
      prepare: (options) => by.client.prepare.createRuleSet(request, options),
    };
  },
  async 'a binding'(requireSource) {
    const [by] = people;
    const { payer } = market.world.keys;
    const mint = await createMint(market.world, payer, { issuer: by.signer.address });
    await market.world.finalize();
    const request = { mint, rule: market.rule, requireSource };
    return {
      by,
      intent: { kind: 'BIND_MINT', wallet: by.signer.address, ...request },
      creates: [100, requireSource ? 232 : 197],
      path: '/api/mint-bindings',
      body: request,
      prepare: (options) => by.client.prepare.bindMint(request, options),
    };
  },
  async 'an issue'() {
    const by = market.issuer;
    const request = { mint: market.mint, destination: market.source, amount: 5n };
    return {
      by,
      intent: { kind: 'ISSUE', wallet: by.signer.address, ...request },
      creates: [],
      path: '/api/mints/issue',
      body: { ...request, amount: '5' },
      prepare: (options) => by.client.prepare.issue(request, options),
    };
  },
  async 'a transfer'() {
    const by = market.issuer;
    const { mint, source, destination } = market;
    const request = { mint, source, destination, amount: 5n };
    return {
      by,
      intent: { kind: 'TRANSFER', wallet: by.signer.address, ...request },
      creates: [],
      path: '/api/transfers',
      body: { ...request, amount: '5' },
      prepare: (options) => by.client.prepare.transfer(request, options),
    };
  },
  'a new pass': (isPaying) => proving(people[isPaying ? 1 : 0], [187]),
  'a renewed pass': (isPaying) => proving(people[isPaying ? 1 : 0], []),
};

async function proving(by: Party, creates: readonly number[]): Promise<Write> {
  const { rule, adults } = market;
  const { birthDate, salt } = by.witness;
  const wallet = by.signer.address;
  const expiresAt = BigInt(market.world.net.time) + 80_000n;
  const witness = {
    region: regionIndexOf('FR')!,
    status: statusIndexOf('retail')!,
    birthDate: parseBirthDate(birthDate),
    salt: BigInt(salt),
  };
  const ofRule = { ...ruleSetBody(), maxPassAgeSeconds: `${adults.maxPassAgeSeconds}` };
  const base64 = await proveRuleSet({ rule, wallet, witness, body: ofRule, expiresAt });
  const request = { rule, expiresAt, proof: new Uint8Array(Buffer.from(base64, 'base64')) };
  return {
    by,
    intent: { kind: 'PROVE', wallet, ...request },
    creates,
    path: '/api/proofs',
    body: { rule, expiresAt: `${expiresAt}`, proof: base64 },
    prepare: (options) => by.client.prepare.prove(request, options),
  };
}

describe.each(Object.keys(writes))('%s', (name) => {
  beforeAll(async () => {
    if (name !== 'a renewed pass') return;
    const { world } = market;
    // Passes can be renewed from half of the longest life on.
    market.setTime(world.net.time + 43_201);
    await world.finalize();
  });

  test.each([
    ['without a priority fee', false],
    ['with a priority fee', true],
  ])('%s', async (_name, isPaying) => {
    await checkAtTheLamport(await writes[name]!(isPaying), isPaying);
  });
});
