import {
  budgetInstructions,
  CLOCK_SYSVAR,
  MEMO_PROGRAM,
  programAddresses,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { getPassCodec, getSetMaxPassFeeInstruction } from '@service/protocol/generated';
import {
  type Answer,
  endPasses,
  issueCredential,
  newWitness,
  type OperationJson,
  PASS_FEE,
  pause,
  proveRuleSet,
  ruleSetBody,
  send,
  setPassFee,
  transferSol,
  unpause,
  type Visitor,
} from '@service/server/test-service';
import { messageOf, withAdditions } from '@service/test-support';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { changeAccount } from '../../../../../test/support/change-account.ts';
import { testWorld } from '../../../test/support/test-world.ts';

const world = testWorld();
const { finish } = world;
const body = ruleSetBody();
const FOREVER = `${2n ** 64n - 1n}`;

let creator: Visitor;
let stranger: Visitor;
/** A rule set with both powers, and one with none. */
let rule: Address;
let without: Address;

beforeAll(async () => {
  [creator, stranger] = [await world.signedIn(), await world.signedIn()];
  const create = async (terms: object) =>
    (await finish(creator, await creator.prepare('/api/rules', terms))).rule as Address;
  rule = await create({ ...body, powers: ['suspend', 'grant'] });
  without = await create(ruleSetBody());
  await transferSol(world, creator.signer, { destination: rule, lamports: 20n * PASS_FEE });
  await world.finalize();
});

const newHolder = async () => (await generateKeyPairSigner()).address;
const inSeconds = (seconds: number) => `${world.net.time + seconds}`;
const suspend = (holder: Address, until: string, changes: object = {}, by = creator) =>
  by.prepare('/api/suspensions', { rule, holder, until, ...changes });
const grant = (holder: Address, expiresAt: string, changes: object = {}, by = creator) =>
  by.prepare('/api/grants', { rule, holder, expiresAt, ...changes });

async function done(draft: Answer<OperationJson>) {
  const operation = await finish(creator, draft);
  expect(operation).toMatchObject({ state: 'FINALIZED' });
  return operation;
}
const passOf = async (holder: Address) =>
  (await world.account('pass', await programAddresses(world.program).pass(rule, holder)))?.data ?? null;
/** The pass as its holder reads it in the passport. */
async function passport(holder: Visitor) {
  const { passes } = (await holder.get<{ passes: object[] }>('/api/passport')).body;
  return passes;
}

/** Obtains a pass with a proof. */
async function prove(holder: Visitor): Promise<Answer<OperationJson>> {
  const witness = newWitness();
  await issueCredential(world, { wallet: holder.address, witness });
  const expiresAt = BigInt(world.net.time) + 3_600n;
  const proof = await proveRuleSet({ rule, wallet: holder.address, witness, body, expiresAt });
  return holder.prepare('/api/proofs', { rule, expiresAt: `${expiresAt}`, proof });
}

test('a suspension ends a wallet’s pass until it is lifted, and needs no pass', async () => {
  const holder = await world.signedIn();
  expect(await done(await suspend(holder.address, FOREVER))).toMatchObject({ kind: 'SUSPEND' });
  expect(await passport(holder)).toMatchObject([{ rule, suspendedUntil: FOREVER, granted: false }]);
  expect(await prove(holder)).toMatchObject({ code: 'PASS_SUSPENDED' });
  const later = inSeconds(600);
  await done(await suspend(holder.address, later));
  expect(await passport(holder)).toMatchObject([{ suspendedUntil: later }]);
  await done(await suspend(holder.address, '0'));
  expect(await passOf(holder.address)).toBeNull();
  expect(await passport(holder)).toEqual([]);
});

test('a grant gives a pass, renews it and ends it, and the creator gets the rent back', async () => {
  const holder = await world.signedIn();
  const [early, late] = [inSeconds(600), inSeconds(1_200)];
  expect(await done(await grant(holder.address, early))).toMatchObject({ kind: 'GRANT' });
  expect(await passport(holder)).toMatchObject([{ rule, granted: true, expiresAt: early }]);
  await done(await grant(holder.address, late));
  expect(await passport(holder)).toMatchObject([{ granted: true, expiresAt: late }]);
  await done(await suspend(holder.address, FOREVER));
  const lift = { status: 409, code: 'PASS_SUSPENDED', message: expect.stringContaining('Lift') };
  expect(await grant(holder.address, late)).toMatchObject(lift);
  expect(await grant(holder.address, '0')).toMatchObject(lift);
  await done(await suspend(holder.address, '0'));
  expect(await passport(holder)).toMatchObject([{ granted: true, suspendedUntil: '0' }]);
  const balance = async () => (await world.rpc.getBalance(creator.address).send()).value;
  const before = await balance();
  await done(await grant(holder.address, '0'));
  expect(await balance()).toBeGreaterThan(before);
  expect(await passOf(holder.address)).toBeNull();
});

test('neither works without the rule set, for another wallet, or without the power', async () => {
  const holder = await newHolder();
  const unknown = await newHolder();
  for (const [use, power] of [
    [suspend, 'suspend'],
    [grant, 'grant'],
  ] as const) {
    for (const time of ['0', inSeconds(600)]) {
      const notFound = { status: 404, code: 'NOT_FOUND', message: expect.stringContaining(unknown) };
      expect(await use(holder, time, { rule: unknown })).toMatchObject(notFound);
      const refused = { status: 403, code: 'NOT_CREATOR', message: expect.stringContaining(creator.address) };
      expect(await use(holder, time, { rule: without }, stranger)).toMatchObject(refused);
      const notGiven = { status: 409, code: 'POWER_NOT_GIVEN', message: expect.stringContaining(power) };
      expect(await use(holder, time, { rule: without })).toMatchObject(notGiven);
    }
  }
  for (const changes of [{ holder: 'x' }, { holder: undefined }, { wallet: holder }, { until: null }]) {
    expect(await suspend(holder, '0', changes), JSON.stringify(changes)).toMatchObject({ status: 400 });
  }
});

test('each power has its own check', async () => {
  const only = async (power: string) => {
    const terms = { ...ruleSetBody(), powers: [power] };
    const made = await finish(creator, await creator.prepare('/api/rules', terms));
    return { rule: made.rule };
  };
  const holder = await newHolder();
  const [suspends, grants] = [await only('suspend'), await only('grant')];
  expect(await suspend(holder, FOREVER, grants)).toMatchObject({ code: 'POWER_NOT_GIVEN' });
  expect(await grant(holder, inSeconds(60), suspends)).toMatchObject({ code: 'POWER_NOT_GIVEN' });
  expect((await suspend(holder, FOREVER, suspends)).status).toBe(200);
  expect(await grant(holder, inSeconds(60), grants)).toMatchObject({ code: 'PASS_FEE_UNFUNDED' });
});

test('a suspension ends in the future, and only one that exists can be lifted', async () => {
  const holder = await newHolder();
  const now = world.net.time;
  for (const until of [`${now}`, '1']) {
    const past = { status: 400, code: 'INVALID_REQUEST', message: expect.stringContaining('body.until') };
    expect(await suspend(holder, until)).toMatchObject(past);
  }
  const notSuspended = { status: 409, code: 'PASS_NOT_SUSPENDED' };
  expect(await suspend(holder, '0')).toMatchObject(notSuspended);
  await done(await grant(holder, inSeconds(600)));
  expect(await suspend(holder, '0')).toMatchObject(notSuspended);
  // The program lifts a suspension that has lapsed too.
  await done(await suspend(holder, inSeconds(60)));
  world.net.setTime(world.net.time + 61);
  world.net.advanceSlots(1);
  await world.finalize();
  await done(await suspend(holder, '0'));
});

test('a grant must be for a wallet, for a life that the rule set allows, and paid for', async () => {
  const holder = await newHolder();
  const expiry = (text: string) => ({
    status: 400,
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(text),
  });
  const now = world.net.time;
  expect(await grant(holder, `${now}`)).toMatchObject(expiry('later than the chain time'));
  expect(await grant(holder, `${now + 86_400 + 600}`)).toMatchObject(expiry('maxPassAgeSeconds'));
  expect(await grant(holder, FOREVER)).toMatchObject(expiry('maxPassAgeSeconds'));
  for (const program of [world.program, MEMO_PROGRAM, SYSTEM_PROGRAM, CLOCK_SYSVAR]) {
    expect(await grant(program, inSeconds(600))).toMatchObject(
      expiry('body.holder must be the address of a wallet'),
    );
  }
  await setPassFee(world, null);
  expect(await grant(holder, inSeconds(600))).toMatchObject({ status: 503, code: 'PASS_FEE_UNSET' });
  await setPassFee(world, PASS_FEE);
  const agree = async (lamports: bigint) => {
    const limit = { creator: creator.signer, ruleSet: rule, lamports };
    await send(world, creator.signer, [
      getSetMaxPassFeeInstruction(limit, { programAddress: world.program }),
    ]);
  };
  await agree(PASS_FEE - 1n);
  expect(await grant(holder, inSeconds(600))).toMatchObject({ status: 409, code: 'PASS_FEE_ABOVE_LIMIT' });
  await agree(PASS_FEE);
  expect((await grant(holder, inSeconds(600))).status).toBe(200);
});

test('a grant does not replace a live pass that was proved, and ends only a granted one', async () => {
  const holder = await world.signedIn();
  expect(await grant(holder.address, '0')).toMatchObject({ status: 409, code: 'PASS_NOT_GRANTED' });
  const proved = await prove(holder);
  expect(proved.message).toBeUndefined();
  expect(await finish(holder, proved)).toMatchObject({ state: 'FINALIZED' });
  const live = { status: 409, code: 'PASS_PROVED', message: expect.stringContaining('Grant one after that') };
  expect(await grant(holder.address, inSeconds(600))).toMatchObject(live);
  expect(await grant(holder.address, '0')).toMatchObject({ code: 'PASS_NOT_GRANTED' });
  const pass = await programAddresses(world.program).pass(rule, holder.address);
  const expire = (expiresAt: bigint) => changeAccount(world.net, pass, getPassCodec(), { expiresAt });
  const { expiresAt } = (await passOf(holder.address))!;
  await expire(BigInt(world.net.time));
  await world.finalize();
  expect((await grant(holder.address, inSeconds(600))).status).toBe(200);
  await expire(expiresAt);
  await world.finalize();
  expect(await grant(holder.address, inSeconds(600))).toMatchObject(live);
  // A pass that governance ended is not live.
  world.net.setTime(world.net.time + 2);
  world.net.advanceSlots(1);
  await endPasses(world);
  world.net.setTime(world.net.time + 2);
  world.net.advanceSlots(1);
  await world.finalize();
  const balance = async () => (await world.rpc.getBalance(holder.address).send()).value;
  const before = await balance();
  await done(await grant(holder.address, inSeconds(600)));
  expect(await balance()).toBeGreaterThan(before);
  expect(await passOf(holder.address)).toMatchObject({ granted: true });
});

test('the creator needs the rent of a pass that it opens', async () => {
  const poor = await world.signedIn();
  const terms = { ...ruleSetBody(), powers: ['suspend', 'grant'] };
  const { rule: own } = await finish(poor, await poor.prepare('/api/rules', terms));
  await transferSol(world, creator.signer, { destination: own as Address, lamports: 5n * PASS_FEE });
  const { value: balance } = await world.rpc.getBalance(poor.address).send();
  const left = 1_000_000n;
  await transferSol(world, poor.signer, { destination: creator.address, lamports: balance - left - 5_000n });
  await world.finalize();
  const holder = await newHolder();
  const rent = { code: 'INVALID_REQUEST', message: expect.stringContaining('for the rent of new accounts') };
  expect(await suspend(holder, FOREVER, { rule: own }, poor)).toMatchObject(rent);
  expect(await grant(holder, inSeconds(600), { rule: own }, poor)).toMatchObject(rent);
  // Lifting a suspension needs no rent.
  expect(await suspend(holder, '0', { rule: own }, poor)).toMatchObject({ code: 'PASS_NOT_SUSPENDED' });
});

test('two creators do not wait for each other, and one wallet has one signed operation', async () => {
  const [one, two] = [await newHolder(), await newHolder()];
  const draft = await suspend(one, FOREVER);
  const second = await grant(two, inSeconds(600));
  await creator.signAndSubmit(draft);
  expect(await grant(two, inSeconds(600))).toMatchObject({ code: 'SIGNED_OPERATION_PENDING' });
  expect(await creator.signAndSubmit(second)).toMatchObject({ code: 'SIGNED_OPERATION_PENDING' });
  expect(await suspend(one, FOREVER, {}, stranger)).toMatchObject({ code: 'NOT_CREATOR' });
  await world.settle();
  expect((await creator.operation(draft.body.operationId)).body).toMatchObject({ state: 'FINALIZED' });
  expect((await stranger.operation(draft.body.operationId)).status).toBe(404);
  await done(second);
});

test('a pause stops no suspension and no end of a grant, which the program allows then, but each grant', async () => {
  const [held, other] = [await newHolder(), await newHolder()];
  await done(await grant(held, inSeconds(6_000)));
  const early = await grant(other, inSeconds(6_000));
  const paused = { status: 503, code: 'PROTOCOL_PAUSED' };
  const adopt = ({ body: { operationId, transaction } }: Answer<OperationJson>) => {
    const message = messageOf(
      withAdditions(transaction!, { before: budgetInstructions({ limit: 200_000, price: 1_000n }) }),
    );
    return creator.post<OperationJson>('/api/transactions/adopt', { operationId, message });
  };
  await pause(world);
  await world.finalize();
  try {
    expect(await grant(other, inSeconds(6_000))).toMatchObject(paused);
    expect(await adopt(early)).toMatchObject(paused);
    expect(await creator.signAndSubmit(early)).toMatchObject(paused);
    await done(await suspend(held, FOREVER));
    await done(await suspend(held, '0'));
    await done(await adopt(await suspend(other, FOREVER)));
    await done(await adopt(await grant(held, '0')));
    expect(await passOf(held)).toBeNull();
  } finally {
    await unpause(world);
    await world.finalize();
  }
});
