/** The client, the service and the chain agree to the lamport on what a wallet needs for each kind of write. */
import {
  COMPUTE_UNIT_LIMITS,
  type ComputeBudget,
  type Intent,
  operationMessage,
  planInstruction,
  priorityFeeLamports,
  programAddresses,
  tokenAccountAddress,
  wireTransaction,
} from '@service/protocol';
import { ORIGIN, send, Visitor } from '@service/server/test-service';
import { type Base64EncodedWireTransaction, getBase64Decoder, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeAll, describe, expect, test } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { useMarket } from './support/market.ts';
import { type Party, type Write, writesOf } from './support/writes.ts';

const market = useMarket();

const FEE = 5_000n;
/** The rent-exempt minimum of an account without data: what must stay in a wallet, unless nothing stays. */
const MINIMUM = 890_880n;
const PRICE = 100_000n;

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
let people: readonly [Party, Party];
const writes = writesOf(market, () => people);
beforeAll(async () => {
  circuitId = (await market.issuer.client.config()).artifacts.manifest.circuit;
  people = [await market.party(), await market.party()];
});

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

/** Returns a wallet with a credential and without a pass. */
async function poorParty(lamports: bigint): Promise<Party> {
  const party = await market.party();
  await setBalance(party.signer, lamports);
  return party;
}

test('an account that somebody has funded already costs less, and the fees alone must leave enough', async () => {
  const rent = await rentOf([444 + 37]);
  const write = await writes['a rule set']!(false);
  const { client, signer } = write.by;
  const { nonce: own } = write.intent as Extract<Intent, { kind: 'CREATE_RULE_SET' }>;
  const rule = await programAddresses(market.world.program).ruleSet(signer.address, own);
  const missing = MINIMUM - 2_500n;
  market.world.net.airdrop(rule, rent - missing);
  // After the fee the wallet would have less than its minimum, although the rent takes it all.
  await setBalance(signer, FEE + missing);
  expect(await errorOnChain(write, undefined)).not.toBeNull();
  await expectRefusal(write.prepare({}), 'INSUFFICIENT_FUNDS', { context: { rent: missing } });
  await setBalance(signer, FEE + missing + MINIMUM);
  await market.live(async () => {
    const prepared = await write.prepare({});
    const { operationId } = await client.signAndSubmit(countingWallet(signer), prepared);
    await client.waitForOperation(operationId);
  });
  expect(await balanceOf(signer)).toBe(MINIMUM);
});

describe('SOL that is confirmed and not final yet', () => {
  /** Sends a wallet without SOL what it needs. Then it is confirmed. */
  async function receive({ signer }: Party, amount: bigint): Promise<void> {
    const { world } = market;
    expect(await balanceOf(signer, 'processed')).toBe(0n);
    const { payer } = world.keys;
    const give = getTransferSolInstruction({ source: payer, destination: signer.address, amount });
    await send(world, payer, [give]);
    world.net.advanceSlots(1);
    expect(await balanceOf(signer)).toBe(0n);
  }

  test('counts in every check before a proof, and the proof succeeds', async () => {
    const party = await poorParty(0n);
    const { client, signer, witness } = party;
    const { rule } = market;
    expect(await client.checkProof({ rule, witness })).toMatchObject({
      reasons: [{ code: 'INSUFFICIENT_FUNDS', balance: 0n }],
    });
    await receive(party, 50_000_000n);
    expect(await client.checkProof({ rule, witness })).toMatchObject({ ok: true });
    const opened = await market.live(() => client.prove(signer, { rule, witness }));
    expect(opened).toMatchObject({ kind: 'PROVE', state: 'FINALIZED' });
  });

  test('counts in checkTransfer, and when the transfer is prepared', async () => {
    const { issuer, mint, source, destination } = market;
    await setBalance(issuer.signer, 0n);
    const request = { mint, source, destination, amount: 1n };
    const funds = { code: 'INSUFFICIENT_FUNDS', balance: 0n };
    const reasonsOf = async () => {
      const check = await issuer.client.checkTransfer(request, { wallet: issuer.signer.address });
      return check.ok ? [] : check.reasons;
    };
    expect(await reasonsOf()).toContainEqual(expect.objectContaining(funds));
    await receive(issuer, 50_000_000n);
    expect(await reasonsOf()).not.toContainEqual(expect.objectContaining({ code: 'INSUFFICIENT_FUNDS' }));
    await issuer.client.prepare.transfer(request);
    await market.world.finalize();
  });
});

