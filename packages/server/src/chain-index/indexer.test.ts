import { type Address, createSolanaRpcFromTransport, type KeyPairSigner, type Signature } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StillClock, startChain, type TestChain } from '../../test/support/chain-index/chain.ts';
import { emptyIndex, indexService } from '../../test/support/chain-index/indexer.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import type { Database } from '../database/open.ts';
import type { Service } from '../service.ts';
import { MAX_TRANSACTIONS_PER_LOOK } from './changes.ts';
import { findAccount, findAccounts } from './find.ts';
import { assertIndexFresh, indexedSlot, isIndexed, startIndexer } from './index.ts';
import { advance, readPosition } from './position.ts';

let clock: StillClock;
let chain: TestChain;
let creator: KeyPairSigner;
let database: Database;
let service: Service;
let methods: string[];
/** Signatures that the node does not list (yet). */
let unlisted: Set<Signature>;
/** The node answers that it does not tell a transaction, with this code; undefined: it tells. */
let untold: number | undefined;
type Listing = { readonly minContextSlot: bigint };
const listings: Listing[] = [];
let nonce = 0n;

beforeAll(async () => {
  clock = new StillClock();
  chain = await startChain({ clock });
  creator = await chain.wallet();
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  await chain.net.stop();
});

beforeEach(async () => {
  methods = [];
  unlisted = new Set();
  untold = undefined;
  const rpc = createSolanaRpcFromTransport((async (request: { payload: unknown }) => {
    const { method, params } = request.payload as { method: string; params: readonly unknown[] };
    methods.push(method);
    if (method === 'getTransaction' && untold !== undefined) {
      return {
        jsonrpc: '2.0',
        id: '1',
        error: { code: untold, message: 'Transaction version (1) is not supported' },
      };
    }
    const response = await chain.net.transport(request);
    if (method !== 'getSignaturesForAddress') return response;
    listings.push(params[1] as Listing);
    const { result, ...rest } = response as unknown as { result: { signature: Signature }[] };
    return { ...rest, result: result.filter(({ signature }) => !unlisted.has(signature)) };
  }) as typeof chain.net.transport);
  await emptyIndex(database.db);
  service = indexService(chain, { clock, db: database.db, rpc });
});
afterEach(() => chain.net.resume());

/** A new rule set, finalized. */
async function finalRuleSet(): Promise<Address> {
  const address = await chain.ruleSet(creator, nonce++);
  chain.net.finalize();
  return address;
}

const step = () => startIndexer(service).tick();
const addresses = async () => (await findAccounts(service, 'ruleSet')).map(({ address }) => address);
const finalizedSlot = () => chain.net.rpc.getSlot({ commitment: 'finalized' }).send();

describe('the first reading', () => {
  it('takes in everything that is finalized, and stands at the finalized slot', async () => {
    const rule = await finalRuleSet();
    expect(await indexedSlot(service)).toBe(-1n);

    await step();

    expect(await addresses()).toContain(rule);
    expect(await indexedSlot(service)).toBe(await finalizedSlot());
    expect((await findAccount(service, 'verifier'))?.data.name).toBe('Test verifier');
    expect((await findAccount(service, 'config'))?.data.authority).toBe(chain.keys.governance.address);
    expect((await findAccount(service, 'ruleSet', { address: rule }))?.data.creator).toBe(creator.address);
  });

  it('shows nothing that is not final yet', async () => {
    const rule = await chain.ruleSet(creator, nonce++);
    await step();
    expect(await addresses()).not.toContain(rule);

    chain.net.finalize();
    await step();
    expect(await addresses()).toContain(rule);
  });
});

