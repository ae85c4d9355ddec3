/** The keeper on a localnet with the stand-in for Token ACL. */
import { randomBytes } from 'node:crypto';
import { addressBytes } from '@service/contract';
import {
  createTokenAccountInstruction,
  decodeTokenAccount,
  freezeWithoutPassInstruction,
  programAddresses,
  SYSTEM_PROGRAM,
  setGateInstruction,
  TOKEN_2022_PROGRAM,
  thawByPassInstruction,
  togglePermissionlessInstruction,
} from '@service/protocol';
import {
  getEndGrantInstruction,
  getGrantPassInstruction,
  getSuspendPassInstruction,
} from '@service/protocol/generated';
import {
  createGatedMint,
  endPasses,
  issueCredential,
  newWitness,
  openThawed,
  PASS_FEE,
  proveRuleSet,
  revokeCredential,
  ruleSetBody,
  send,
  transferSol,
  type Visitor,
} from '@service/server/test-service';
import { type Address, generateKeyPairSigner, getAddressDecoder } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getInitializeAccount3Instruction,
  getInitializeImmutableOwnerInstruction,
  getMintToInstruction,
} from '@solana-program/token';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resultOf, rpcAround } from '../../test/support/rpc-around.ts';
import { testWorld } from '../../test/support/test-world.ts';
import { startIndexer } from '../chain-index/indexer.ts';
import { readAttention } from '../health/attention.ts';
import { startPassCloser } from '../pass-closer/index.ts';
import type { Service } from '../service.ts';
import { enqueue, requeue, takeDueHolders } from './due-holders.ts';
import { startKeeper } from './index.ts';

const FEE = 5_000n;
const NEVER = 2n ** 64n - 1n;
const DAY_MS = 86_400_000;

const world = testWorld();
const body = { ...ruleSetBody(), powers: ['suspend', 'grant'] };
let issuer: Visitor;
let rule: Address;
let mint: Address;
let at: ReturnType<typeof programAddresses>;

beforeAll(async () => {
  at = programAddresses(world.program);
  issuer = await world.signedIn();
  rule = (await world.finish(issuer, await issuer.prepare('/api/rules', body))).rule as Address;
  await transferSol(world, issuer.signer, { destination: rule, lamports: 60n * PASS_FEE });
  mint = await createGatedMint(world, issuer.signer, { rule, honoursGranted: true });
  await world.finalize();
});
beforeEach(async () => {
  // What the test before left ends, is frozen and checked.
  world.net.setTime(seconds() + 7_200n);
  await settle();
  world.clock.ms += 90_000;
});

const service = () => world.created.service;
const tick = (of: Service = service()) => startKeeper(of).tick();
const seconds = () => BigInt(world.net.time);
const ofProgram = () => ({ programAddress: world.program });
const shared = async () => ({
  creator: issuer.signer,
  config: await at.config(),
  ruleSet: rule,
  systemProgram: SYSTEM_PROGRAM,
});

