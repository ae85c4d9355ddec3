import { programAddresses } from '@service/protocol';
import {
  createMint,
  createTokenAccount,
  issueCredential,
  newWitness,
  PASS_FEE,
  proveRuleSet,
  ruleSetBody,
  transferSol,
  type Visitor,
} from '@service/server/test-service';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { testWorld } from '../../../test/support/test-world.ts';

const world = testWorld();
let issuer: Visitor;
let rule: Address;
const body = ruleSetBody();
beforeAll(async () => {
  issuer = await world.signedIn();
  rule = (await finish(issuer, await issuer.prepare('/api/rules', body))).rule as Address;
  await transferSol(world, issuer.signer, { destination: rule, lamports: 10n * PASS_FEE });
  await world.finalize();
});

const { finish } = world;
const UNBINDABLE = { status: 409, code: 'MINT_NOT_BINDABLE' };
const UNSUPPORTED = { status: 400, code: 'UNSUPPORTED_MINT_EXTENSIONS' };
const INVALID = { status: 400, code: 'INVALID_REQUEST' };
/** An operation that the program rejected because the receiver has no pass. */
const PASS_MISSING = {
  state: 'FAILED',
  failure: { reason: 'ON_CHAIN_ERROR', instruction: 1, programError: { name: 'DESTINATION_PASS_MISSING' } },
};

const bind = (mint: Address, changes: object = {}) =>
  issuer.prepare('/api/mint-bindings', { mint, rule, requireSource: true, ...changes });

async function boundMint(): Promise<Address> {
  const mint = await createMint(world, issuer.signer);
  await world.finalize();
  expect((await finish(issuer, await bind(mint))).state).toBe('FINALIZED');
  return mint;
}

describe('a mint', () => {
  test('must be finalized, with a rule set, and not bound yet', async () => {
    const unused = (await generateKeyPairSigner()).address;
    expect(await bind(unused, { rule: unused })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await bind(unused)).toMatchObject(UNBINDABLE);
    const mint = await createMint(world, issuer.signer);
    expect(await bind(mint)).toMatchObject(UNBINDABLE);
    await world.finalize();
    expect((await finish(issuer, await bind(mint))).state).toBe('FINALIZED');
    expect(await bind(mint)).toMatchObject({ ...UNBINDABLE, message: expect.stringContaining(rule) });
  });

  test('must have the binding profile', async () => {
    const other = (await generateKeyPairSigner()).address;
    const of = async (changes: Parameters<typeof createMint>[2]) => {
      const mint = await createMint(world, issuer.signer, changes);
      await world.finalize();
      return bind(mint);
    };
    const message = 'The mint authority is not the wallet. Set it to the wallet.';
    expect(await of({ issuer: other })).toMatchObject({ ...UNBINDABLE, message });
    expect(await of({ program: other })).toMatchObject(UNBINDABLE);
    const closable = await of({ closeAuthority: true });
    expect(closable).toMatchObject(UNSUPPORTED);
    expect(closable.message).toBe(
      'A bound mint must not have the extension "mint close authority" (type 3): a mint that was closed could be created again without the transfer hook. Create another mint, because an extension cannot be removed.',
    );
    // With both obstacles the error names the extension, because nobody can change that.
    expect(await of({ closeAuthority: true, issuer: other })).toMatchObject(UNSUPPORTED);
  });
});

test('a mint of each template can be bound', async () => {
  for (const template of ['plain', 'security', 'fund'] as const) {
    const mint = await createMint(world, issuer.signer, { template });
    await world.finalize();
    expect((await finish(issuer, await bind(mint))).state).toBe('FINALIZED');
  }
});

