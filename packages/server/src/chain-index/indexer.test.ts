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
/** Signatures that the node does not list yet. */
let unlisted: Set<Signature>;
/** The error code of the node for a transaction; undefined means no error. */
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

/** Creates a finalized rule set. */
async function finalRuleSet(): Promise<Address> {
  const address = await chain.ruleSet(creator, nonce++);
  chain.net.finalize();
  return address;
}

const step = () => startIndexer(service).tick();
const addresses = async () => (await findAccounts(service, 'ruleSet')).map(({ address }) => address);
const finalizedSlot = () => chain.net.rpc.getSlot({ commitment: 'finalized' }).send();

describe('the first reading', () => {
  it('contains everything finalized, at the finalized slot', async () => {
    const rule = await finalRuleSet();
    expect(await indexedSlot(service)).toBe(-1n);

    await step();

    expect(await addresses()).toContain(rule);
    expect(await indexedSlot(service)).toBe(await finalizedSlot());
    expect((await findAccount(service, 'verifier'))?.data.name).toBe('Test verifier');
    expect((await findAccount(service, 'config'))?.data.authority).toBe(chain.keys.governance.address);
    expect((await findAccount(service, 'ruleSet', { address: rule }))?.data.creator).toBe(creator.address);
  });

  it('contains nothing that is not finalized', async () => {
    const rule = await chain.ruleSet(creator, nonce++);
    await step();
    expect(await addresses()).not.toContain(rule);

    chain.net.finalize();
    await step();
    expect(await addresses()).toContain(rule);
  });
});

describe('a later step', () => {
  it('reads only accounts that changed', async () => {
    await step();
    const rule = await finalRuleSet();
    methods.length = 0;

    await step();

    expect(await addresses()).toContain(rule);
    expect(await indexedSlot(service)).toBe(await finalizedSlot());
    expect(methods).not.toContain('getProgramAccounts');
  });

  it('reads all accounts when a transaction of an unknown version names the program', async () => {
    await step();
    const rule = await finalRuleSet();
    untold = -32015;
    await step();
    expect(await addresses()).toContain(rule);
    expect(await indexedSlot(service)).toBe(await finalizedSlot());
  });

  it('does nothing while no new slot is finalized', async () => {
    await step();
    methods.length = 0;
    await step();
    expect(methods).toEqual(['getMultipleAccounts']);
  });

  it('follows the chain while nobody uses the program', async () => {
    await step();
    const before = await indexedSlot(service);
    chain.net.advanceSlots(5);
    await step();
    expect(await indexedSlot(service)).toBe(before + 5n);
  });

  it('updates an account that it has', async () => {
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

  it('reads the finalized state of a change, not the newest', async () => {
    await step();
    const wallet = (await chain.wallet()).address;
    const issuedAt = clock.seconds;
    await chain.credential(wallet, { issuedAt, expiresAt: issuedAt + 100n });
    chain.net.finalize();
    await chain.credential(wallet, { issuedAt: issuedAt + 1n, expiresAt: issuedAt + 500n });
    await step();
    expect((await findAccount(service, 'credential', { wallet }))?.data.expiresAt).toBe(issuedAt + 100n);
  });

  it('continues at its position after a restart', async () => {
    await step();
    const rule = await finalRuleSet();
    methods.length = 0;
    await startIndexer(indexService(chain, { clock, db: database.db, rpc: service.rpc })).tick();
    expect(methods).not.toContain('getProgramAccounts');
    expect(await addresses()).toContain(rule);
  });

  it('reads all accounts, and no transaction, when there are too many transactions', async () => {
    await step();
    const rule = await chain.ruleSet(creator, nonce++);
    for (let count = 0; count <= MAX_TRANSACTIONS_PER_LOOK; count += 1) {
      // A transfer that names the program is listed among its transactions.
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

  it('reads all accounts again at intervals, whatever the signatures show', async () => {
    await step();
    clock.pass(301);
    chain.net.advanceSlots(3);
    methods.length = 0;
    await step();
    expect(methods).toContain('getProgramAccounts');
  });

  it('removes accounts that no longer belong to the program in a full reading', async () => {
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
  /** Creates a rule set whose effects the node shows, but whose transaction it does not list. */
  async function lateRuleSet() {
    const rule = await finalRuleSet();
    const [landed] = await chain.net.rpc.getSignaturesForAddress(rule, { commitment: 'finalized' }).send();
    unlisted.add(landed!.signature);
    return { rule, landed: landed! };
  }

  it('is indexed by the step that finds it, even after a later one, and counts from then', async () => {
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
    // The other one was listed again, but is not read again.
    expect(methods.filter((method) => method === 'getTransaction')).toHaveLength(1);
  });

  it('is searched over 64 slots, and the next full reading finds a lost one', async () => {
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

  it('counts as soon as a full reading contains it', async () => {
    const { landed } = await lateRuleSet();
    await step();
    expect(await isIndexed(service, landed)).toBe(true);
    expect(await isIndexed(service, { ...landed, slot: (await finalizedSlot()) + 1n })).toBe(false);
  });

  it('is requested from a node that has reached the tip', async () => {
    await step();
    chain.net.advanceSlots(1);
    await step();
    expect(listings.at(-1)?.minContextSlot).toBe(await finalizedSlot());
  });

  it('is stored only as long as it is listed again', async () => {
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
  it('stays while the RPC does not respond, and catches up later', async () => {
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

  it('never moves back when a node is behind', async () => {
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

  it('accepts a whole reading or none, and only at the position where it started', async () => {
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
  it('throws before the first reading', async () => {
    await expect(assertIndexFresh(service)).rejects.toMatchObject({
      code: 'INDEX_STALE',
      retryAfterSeconds: 1,
    });
  });

  it('measures the lag in chain time, to the second', async () => {
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

  it('ignores the wall clock: without new slots nothing is stale', async () => {
    await step();
    clock.pass(3_600);
    await expect(assertIndexFresh(service)).resolves.toBeDefined();
  });
});

/** Returns the Clock sysvar of ten slots before. */
function older<T>(response: T): T {
  const copy = structuredClone(response) as { result: { value: { data: [string, string] }[] } };
  const [account] = copy.result.value;
  const data = Buffer.from(account!.data[0], 'base64');
  data.writeBigUInt64LE(data.readBigUInt64LE(0) - 10n, 0);
  account!.data[0] = data.toString('base64');
  return copy as T;
}