/** Lets the service index, send, and see what it sent at finalized. */
async function settle(): Promise<void> {
  await world.finalize();
  await world.finalize();
}
/** Lets the service index what is finalized, and nothing else. */
async function indexOnly(): Promise<void> {
  world.net.finalize();
  await startIndexer(service()).tick();
}
const attention = () => readAttention(service(), service().signal);
/** Gives a wallet a granted pass that lives an hour. */
async function grant(wallet: Address, expiresAt = seconds() + 3_600n): Promise<bigint> {
  const pass = await at.pass(rule, wallet);
  const accounts = { ...(await shared()), wallet, pass, expiresAt };
  await send(world, issuer.signer, [getGrantPassInstruction(accounts, ofProgram())]);
  return expiresAt;
}
async function suspend(wallet: Address, until: bigint): Promise<void> {
  const accounts = { ...(await shared()), wallet, pass: await at.pass(rule, wallet), until };
  await send(world, issuer.signer, [getSuspendPassInstruction(accounts, ofProgram())]);
}
/** Gives a new wallet a credential and a proved pass that lives an hour. */
async function prove(): Promise<{ visitor: Visitor; expiresAt: bigint }> {
  const visitor = await world.signedIn();
  const witness = newWitness();
  await issueCredential(world, { wallet: visitor.address, witness });
  const expiresAt = seconds() + 3_600n;
  const proof = await proveRuleSet({ rule, wallet: visitor.address, witness, body, expiresAt });
  const draft = await visitor.prepare('/api/proofs', { rule, expiresAt: expiresAt.toString(), proof });
  expect((await world.finish(visitor, draft)).state).toBe('FINALIZED');
  return { visitor, expiresAt };
}
const open = (owner: Address, of = mint) => openThawed(world, issuer.signer, { mint: of, owner, rule });
/** Thaws an account again, as its owner may while the pass is live. */
async function thaw(owner: Address, tokenAccount: Address, of = mint): Promise<void> {
  const gated = { caller: issuer.address, mint: of, tokenAccount, owner, rule };
  await send(world, issuer.signer, [await thawByPassInstruction(world.program, gated)]);
}
/** Creates a wallet with a granted pass and a thawed account, which the service has indexed. */
async function custodian(of = mint) {
  const { address: wallet } = await generateKeyPairSigner();
  const expiresAt = await grant(wallet);
  const tokenAccount = await open(wallet, of);
  await world.finalize();
  return { wallet, expiresAt, tokenAccount };
}
/** Creates and thaws other token accounts of a wallet. Returns them in the order in which an RPC lists all of them. */
async function splitAccounts(wallet: Address, count: number): Promise<Address[]> {
  for (let made = 0; made < count; made += 1) await otherAccount(wallet);
  const form = { encoding: 'base64', commitment: 'confirmed' } as const;
  const { value } = await world.rpc.getTokenAccountsByOwner(wallet, { mint }, form).send();
  await world.finalize();
  return value.map(({ pubkey }) => pubkey);
}
const countFrozen = async (accounts: readonly Address[]) =>
  (await Promise.all(accounts.map(isFrozen))).filter(Boolean).length;
/** Creates and thaws another token account of a wallet, that is not the associated one. */
async function otherAccount(owner: Address): Promise<Address> {
  const newAccount = await generateKeyPairSigner();
  const [account, config] = [newAccount.address, { programAddress: TOKEN_2022_PROGRAM }];
  const gated = { caller: issuer.address, mint, tokenAccount: account, owner, rule };
  await send(
    world,
    issuer.signer,
    [
      getCreateAccountInstruction({
        ...{ payer: issuer.signer, newAccount, lamports: 3_000_000n, space: 170n, ...config },
      }),
      getInitializeImmutableOwnerInstruction({ account }, config),
      getInitializeAccount3Instruction({ account, mint, owner }, config),
      await thawByPassInstruction(world.program, gated),
    ],
    [newAccount],
  );
  return account;
}
const isFrozen = async (account: Address) => (await world.account('tokenAccount', account))!.data.frozen;
/** Runs work, and returns the transactions that the service sent and paid meanwhile. */
async function sentIn(work: () => Promise<unknown>): Promise<bigint> {
  const paid = async () => {
    const { value } = await world.rpc
      .getBalance(world.keys.feePayer.address, { commitment: 'processed' })
      .send();
    return value;
  };
  const before = await paid();
  await work();
  return (before - (await paid())) / FEE;
}
const rowOf = (wallet: Address, of = mint) =>
  service()
    .db.selectFrom('gated_holder')
    .selectAll()
    .where('wallet', '=', wallet)
    .where('mint', '=', of)
    .executeTakeFirst();