describe('following', () => {
  it('reads again only what changed', async () => {
    await step();
    const rule = await finalRuleSet();
    methods.length = 0;

    await step();

    expect(await addresses()).toContain(rule);
    expect(await indexedSlot(service)).toBe(await finalizedSlot());
    expect(methods).not.toContain('getProgramAccounts');
  });

  it('reads everything when somebody names the program in a transaction of a version to come', async () => {
    await step();
    const rule = await finalRuleSet();
    untold = -32015;
    await step();
    expect(await addresses()).toContain(rule);
    expect(await indexedSlot(service)).toBe(await finalizedSlot());
  });

  it('does nothing while no slot was finalized since', async () => {
    await step();
    methods.length = 0;
    await step();
    expect(methods).toEqual(['getMultipleAccounts']);
  });

  it('moves on with the chain although nobody uses the program', async () => {
    await step();
    const before = await indexedSlot(service);
    chain.net.advanceSlots(5);
    await step();
    expect(await indexedSlot(service)).toBe(before + 5n);
  });

  it('takes in a change of an account that it has', async () => {
    const wallet = (await chain.wallet()).address;
    const issuedAt = clock.seconds;
    await chain.credential(wallet, { issuedAt, expiresAt: issuedAt + 100n });
    chain.net.finalize();
    await step();
    await chain.credential(wallet, { issuedAt: issuedAt + 1n, expiresAt: issuedAt + 500n });
    chain.net.finalize();
    methods.length = 0;

    await step();

    expect(methods).not.toContain('getProgramAccounts');
    const credential = await findAccount(service, 'credential', { wallet });
    expect(credential?.data.expiresAt).toBe(issuedAt + 500n);
  });

  it('reads what changed as it is final, not as it is by now', async () => {
    await step();
    const wallet = (await chain.wallet()).address;
    const issuedAt = clock.seconds;
    await chain.credential(wallet, { issuedAt, expiresAt: issuedAt + 100n });
    chain.net.finalize();
    await chain.credential(wallet, { issuedAt: issuedAt + 1n, expiresAt: issuedAt + 500n });
    await step();
    expect((await findAccount(service, 'credential', { wallet }))?.data.expiresAt).toBe(issuedAt + 100n);
  });

  it('goes on where it stood after a restart', async () => {
    await step();
    const rule = await finalRuleSet();
    methods.length = 0;
    await startIndexer(indexService(chain, { clock, db: database.db, rpc: service.rpc })).tick();
    expect(methods).not.toContain('getProgramAccounts');
    expect(await addresses()).toContain(rule);
  });

  it('reads everything, and no transaction, when it is flooded', async () => {
    await step();
    const rule = await chain.ruleSet(creator, nonce++);
    for (let count = 0; count <= MAX_TRANSACTIONS_PER_LOOK; count += 1) {
      // A transfer that names the program: all it takes to be listed among its transactions.
      const transfer = getTransferSolInstruction({
        source: creator,
        destination: creator.address,
        amount: 1n,
      });
      const accounts = [...transfer.accounts, { address: chain.program, role: 0 }];
      await chain.land([creator], [{ ...transfer, accounts } as never]);
    }
    chain.net.finalize();
    methods.length = 0;

    await step();

    expect(methods.filter((method) => method === 'getProgramAccounts')).toHaveLength(1);
    expect(methods).not.toContain('getTransaction');
    expect(await addresses()).toContain(rule);

    const next = await finalRuleSet();
    methods.length = 0;
    await step();
    expect(methods).not.toContain('getProgramAccounts');
    expect(await addresses()).toContain(next);
  });

  it('reads everything again now and then, whatever the signatures say', async () => {
    await step();
    clock.pass(301);
    chain.net.advanceSlots(3);
    methods.length = 0;
    await step();
    expect(methods).toContain('getProgramAccounts');
  });

  it('drops what is no account of the program any more in a full reading', async () => {
    const ghost = (await chain.wallet()).address;
    await step();
    const [row] = await service.db.selectFrom('indexed_account').selectAll().limit(1).execute();
    await service.db
      .insertInto('indexed_account')
      .values({ ...row!, address: ghost })
      .execute();
    clock.pass(301);
    chain.net.advanceSlots(3);
    await step();
    const left = await service.db
      .selectFrom('indexed_account')
      .select('address')
      .where('address', '=', ghost)
      .execute();
    expect(left).toEqual([]);
  });
});

describe('a signature that is listed late', () => {
  /** A rule set whose transaction the node shows the effects of, but does not list. */
  async function lateRuleSet() {
    const rule = await finalRuleSet();
    const [landed] = await chain.net.rpc.getSignaturesForAddress(rule, { commitment: 'finalized' }).send();
    unlisted.add(landed!.signature);
    return { rule, landed: landed! };
  }

  it('is taken in by the look that finds it, though a later one was listed before it, and counts only then', async () => {
    await step();
    const late = await lateRuleSet();
    const next = await finalRuleSet();
    const [landed] = await chain.net.rpc.getSignaturesForAddress(next, { commitment: 'finalized' }).send();
    await step();
    expect(await addresses()).toContain(next);
    expect(await addresses()).not.toContain(late.rule);
    expect(await indexedSlot(service)).toBeGreaterThan(late.landed.slot);
    expect(await isIndexed(service, landed!)).toBe(true);
    expect(await isIndexed(service, late.landed)).toBe(false);

    unlisted.clear();
    chain.net.advanceSlots(1);
    methods.length = 0;
    await step();
    expect(await addresses()).toContain(late.rule);
    expect(await isIndexed(service, late.landed)).toBe(true);
    expect(await isIndexed(service, landed!)).toBe(true);
    expect(methods).not.toContain('getProgramAccounts');
    // The other was listed again, and is not read again.
    expect(methods.filter((method) => method === 'getTransaction')).toHaveLength(1);
  });

  it('is looked for over 64 slots, and one that is lost is taken in by the next full reading', async () => {
    await step();
    const { rule, landed } = await lateRuleSet();
    const { signature } = landed;
    chain.net.advanceSlots(64 - Number((await finalizedSlot()) - landed.slot) - 1);
    await step();
    expect(await isIndexed(service, landed)).toBe(false);
    chain.net.advanceSlots(1);
    await step();
    expect(await isIndexed(service, landed)).toBe(true);
    unlisted.clear();
    chain.net.advanceSlots(1);
    await step();
    expect(await addresses()).not.toContain(rule);

    unlisted.add(signature);
    clock.pass(301);
    chain.net.advanceSlots(3);
    await step();
    expect(await addresses()).toContain(rule);
  });

  it('counts as soon as a full reading has it', async () => {
    const { landed } = await lateRuleSet();
    await step();
    expect(await isIndexed(service, landed)).toBe(true);
    expect(await isIndexed(service, { ...landed, slot: (await finalizedSlot()) + 1n })).toBe(false);
  });

  it('is asked for at a node that has come as far as the tip', async () => {
    await step();
    chain.net.advanceSlots(1);
    await step();
    expect(listings.at(-1)?.minContextSlot).toBe(await finalizedSlot());
  });

  it('is remembered no longer than it is listed again', async () => {
    await step();
    await finalRuleSet();
    await step();
    const remembered = () => service.db.selectFrom('indexed_signature').select('slot').execute();
    expect(await remembered()).toHaveLength(1);
    chain.net.advanceSlots(64);
    await step();
    expect(await remembered()).toEqual([]);
  });
});

