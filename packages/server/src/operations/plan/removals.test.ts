import { TOKEN_2022_PROGRAM } from '@service/protocol';
import {
  createMint,
  createTokenAccount,
  PASS_FEE,
  ruleSetBody,
  send,
  transferSol,
  type Visitor,
} from '@service/server/test-service';
import { AccountRole, type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { testWorld } from '../../../test/support/test-world.ts';

const world = testWorld();
const { finish } = world;
const unused = (await generateKeyPairSigner()).address;

let issuer: Visitor;
let stranger: Visitor;
/** A rule set with powers that the issuer created. */
let rule: Address;
/** A bound mint of the template `security`. */
let mint: Address;
/** Token accounts: one with 500 base units, and one of another holder with a pass. */
let source: Address;
let destination: Address;

beforeAll(async () => {
  [issuer, stranger] = [await world.signedIn(), await world.signedIn()];
  const powers = { powers: ['suspend', 'grant'] };
  rule = (await finish(issuer, await issuer.prepare('/api/rules', { ...ruleSetBody(), ...powers })))
    .rule as Address;
  await transferSol(world, issuer.signer, { destination: rule, lamports: 10n * PASS_FEE });
  mint = await bound('security');
  [source, destination] = [await tokenAccountOf(mint), await tokenAccountOf(mint)];
  await world.finalize();
  const issue = { mint, destination: source, amount: '500' };
  await done(await issuer.prepare('/api/mints/issue', issue));
});

const amountOf = async (address: Address) => (await world.account('tokenAccount', address))?.data.amount;
const supply = async () => (await world.account('mint', mint))?.data.supply;

const recover = (changes: object = {}, by = issuer) =>
  by.prepare('/api/mints/recover', {
    mint,
    source,
    destination,
    amount: '200',
    reason: 'lost-key',
    ...changes,
  });
const redeem = (changes: object = {}, by = issuer) =>
  by.prepare('/api/mints/redeem', { mint, source, amount: '50', reason: 'redemption', ...changes });

async function done(draft: Awaited<ReturnType<typeof recover>>) {
  const operation = await finish(issuer, draft);
  expect(operation).toMatchObject({ state: 'FINALIZED' });
  return operation;
}

async function bound(template: 'plain' | 'security'): Promise<Address> {
  const made = await createMint(world, issuer.signer, { template });
  await world.finalize();
  const terms = { mint: made, rule, requireSource: false, honoursGranted: true };
  await done(await issuer.prepare('/api/mint-bindings', terms));
  return made;
}

/** Creates a token account of a new holder, who has a granted pass. */
async function tokenAccountOf(of: Address): Promise<Address> {
  const { address: owner } = await generateKeyPairSigner();
  const expiresAt = `${world.net.time + 3_600}`;
  await done(await issuer.prepare('/api/grants', { rule, holder: owner, expiresAt }));
  return createTokenAccount(world, issuer.signer, { mint: of, owner });
}

test('a recovery moves tokens, and a redemption burns them', async () => {
  const [before, there, all] = [await amountOf(source), await amountOf(destination), await supply()];
  expect(await done(await recover())).toMatchObject({ kind: 'RECOVER' });
  expect([await amountOf(source), await amountOf(destination)]).toEqual([before! - 200n, there! + 200n]);
  expect(await supply()).toBe(all);
  expect(await done(await redeem())).toMatchObject({ kind: 'REDEEM' });
  expect([await amountOf(source), await supply()]).toEqual([before! - 250n, all! - 50n]);
});

/** The refusals of both endpoints, in the order in which they are checked. */
test.each([
  ['recover', recover],
  ['redeem', redeem],
])('%s is rejected with a code', async (_name, take) => {
  const invalid = { status: 400, code: 'INVALID_REQUEST' };
  for (const changes of [{ amount: '0' }, { reason: 'theft' }, { reason: undefined }, { more: 1 }]) {
    expect(await take(changes), JSON.stringify(changes)).toMatchObject(invalid);
  }
  expect(await take({ mint: unused }, stranger)).toMatchObject({ status: 409, code: 'MINT_NOT_BOUND' });
  const plain = await bound('plain');
  const notIssuer = `The issuer of the mint is ${issuer.address}. Sign in with this wallet.`;
  expect(await take({ mint: plain, source: unused }, stranger)).toMatchObject({
    status: 403,
    code: 'NOT_ISSUER',
    message: notIssuer,
  });
  const notEnabled = { status: 409, code: 'RECOVERY_NOT_ENABLED', message: expect.stringContaining(plain) };
  expect(await take({ mint: plain, source: unused })).toMatchObject(notEnabled);
  const notFound = { status: 409, code: 'TOKEN_ACCOUNT_NOT_FOUND' };
  expect(await take({ source: unused })).toMatchObject(notFound);
  expect(await take({ source: mint })).toMatchObject(notFound);
  const other = await tokenAccountOf(plain);
  await world.finalize();
  expect(await take({ source: other })).toMatchObject({
    ...invalid,
    message: expect.stringContaining(plain),
  });
});

test('a recovery needs two token accounts of the mint', async () => {
  expect(await recover({ destination: source })).toMatchObject({
    status: 400,
    message: expect.stringContaining('same token account'),
  });
  expect(await recover({ destination: unused })).toMatchObject({ code: 'TOKEN_ACCOUNT_NOT_FOUND' });
  // Only the program rejects an owner without a pass.
  const outsider = await createTokenAccount(world, issuer.signer, { mint, owner: stranger.address });
  await world.finalize();
  expect(await finish(issuer, await recover({ destination: outsider }))).toMatchObject({
    state: 'FAILED',
    failure: { programError: { name: 'DESTINATION_PASS_MISSING' } },
  });
});

test('neither takes tokens of a frozen account, because an operation has one action', async () => {
  /** Sends FreezeAccount (10) or ThawAccount (11) of Token-2022. */
  const toggle = async (account: Address, instruction: 10 | 11) => {
    const accounts = [
      { address: account, role: AccountRole.WRITABLE },
      { address: mint, role: AccountRole.READONLY },
      { address: issuer.address, role: AccountRole.READONLY_SIGNER },
    ];
    const call = { programAddress: TOKEN_2022_PROGRAM, accounts, data: Uint8Array.of(instruction) };
    await send(world, issuer.signer, [call]);
    await world.finalize();
  };
  const frozen = (address: Address) => ({
    status: 400,
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(`${address} is frozen. Thaw it first`),
  });
  await toggle(source, 10);
  expect(await recover()).toMatchObject(frozen(source));
  expect(await redeem()).toMatchObject(frozen(source));
  await toggle(source, 11);
  await toggle(destination, 10);
  expect(await recover()).toMatchObject(frozen(destination));
  await done(await redeem({ amount: '1' }));
  await toggle(destination, 11);
});

test('more tokens than there are fail on chain', async () => {
  expect(await finish(issuer, await redeem({ amount: '1000000' }))).toMatchObject({
    state: 'FAILED',
    failure: { programError: { name: 'INSUFFICIENT_FUNDS' } },
  });
});

test('the same key returns the same draft, and is a conflict for another request', async () => {
  const key = 'recover-the-lost-key';
  const body = { mint, source, destination, amount: '1', reason: 'court-order' };
  const first = await issuer.prepare('/api/mints/recover', body, key);
  expect(await issuer.prepare('/api/mints/recover', body, key)).toMatchObject({ body: first.body });
  const other = { ...body, reason: 'error' };
  expect(await issuer.prepare('/api/mints/recover', other, key)).toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
  });
  const { destination: _, ...less } = body;
  expect(await issuer.prepare('/api/mints/redeem', less, key)).toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
  });
});