describe('the keeper freezes', () => {
  it('the accounts of a proved pass that expired, once, and pays the network fee', async () => {
    const { visitor, expiresAt } = await prove();
    const tokenAccount = await open(visitor.address);
    expect(await sentIn(settle)).toBe(0n);
    world.net.setTime(expiresAt - 2n);
    expect(await sentIn(tick)).toBe(0n);
    world.net.setTime(expiresAt);
    expect(await sentIn(settle)).toBe(1n);
    expect(await isFrozen(tokenAccount)).toBe(true);
    world.clock.ms += 90_000;
    expect(await sentIn(settle)).toBe(0n);
    expect(await rowOf(visitor.address)).toMatchObject({ attempts: 0, due_at: 0n });
    await tick();
    expect(await rowOf(visitor.address)).toMatchObject({ attempts: 0, due_at: 0n });
  });

  it('as soon as the pass expires at confirmed, and checks again what was thawed until then', async () => {
    const { wallet, expiresAt, tokenAccount } = await custodian();
    world.net.setTime(expiresAt);
    // The finalized time is still before the expiry.
    world.net.advanceSlots(2);
    expect(await sentIn(tick)).toBe(1n);
    world.net.finalize();
    expect(await isFrozen(tokenAccount)).toBe(true);
    expect((await rowOf(wallet))!.checked_time).toBeNull();
    world.clock.ms += 90_000;
    await settle();
    expect((await rowOf(wallet))!.checked_time).toBeGreaterThanOrEqual(expiresAt);
  });

  it('the account of a suspended pass, and again when it was thawed after the suspension and expired', async () => {
    const { visitor, expiresAt } = await prove();
    const wallet = visitor.address;
    const tokenAccount = await open(wallet);
    await suspend(wallet, seconds() + 600n);
    expect(await sentIn(settle)).toBe(1n);
    expect(await isFrozen(tokenAccount)).toBe(true);
    world.clock.ms += 90_000;
    await settle();
    // Lifted, thawed and suspended again between two steps.
    await suspend(wallet, 0n);
    await thaw(wallet, tokenAccount);
    await suspend(wallet, seconds() + 600n);
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(true);
    world.clock.ms += 90_000;
    await settle();
    world.net.setTime(seconds() + 700n);
    await thaw(wallet, tokenAccount);
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(false);
    world.net.setTime(expiresAt);
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(true);
  });

  it('the account of a holder whose credential was revoked', async () => {
    const { visitor } = await prove();
    const tokenAccount = await open(visitor.address);
    await revokeCredential(world, visitor.address);
    await settle();
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(true);
  });

  it('the account of a granted pass that expired, which is closed too, and the creator gets its rent', async () => {
    const { wallet, expiresAt, tokenAccount } = await custodian();
    const pass = (await world.account('pass', await at.pass(rule, wallet)))!;
    world.net.setTime(expiresAt);
    const lamportsOf = async () => (await world.rpc.getBalance(issuer.address).send()).value;
    const before = await lamportsOf();
    expect(await sentIn(settle)).toBe(2n);
    expect(await isFrozen(tokenAccount)).toBe(true);
    expect(await world.account('pass', pass.address)).toBeNull();
    expect((await lamportsOf()) - before).toBe(pass.lamports);
  });

  it('the account of a pass that was opened and closed between two steps', async () => {
    const { address: wallet } = await generateKeyPairSigner();
    await grant(wallet);
    const tokenAccount = await open(wallet);
    await indexOnly();
    const accounts = { ...(await shared()), sender: issuer.signer, pass: await at.pass(rule, wallet) };
    const { creator } = accounts;
    await send(world, issuer.signer, [
      getEndGrantInstruction({ ...accounts, creator: creator.address }, ofProgram()),
    ]);
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(true);
  });

  it('every account of the owner', async () => {
    const { wallet, expiresAt, tokenAccount } = await custodian();
    const other = await otherAccount(wallet);
    await world.finalize();
    world.net.setTime(expiresAt);
    await settle();
    expect([await isFrozen(tokenAccount), await isFrozen(other)]).toEqual([true, true]);
  });

  it('first the account with the most tokens of a wallet that has many, and soon the others', async () => {
    const { wallet, expiresAt } = await custodian();
    const accounts = await splitAccounts(wallet, 16);
    const [richest] = accounts.slice(-1) as [Address];
    const minted = { mint, token: richest, mintAuthority: issuer.signer, amount: 1n };
    await send(world, issuer.signer, [getMintToInstruction(minted, { programAddress: TOKEN_2022_PROGRAM })]);
    await world.finalize();
    world.net.setTime(expiresAt);
    await indexOnly();
    expect(await sentIn(tick)).toBe(16n);
    // The finalized state does not show the freezes yet, so the next attempt has to look past them.
    world.net.advanceSlots(2);
    const form = { encoding: 'base64', commitment: 'confirmed' } as const;
    const { value } = await world.rpc.getAccountInfo(richest, form).send();
    expect(decodeTokenAccount(Buffer.from(value!.data[0], 'base64'))).toMatchObject({ frozen: true });
    world.clock.ms += 19_999;
    expect(await sentIn(tick)).toBe(0n);
    world.clock.ms += 1;
    expect(await sentIn(tick)).toBe(1n);
    world.net.finalize();
    expect([await isFrozen(richest), await countFrozen(accounts)]).toEqual([true, 17]);
  });

  it('the accounts of a wallet after others that cannot be frozen, and asks for a person', async () => {
    const { wallet, expiresAt } = await custodian();
    const accounts = await splitAccounts(wallet, 48);
    const some = accounts.slice(-3);
    const fixed = new Set(accounts.slice(0, -3).map((address) => addressBytes(address).toString()));
    const rpc = rpcAround(world.net, (call, method, [wire]) => {
      const bytes = method === 'simulateTransaction' ? Buffer.from(wire as string, 'base64') : Buffer.of();
      const isFixed = [...fixed].some((address) =>
        bytes.includes(Buffer.from(address.split(',').map(Number))),
      );
      return isFixed ? resultOf({ context: { slot: 1 }, value: { err: 'AccountInUse', logs: [] } }) : call();
    });
    const refusing = { ...service(), rpc };
    world.net.setTime(expiresAt);
    await indexOnly();
    const attempts: number[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await tick(refusing);
      world.net.finalize();
      attempts.push(await countFrozen(some));
      world.clock.ms += 90_000;
    }
    expect(attempts).toEqual([2, 3]);
    expect(await rowOf(wallet)).toMatchObject({ attempts: 2 });
    await tick(refusing);
    expect(await attention()).toEqual(['passes']);
    await settle();
    await settle();
  });

  it('when governance ends all passes', async () => {
    const { tokenAccount } = await custodian();
    await endPasses(world);
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(true);
    world.net.setTime(seconds() + 1n);
  });

  it('when the gate no longer honours granted passes, or gets another rule set', async () => {
    const own = await createGatedMint(world, issuer.signer, { rule, honoursGranted: true });
    const first = await custodian(own);
    const set = async (change: { rule: Address; honoursGranted: boolean }) => {
      const options = { authority: issuer.address, mint: own, ...change };
      await send(world, issuer.signer, [await setGateInstruction(world.program, options)]);
      await settle();
    };
    await set({ rule, honoursGranted: false });
    expect(await isFrozen(first.tokenAccount)).toBe(true);
    world.clock.ms += 90_000;
    await settle();
    await set({ rule, honoursGranted: true });
    // Only the gate changes after the check.
    await thaw(first.wallet, first.tokenAccount, own);
    await set({ rule, honoursGranted: false });
    expect(await isFrozen(first.tokenAccount)).toBe(true);
    world.clock.ms += 90_000;
    await set({ rule, honoursGranted: true });
    const second = await custodian(own);
    const draft = await issuer.prepare('/api/rules', ruleSetBody());
    const other = (await world.finish(issuer, draft)).rule as Address;
    await set({ rule: other, honoursGranted: true });
    expect(await isFrozen(second.tokenAccount)).toBe(true);
  });
});