describe('a holder with 900,000 lamports', () => {
  const LAMPORTS = 900_000n;
  const shortfall = (rent: bigint) => ({
    balance: LAMPORTS,
    needed: FEE + rent + MINIMUM,
    fee: FEE,
    priorityFee: 0n,
    rent,
    minimum: MINIMUM,
  });

  test('is warned by checkProof, and stopped before the proof and before the wallet', async () => {
    const rent = await rentOf([203]);
    const { client, signer, witness } = await poorParty(LAMPORTS);
    const { rule } = market;
    const check = () => client.checkProof({ rule, witness });
    const reason = { code: 'INSUFFICIENT_FUNDS', who: 'holder', wallet: signer.address, ...shortfall(rent) };
    expect(await check()).toMatchObject({ ok: false, reasons: [reason] });
    const wallet = countingWallet(signer);
    const steps: unknown[] = [];
    const onProgress = (step: unknown) => void steps.push(step);
    const proving = (options = {}) => client.prove(wallet, { rule, witness }, { onProgress, ...options });
    await expectRefusal(proving(), 'INSUFFICIENT_FUNDS', { context: shortfall(rent) });
    // The priority fee counts before the proof too.
    market.world.net.airdrop(signer.address, FEE + rent + MINIMUM - LAMPORTS);
    expect(await check()).toMatchObject({ ok: true });
    const priority = { priorityFee: PRICE, maxPriorityFeeLamports: 100_000n };
    await expectRefusal(proving(priority), 'INSUFFICIENT_FUNDS', { context: { priorityFee: 16_000n } });
    expect({ asked: wallet.asked, steps }).toEqual({ asked: 0, steps: [] });
  });

  test('can pay for a transfer only with what it need not keep, as checkTransfer says', async () => {
    const { issuer, source, destination, mint } = market;
    const check = (request: object, wallet = issuer.signer.address) =>
      issuer.client.checkTransfer({ mint, destination, amount: 1n, ...request }, { wallet });
    await setBalance(issuer.signer, MINIMUM + FEE - 1n);
    const missing = { code: 'INSUFFICIENT_FUNDS', needed: MINIMUM + FEE, balance: MINIMUM + FEE - 1n };
    const { payer } = market.world.keys;
    const nobody = await tokenAccountAddress({ mint, owner: payer.address });
    const noAccount = { code: 'TOKEN_ACCOUNT_NOT_FOUND', address: nobody };
    expect(await check({ source })).toMatchObject({
      reasons: expect.arrayContaining([has(missing, 'holder')]),
    });
    expect(await check({})).toMatchObject({ reasons: expect.arrayContaining([has(missing, 'issuer')]) });
    const both = expect.arrayContaining([has(missing, 'holder'), expect.objectContaining(noAccount)]);
    expect(await check({ source, destination: nobody })).toMatchObject({ reasons: both });
    // Operations create no token account. Whoever creates it pays for it, so it is no cost of the sender.
    await setBalance(issuer.signer, FEE);
    for (const request of [{ source }, {}]) {
      const { reasons = [] } = (await check({ ...request, destination: nobody })) as { reasons?: object[] };
      expect(reasons).toContainEqual(expect.objectContaining(noAccount));
      expect(reasons).not.toContainEqual(expect.objectContaining({ code: 'INSUFFICIENT_FUNDS' }));
    }
    const { prepare } = issuer.client;
    const request = { mint, destination: nobody, amount: 1n };
    await expectRefusal(prepare.issue(request), 'TOKEN_ACCOUNT_NOT_FOUND');
    await expectRefusal(prepare.transfer({ ...request, source }), 'TOKEN_ACCOUNT_NOT_FOUND');
    const visitor = await visitorOf(issuer);
    const posted = await visitor.prepare('/api/mints/issue', { ...request, amount: '1' });
    expect(posted).toMatchObject({ status: 409, code: 'TOKEN_ACCOUNT_NOT_FOUND' });
  });

  const has = (reason: object, who: string) => expect.objectContaining({ ...reason, who });
});

test('the service refuses signed bytes whose fee would leave too little, and the draft stays valid', async () => {
  const write = await writes['an issue']!(false);
  const visitor = await visitorOf(write.by);
  await setBalance(write.by.signer, MINIMUM + FEE);
  const draft = await visitor.prepare(write.path, write.body);
  await setBalance(write.by.signer, MINIMUM + FEE - 1n);
  const refused = await visitor.signAndSubmit(draft);
  expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  expect(refused.message).toContain('Send 1 lamports to');
  market.world.net.airdrop(write.by.signer.address, 1n);
  expect(await visitor.signAndSubmit(draft)).toMatchObject({ status: 200, body: { state: 'QUEUED' } });
  await market.world.created.tick();
  await market.world.finalize();
  expect(await balanceOf(write.by.signer)).toBe(MINIMUM);
});

test('an operation that took all that the wallet had is named again under its key', async () => {
  const { client, signer } = market.issuer;
  const request = { mint: market.mint, destination: market.source, amount: 1n };
  const key = { idempotencyKey: 'kept-over-a-crash' };
  await setBalance(signer, FEE);
  const { operationId } = await market.live(() => client.issue(signer, request, key));
  expect(await balanceOf(signer)).toBe(0n);
  const page = market.newClient();
  await page.authenticate(signer, market.deployment.genesisHash);
  const named = { context: { operationId } };
  await expectRefusal(page.prepare.issue(request, key), 'OPERATION_ALREADY_SIGNED', named);
  // Under a new key of the caller's own the service refuses, and the client has the numbers.
  const other = page.prepare.issue(request, { idempotencyKey: 'of-another-write' });
  await expectRefusal(other, 'INSUFFICIENT_FUNDS', { context: { balance: 0n, fee: FEE } });
});