describe('the position', () => {
  it('stays where it is when the chain cannot be asked, and catches up afterwards', async () => {
    await step();
    const before = await readPosition(service.db);
    const rule = await finalRuleSet();
    chain.net.pause('unreachable');
    await expect(step()).rejects.toThrow();
    expect(await readPosition(service.db)).toEqual(before);

    chain.net.resume();
    await step();
    expect(await addresses()).toContain(rule);
  });

  it('never moves back for a node that is behind', async () => {
    await finalRuleSet();
    await step();
    const before = await readPosition(service.db);
    const behind = createSolanaRpcFromTransport((async (request: { payload: unknown }) => {
      const response = await chain.net.transport(request);
      const { method } = request.payload as { method: string };
      return method === 'getMultipleAccounts' ? older(response) : response;
    }) as typeof chain.net.transport);
    await startIndexer(indexService(chain, { clock, db: database.db, rpc: behind })).tick();
    expect(await readPosition(service.db)).toEqual(before);
  });

  it('takes a reading in whole or not at all, and only from where it was made', async () => {
    await finalRuleSet();
    await step();
    const from = await readPosition(service.db);
    const { id: _id, ...position } = from!;
    const to = { ...position, slot: position.slot + 1n, read_slot: position.read_slot + 1n };
    const gone = { slot: to.read_slot, entries: [], gone: 'all others' } as const;
    const accounts = await addresses();

    const stale = { ...from!, slot: from!.slot - 1n };
    expect(await advance(service.db, { from: stale, to, reading: gone, recent: [] })).toBe(false);
    expect(await advance(service.db, { from: undefined, to, reading: gone, recent: [] })).toBe(false);
    const back = { ...position, slot: position.slot - 1n };
    expect(await advance(service.db, { from, to: back, reading: gone, recent: [] })).toBe(false);
    const broken = { ...gone, entries: [{ address: 'x' } as never] };
    await expect(advance(service.db, { from, to, reading: broken, recent: [] })).rejects.toThrow();

    expect(await readPosition(service.db)).toEqual(from);
    expect(await addresses()).toEqual(accounts);
    expect(await advance(service.db, { from, to, reading: gone, recent: [] })).toBe(true);
    expect(await addresses()).toEqual([]);
  });
});

describe('assertIndexFresh', () => {
  it('refuses before the first reading', async () => {
    await expect(assertIndexFresh(service)).rejects.toMatchObject({
      code: 'INDEX_STALE',
      retryAfterSeconds: 1,
    });
  });

  it('counts the lag in chain time, to the second', async () => {
    await step();
    const { index } = await assertIndexFresh(service);
    expect(index.slot).toBe(await finalizedSlot());
    expect(index.time).toBe(clock.seconds);

    clock.pass(30);
    chain.net.advanceSlots(3);
    await expect(assertIndexFresh(service)).resolves.toMatchObject({
      index,
      tip: { time: index.time + 30n },
    });
    clock.pass(1);
    chain.net.advanceSlots(3);
    await expect(assertIndexFresh(service)).rejects.toMatchObject({ code: 'INDEX_STALE' });

    await step();
    await expect(assertIndexFresh(service)).resolves.toMatchObject({ index: { time: clock.seconds } });
  });

  it('does not go by the wall clock: while slots stand still nothing is stale', async () => {
    await step();
    clock.pass(3_600);
    await expect(assertIndexFresh(service)).resolves.toBeDefined();
  });
});

/** The Clock sysvar as of ten slots before. */
function older<T>(response: T): T {
  const copy = structuredClone(response) as { result: { value: { data: [string, string] }[] } };
  const [account] = copy.result.value;
  const data = Buffer.from(account!.data[0], 'base64');
  data.writeBigUInt64LE(data.readBigUInt64LE(0) - 10n, 0);
  account!.data[0] = data.toString('base64');
  return copy as T;
}