describe('the keeper sends nothing', () => {
  it('for a mint that has no gate, and asks the RPC nothing of it', async () => {
    const asked: string[] = [];
    const rpc = rpcAround(world.net, (call, method) => {
      asked.push(method);
      return call();
    });
    const draft = await issuer.prepare('/api/rules', { ...ruleSetBody(), powers: ['grant'] });
    const ungated = (await world.finish(issuer, draft)).rule as Address;
    await transferSol(world, issuer.signer, { destination: ungated, lamports: 2n * PASS_FEE });
    const { address: wallet } = await generateKeyPairSigner();
    const accounts = { ...(await shared()), ruleSet: ungated, wallet, pass: await at.pass(ungated, wallet) };
    const expiresAt = seconds() + 3_600n;
    await send(world, issuer.signer, [getGrantPassInstruction({ ...accounts, expiresAt }, ofProgram())]);
    await settle();
    world.net.setTime(expiresAt);
    await indexOnly();
    expect(await sentIn(() => tick({ ...service(), rpc }))).toBe(0n);
    expect(asked).not.toContain('getTokenAccountsByOwner');
  });

  it('for an account that is frozen already, also at confirmed only', async () => {
    const { wallet, expiresAt, tokenAccount } = await custodian();
    const { address: other } = await generateKeyPairSigner();
    await grant(other, expiresAt);
    await send(world, issuer.signer, [
      await createTokenAccountInstruction({ payer: issuer.address, mint, owner: other }),
    ]);
    world.net.setTime(expiresAt);
    await indexOnly();
    const gated = { caller: issuer.address, mint, tokenAccount, owner: wallet, rule };
    await send(world, issuer.signer, [await freezeWithoutPassInstruction(world.program, gated)]);
    expect(await isFrozen(tokenAccount)).toBe(false);
    expect(await sentIn(tick)).toBe(0n);
    expect((await rowOf(wallet))!.attempts).toBe(0);
    expect((await rowOf(other))!.checked_time).toBeGreaterThanOrEqual(expiresAt);
  });

  it('for a pass that was renewed in the meantime', async () => {
    const { wallet, expiresAt, tokenAccount } = await custodian();
    world.net.setTime(expiresAt);
    await indexOnly();
    await grant(wallet);
    expect(await sentIn(tick)).toBe(0n);
    const row = (await rowOf(wallet))!;
    expect([row.attempts, Number(row.due_at) > world.clock.ms]).toEqual([0, true]);
    world.clock.ms += 90_000;
    expect(await sentIn(settle)).toBe(0n);
    expect(await isFrozen(tokenAccount)).toBe(false);
  });

  it('while the issuer lets nobody freeze, and then freezes what has waited', async () => {
    const own = await createGatedMint(world, issuer.signer, {
      rule,
      honoursGranted: true,
      anyoneFreezes: false,
    });
    const { wallet, expiresAt, tokenAccount } = await custodian(own);
    world.net.setTime(expiresAt);
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(false);
    expect((await rowOf(wallet, own))!.attempts).toBe(0);
    const toggle = { authority: issuer.address, mint: own, canThaw: true, canFreeze: true };
    await send(world, issuer.signer, [await togglePermissionlessInstruction(toggle)]);
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(true);
  });

  it('for a granted pass that is over and suspended, until the suspension is lifted', async () => {
    const { wallet, expiresAt } = await custodian();
    await suspend(wallet, NEVER);
    await settle();
    world.clock.ms += 90_000;
    world.net.setTime(expiresAt);
    await settle();
    const pass = await at.pass(rule, wallet);
    const tried = [...service().closing.keys()];
    expect([await world.account('pass', pass), tried.includes(pass)]).toEqual([expect.anything(), false]);
    await suspend(wallet, 0n);
    await settle();
    expect(await world.account('pass', pass)).toBeNull();
  });

  it('for mints that the operator did not name', async () => {
    const own = await createGatedMint(world, issuer.signer, { rule, honoursGranted: true });
    const { wallet, expiresAt, tokenAccount } = await custodian(own);
    const account = await open(wallet);
    await world.finalize();
    world.net.setTime(expiresAt);
    await indexOnly();
    const settings = { ...service().settings, keeper: { mints: [own] } };
    expect(await sentIn(() => tick({ ...service(), settings }))).toBe(1n);
    world.net.finalize();
    expect([await isFrozen(tokenAccount), await isFrozen(account)]).toEqual([true, false]);
  });
});