test('issuing and transferring: rejected with a code, then done, and rejected on chain where only the chain decides', async () => {
  const holder = await world.signedIn();
  const outsider = await world.signedIn();
  const mint = await boundMint();
  const unbound = await createMint(world, issuer.signer);
  const issue = (by: Visitor, destination: Address, of = mint, amount = '500') =>
    by.prepare('/api/mints/issue', { mint: of, destination, amount });
  const [mine, theirs] = [
    await createTokenAccount(world, issuer.signer, { mint, owner: holder.address }),
    await createTokenAccount(world, issuer.signer, { mint, owner: outsider.address }),
  ];
  expect(await issue(issuer, mine)).toMatchObject({ status: 409, code: 'TOKEN_ACCOUNT_NOT_FOUND' });
  await world.finalize();
  const message = `The issuer of the mint is ${issuer.address}. Sign in with this wallet.`;
  expect(await issue(holder, mine)).toMatchObject({ status: 403, code: 'NOT_ISSUER', message });
  expect(await issue(issuer, mine, unbound)).toMatchObject({ status: 409, code: 'MINT_NOT_BOUND' });
  expect(await issue(issuer, mint)).toMatchObject({ status: 409, code: 'TOKEN_ACCOUNT_NOT_FOUND' });
  expect(await issue(issuer, mine, mint, '0')).toMatchObject(INVALID);

  // Without a pass only the program rejects it.
  expect(await finish(issuer, await issue(issuer, mine))).toMatchObject(PASS_MISSING);
  await obtainPass(holder);
  expect((await finish(issuer, await issue(issuer, mine))).state).toBe('FINALIZED');
  expect(await amountOf(mine)).toBe(500n);

  const transfer = (source: Address, destination: Address, amount = '200', of = mint) =>
    holder.prepare('/api/transfers', { mint: of, source, destination, amount });
  expect(await transfer(mine, mine)).toMatchObject(INVALID);
  expect(await transfer(rule, theirs)).toMatchObject({ status: 409, code: 'TOKEN_ACCOUNT_NOT_FOUND' });
  expect((await transfer(mine, theirs, '1', unbound)).code).toBe('MINT_NOT_BOUND');
  expect(await finish(holder, await transfer(mine, theirs))).toMatchObject(PASS_MISSING);
  expect([await amountOf(mine), await amountOf(theirs)]).toEqual([500n, 0n]);
  await obtainPass(outsider);
  expect(await finish(holder, await transfer(mine, theirs, '501'))).toMatchObject({
    state: 'FAILED',
    failure: { programError: { code: 1, name: 'INSUFFICIENT_FUNDS' } },
  });
  expect((await finish(holder, await transfer(mine, theirs))).state).toBe('FINALIZED');
  expect([await amountOf(mine), await amountOf(theirs)]).toEqual([300n, 200n]);
});

async function obtainPass(visitor: Visitor): Promise<void> {
  const witness = newWitness();
  await issueCredential(world, { wallet: visitor.address, witness });
  const expiresAt = BigInt(world.net.time) + 3_600n;
  const proof = await proveRuleSet({ rule, wallet: visitor.address, witness, body, expiresAt });
  const draft = await visitor.prepare('/api/proofs', { rule, expiresAt: expiresAt.toString(), proof });
  expect((await finish(visitor, draft)).state).toBe('FINALIZED');
}

const amountOf = async (tokenAccount: Address) =>
  (await world.account('tokenAccount', tokenAccount))?.data.amount;

test('a new rule set fixes its powers and its verifier, which must exist', async () => {
  const create = (terms: object) => issuer.prepare('/api/rules', { ...ruleSetBody(), ...terms });
  const verifier = await programAddresses(world.program).verifier(world.keys.verifier.address);
  const { rule: made } = await finish(issuer, await create({ powers: ['grant'], verifier }));
  const found = await world.account('ruleSet', made as Address);
  expect(found?.data).toMatchObject({ powers: 2, verifier: { value: verifier } });

  const unknown = (await generateKeyPairSigner()).address;
  expect(await create({ verifier: unknown })).toMatchObject(INVALID);
  for (const powers of [['pause'], 'suspend', ['grant', 'grant', 'grant'], null]) {
    expect(await create({ powers }), `${powers}`).toMatchObject(INVALID);
  }
});