describe('the keeper and failures', () => {
  it('tries again later, asks for a person, and another process can do it', async () => {
    const { wallet, expiresAt, tokenAccount } = await custodian();
    const other = await custodian();
    const rpc = rpcAround(world.net, (call, method, [owner]) => {
      if (method === 'getTokenAccountsByOwner' && owner === wallet) throw new TypeError('fetch failed');
      return call();
    });
    const broken = { ...service(), rpc };
    world.net.setTime(other.expiresAt);
    expect(other.expiresAt).toBeGreaterThanOrEqual(expiresAt);
    await indexOnly();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await attention()).toEqual([]);
      await tick(broken);
      // It is not due yet.
      expect(await sentIn(tick)).toBe(0n);
      world.net.finalize();
      // The failure of one does not delay the other.
      expect([await isFrozen(tokenAccount), await isFrozen(other.tokenAccount)]).toEqual([false, true]);
      if (attempt < 2) world.clock.ms += 90_000;
    }
    expect(await attention()).toEqual(['passes']);
    world.clock.ms += 90_000;
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(true);
    world.clock.ms += 90_000;
    await settle();
    expect(await attention()).toEqual([]);
  });

  it('freezes once with two processes', async () => {
    const { expiresAt, tokenAccount } = await custodian();
    world.net.setTime(expiresAt);
    await indexOnly();
    const another = (await world.another()).service;
    expect(await sentIn(() => Promise.all([tick(), tick(another)]))).toBe(1n);
    world.net.finalize();
    expect(await isFrozen(tokenAccount)).toBe(true);
  });

  it('sends again what did not land', async () => {
    const { expiresAt, tokenAccount } = await custodian();
    world.net.setTime(expiresAt);
    await indexOnly();
    world.net.dropTransactions(true);
    await tick();
    world.net.dropTransactions(false);
    world.clock.ms += 90_000;
    await settle();
    expect(await isFrozen(tokenAccount)).toBe(true);
  });
});

describe('the turns', () => {
  const forget = (wallets: string) =>
    service()
      .db.deleteFrom('gated_holder')
      .where('wallet', 'in', [...wallets] as Address[])
      .execute();

  it('give every mint one, and first attempts before retries', async () => {
    const own = await createGatedMint(world, issuer.signer, { rule });
    await world.finalize();
    const row = (name: string, of: Address, due = 0n) => ({ mint: of, wallet: name as Address, due_at: due });
    await service()
      .db.insertInto('gated_holder')
      .values([row('1', mint, 1n), row('2', mint), row('3', mint), row('4', own, 1n), row('5', own)])
      .execute();
    const chainTime = seconds();
    const [mints, now] = [[mint, own], world.clock.ms];
    await enqueue(service().db, mints);
    const take = async (limit: number) => {
      const taken = await takeDueHolders(service(), { chainTime, now, mints, limit });
      return taken.map(({ wallet }) => wallet).sort();
    };
    expect(await take(2)).toEqual(['2', '5']);
    expect(await take(2)).toEqual(['3', '4']);
    expect(await take(2)).toEqual(['1']);
    await forget('12345');
  });

  it('rotate, whatever the addresses are', async () => {
    const own = await createGatedMint(world, issuer.signer, { rule });
    const late = await createGatedMint(world, issuer.signer, { rule });
    await world.finalize();
    const [low, high] = [mint, own].sort() as [Address, Address];
    const names = { [low]: 'abcd', [high]: 'efgh', [late]: 'ijkl' };
    const rows = Object.entries(names).flatMap(([of, wallets]) =>
      [...wallets].map((wallet) => ({ mint: of as Address, wallet: wallet as Address })),
    );
    await service().db.insertInto('gated_holder').values(rows).execute();
    // The keeper may know them from the passes of other tests.
    await service().db.deleteFrom('gated_mint').where('mint', 'in', [low, high, late]).execute();
    const options = { chainTime: seconds(), now: world.clock.ms, limit: 1 };
    const next = async (...mints: Address[]) => {
      await enqueue(service().db, mints);
      return (await takeDueHolders(service(), { ...options, mints })).map((taken) => taken.mint)[0];
    };
    const [first, second] = [await next(low, high), await next(low, high)];
    expect([first, second].sort()).toEqual([low, high]);
    // A new mint waits for those that waited before it.
    expect(await next(low, high, late)).toBe(first);
    expect(await next(low, high, late)).toBe(second);
    expect(await next(low, high, late)).toBe(late);
    expect(await next(low, high, late)).toBe(first);
    await forget('abcdefghijkl');
  });
});

describe('the mints of strangers', () => {
  it('wait for their turn, at most 200 in a step, and do not keep others from theirs', async () => {
    const { db } = service();
    const { wallet, expiresAt, tokenAccount } = await custodian();
    const gate = await db
      .selectFrom('indexed_account')
      .selectAll()
      .where('kind', '=', 'freezeList')
      .where('mint', '=', mint)
      .executeTakeFirstOrThrow();
    const strange = Array.from({ length: 250 }, () => getAddressDecoder().decode(randomBytes(32)));
    await db
      .insertInto('indexed_account')
      .values(strange.map((address) => ({ ...gate, address, mint: address })))
      .execute();
    await db
      .insertInto('gated_holder')
      .values(strange.map((address) => ({ mint: address, wallet: address })))
      .execute();
    // The mint of the holder comes last.
    await enqueue(db, strange);
    await requeue(db, [mint]);
    const read: string[] = [];
    const rpc = rpcAround(world.net, (call, method, [addresses]) => {
      if (method === 'getMultipleAccounts')
        read.push(...(addresses as string[]).filter((address) => !address.startsWith('Sysvar')));
      return call();
    });
    world.net.setTime(expiresAt);
    world.net.advanceSlots(2);
    await tick({ ...service(), rpc });
    expect([read.length, (await rowOf(wallet))!.attempts]).toEqual([200, 0]);
    await tick({ ...service(), rpc });
    expect(read).toHaveLength(400);
    expect(new Set(read).size).toBeGreaterThan(250);
    world.net.finalize();
    expect(await isFrozen(tokenAccount)).toBe(true);
    await db.deleteFrom('indexed_account').where('address', 'in', strange).execute();
    await db.deleteFrom('gated_holder').where('mint', 'in', strange).execute();
  });

  it('are not remembered unless the operator names them, and then the holders of passes are', async () => {
    const [own, other] = [
      await createGatedMint(world, issuer.signer, { rule, honoursGranted: true }),
      await createGatedMint(world, issuer.signer, { rule, honoursGranted: true }),
    ];
    const naming = (...mints: Address[]) => {
      const settings = { ...service().settings, keeper: { mints } };
      return { ...service(), settings };
    };
    const { address: wallet } = await generateKeyPairSigner();
    await grant(wallet);
    world.net.finalize();
    await startIndexer(naming(own)).tick();
    expect([await rowOf(wallet, own), await rowOf(wallet, other)]).toEqual([expect.anything(), undefined]);
    const keeper = startKeeper(naming(other));
    await keeper.tick();
    expect(await rowOf(wallet, other)).toBeDefined();
    // A process that does not name the mint may have indexed a pass meanwhile.
    const { address: late } = await generateKeyPairSigner();
    await grant(late);
    world.net.finalize();
    await startIndexer(naming(own)).tick();
    await keeper.tick();
    expect(await rowOf(late, other)).toBeUndefined();
    world.clock.ms += 3_600_000;
    await keeper.tick();
    expect(await rowOf(late, other)).toBeDefined();
  });
});

describe('the budget', () => {
  /** Starts a day of the service's clock, for which nothing was paid. */
  const startDay = () => {
    world.clock.ms = (Math.floor(world.clock.ms / DAY_MS) + 1) * DAY_MS;
  };

  // The last tests, because the sessions expire.
  it('of freezes is not spent by ending granted passes, which then asks for nobody', async () => {
    const [one, two] = [await custodian(), await custodian()];
    world.net.setTime(two.expiresAt);
    await indexOnly();
    startDay();
    const settings = { ...service().settings, keeper: { dailyLamports: 5n * FEE } };
    const poor = { ...service(), settings, closing: new Map() };
    const close = () => startPassCloser(poor).tick();
    expect(await sentIn(close)).toBe(1n);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      world.clock.ms += 60_000;
      expect(await sentIn(close)).toBe(0n);
    }
    expect(await readAttention(poor, poor.signal)).toEqual([]);
    expect(await sentIn(() => tick(poor))).toBe(2n);
    world.net.finalize();
    expect([await isFrozen(one.tokenAccount), await isFrozen(two.tokenAccount)]).toEqual([true, true]);
  });

  it('stops the keeper until the next day', async () => {
    const [one, two] = [await custodian(), await custodian()];
    world.net.setTime(two.expiresAt);
    await indexOnly();
    startDay();
    const settings = { ...service().settings, keeper: { dailyLamports: 2n * FEE - 1n } };
    const poor = { ...service(), settings };
    expect(await sentIn(() => tick(poor))).toBe(1n);
    expect([(await rowOf(one.wallet))!.attempts, (await rowOf(two.wallet))!.attempts]).toEqual([0, 0]);
    expect(world.logged.join()).toContain('KEEPER_DAILY_LAMPORTS is spent');
    expect(
      await sentIn(() => tick({ ...poor, settings: { ...settings, keeper: { dailyLamports: 0n } } })),
    ).toBe(0n);
    world.clock.ms += DAY_MS;
    world.net.finalize();
    expect(await sentIn(() => tick(poor))).toBe(1n);
    world.net.finalize();
    expect([await isFrozen(one.tokenAccount), await isFrozen(two.tokenAccount)]).toEqual([true, true]);
  });
});
