import { type Address, generateKeyPairSigner, type KeyPairSigner, type Signature } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resultOf } from '../../test/support/rpc-around.ts';
import { serviceOnChain } from '../../test/support/service-on-chain.ts';
import type { Service } from '../service.ts';
import { VOLUMES } from './changes.ts';
import { findAccount, findAccounts } from './find.ts';
import { assertIndexFresh, indexedSlot, isIndexed } from './freshness.ts';
import { startIndexer } from './indexer.ts';
import { advance, readPosition } from './position.ts';

const on = serviceOnChain();
const { clock } = on;
let creator: KeyPairSigner;
let service: Service;
/** Signatures that the node does not list yet. */
let unlisted: Set<Signature>;
type Listing = { readonly minContextSlot: bigint };
const listings: Listing[] = [];
let nonce = 0n;

beforeAll(async () => {
  creator = await on.chain.wallet();
  service = on.service.service;
});
beforeEach(async () => {
  on.rpc.calls = [];
  unlisted = new Set();
  on.rpc.after = (method, response, params) => {
    if (method !== 'getSignaturesForAddress') return response;
    listings.push(params[1] as Listing);
    const { result } = response as { result: { signature: Signature }[] };
    return resultOf(result.filter(({ signature }) => !unlisted.has(signature)));
  };
  await sql`truncate indexed_account, indexed_signature, index_position`.execute(service.db);
});

/** Creates a finalized rule set. */
async function finalRuleSet(): Promise<Address> {
  const address = await on.chain.ruleSet(creator, nonce++);
  on.chain.net.finalize();
  return address;
}

/** Runs a step and creates a finalized rule set. Later RPC calls are recorded. */
async function ruleSetAfterStep(): Promise<Address> {
  await step();
  const rule = await finalRuleSet();
  on.rpc.calls = [];
  return rule;
}

/** Creates a finalized credential, which can be renewed. */
async function finalCredential() {
  const { address: wallet } = await generateKeyPairSigner();
  const issuedAt = clock.seconds;
  const issue = (later: bigint, seconds: bigint) =>
    on.chain.credential(wallet, { issuedAt: issuedAt + later, expiresAt: issuedAt + seconds });
  await issue(0n, 100n);
  on.chain.net.finalize();
  return { wallet, issuedAt, renew: () => issue(1n, 500n) };
}

const step = () => startIndexer(service).tick();
const addresses = async () => (await findAccounts(service, 'ruleSet')).map(({ address }) => address);
const finalizedSlot = () => on.chain.net.rpc.getSlot({ commitment: 'finalized' }).send();

describe('the first reading', () => {
  it('contains everything finalized, at the finalized slot', async () => {
    const rule = await finalRuleSet();
    expect(await indexedSlot(service)).toBe(-1n);

    await step();

    expect(await addresses()).toContain(rule);
    expect(await indexedSlot(service)).toBe(await finalizedSlot());
    expect((await findAccount(service, 'verifier'))?.data.name).toBe('Verifier');
    expect((await findAccount(service, 'config'))?.data.authority).toBe(on.chain.keys.governance.address);
    expect((await findAccount(service, 'ruleSet', { address: rule }))?.data.creator).toBe(creator.address);
  });

  it('contains nothing that is not finalized', async () => {
    const rule = await on.chain.ruleSet(creator, nonce++);
    await step();
    expect(await addresses()).not.toContain(rule);

    on.chain.net.finalize();
    await step();
    expect(await addresses()).toContain(rule);
  });
});

describe('a later step', () => {
  it('reads only accounts that changed', async () => {
    const rule = await ruleSetAfterStep();

    await step();

    expect(await addresses()).toContain(rule);
    expect(await indexedSlot(service)).toBe(await finalizedSlot());
    expect(on.rpc.calls).not.toContain('getProgramAccounts');
  });

  it('reads all accounts when a transaction of an unknown version names the program', async () => {
    const rule = await ruleSetAfterStep();
    const { after } = on.rpc;
    on.rpc.after = (method, response, params) => {
      const { maxSupportedTransactionVersion: version } = (params[1] ?? {}) as Record<string, unknown>;
      // Some RPCs reject a version that they do not know.
      const code = Number(version) === 0 ? -32015 : -32602;
      return method === 'getTransaction'
        ? { jsonrpc: '2.0', id: '1', error: { code, message: 'Transaction version (1) is not supported' } }
        : after(method, response, params);
    };
    await step();
    expect(await addresses()).toContain(rule);
    expect(await indexedSlot(service)).toBe(await finalizedSlot());
  });

  it('reads a transaction of a later version from a node that shows it', async () => {
    const rule = await ruleSetAfterStep();
    const { after } = on.rpc;
    on.rpc.after = (method, response, params) => {
      const { maxSupportedTransactionVersion: version } = (params[1] ?? {}) as Record<string, unknown>;
      const error = { code: -32015, message: 'Transaction version (1) is not supported' };
      return method === 'getTransaction' && Number(version) < 1
        ? { jsonrpc: '2.0', id: '1', error }
        : after(method, response, params);
    };
    await step();
    expect(await addresses()).toContain(rule);
    expect(on.rpc.calls).not.toContain('getProgramAccounts');
  });

  it('follows the chain although the events of ended passes cannot be written', async () => {
    const rule = await ruleSetAfterStep();
    const [pass] = [await on.chain.wallet()];
    await sql`
      insert into indexed_account (address, kind, wallet, issued_at, expires_at, data, lamports, slot)
      values (${pass.address}, 'pass', ${pass.address}, -1, 5, decode(repeat('00', 40), 'hex'), 1, 1)`.execute(
      service.db,
    );
    await sql`update index_position set ended_until = -1, ending_after = ''`.execute(service.db);
    await step();
    expect(await addresses()).toContain(rule);
  });

  it('does nothing while no new slot is finalized', async () => {
    await step();
    on.rpc.calls = [];
    await step();
    expect(on.rpc.calls).toEqual(['getMultipleAccounts']);
  });

  it('follows the chain while nobody uses the program', async () => {
    await step();
    const before = await indexedSlot(service);
    on.chain.net.advanceSlots(5);
    await step();
    expect(await indexedSlot(service)).toBe(before + 5n);
  });

  it('updates an account that it has', async () => {
    const { wallet, issuedAt, renew } = await finalCredential();
    await step();
    await renew();
    on.chain.net.finalize();
    on.rpc.calls = [];

    await step();

    expect(on.rpc.calls).not.toContain('getProgramAccounts');
    const credential = await findAccount(service, 'credential', { wallet });
    expect(credential?.data.expiresAt).toBe(issuedAt + 500n);
  });

  it('reads the finalized state of a change, not the newest', async () => {
    await step();
    const { wallet, issuedAt, renew } = await finalCredential();
    await renew();
    await step();
    expect((await findAccount(service, 'credential', { wallet }))?.data.expiresAt).toBe(issuedAt + 100n);
  });

  it('continues at its position after a restart', async () => {
    const rule = await ruleSetAfterStep();
    await startIndexer({ ...service }).tick();
    expect(on.rpc.calls).not.toContain('getProgramAccounts');
    expect(await addresses()).toContain(rule);
  });

  it('reads all accounts, and no transaction, when there are too many transactions', async () => {
    await step();
    const rule = await on.chain.ruleSet(creator, nonce++);
    for (let count = 0; count <= VOLUMES.small.transactions; count += 1) {
      // A transfer that names the program is listed among its transactions.
      const { address: destination } = creator;
      const transfer = getTransferSolInstruction({ source: creator, destination, amount: 1n });
      const accounts = [...transfer.accounts, { address: on.chain.program, role: 0 }];
      await on.chain.land([creator], [{ ...transfer, accounts } as never]);
    }
    on.chain.net.finalize();
    on.rpc.calls = [];

    await step();

    expect(on.rpc.calls.filter((method) => method === 'getProgramAccounts')).toHaveLength(1);
    expect(on.rpc.calls).not.toContain('getTransaction');
    expect(await addresses()).toContain(rule);

    const next = await finalRuleSet();
    on.rpc.calls = [];
    await step();
    expect(on.rpc.calls).not.toContain('getProgramAccounts');
    expect(await addresses()).toContain(next);
  });

  it('reads all accounts again at intervals, whatever the signatures show', async () => {
    await step();
    on.pass(301);
    on.rpc.calls = [];
    await step();
    expect(on.rpc.calls).toContain('getProgramAccounts');
  });

  it('removes accounts that no longer belong to the program in a full reading', async () => {
    const unowned = (await generateKeyPairSigner()).address;
    await step();
    const [row] = await service.db.selectFrom('indexed_account').selectAll().limit(1).execute();
    await service.db
      .insertInto('indexed_account')
      .values({ ...row!, address: unowned })
      .execute();
    on.pass(301);
    await step();
    const left = service.db.selectFrom('indexed_account').select('address').where('address', '=', unowned);
    expect(await left.execute()).toEqual([]);
  });
});

describe('a signature that is listed late', () => {
  const transactionOf = async (rule: Address) =>
    (await on.chain.net.rpc.getSignaturesForAddress(rule, { commitment: 'finalized' }).send())[0]!;
  /** Creates a rule set whose effects the node shows, but whose transaction it does not list. */
  async function lateRuleSet() {
    const rule = await finalRuleSet();
    const landed = await transactionOf(rule);
    unlisted.add(landed.signature);
    return { rule, landed };
  }

  it('is indexed by the step that finds it, even after a later one, and counts from then', async () => {
    await step();
    const late = await lateRuleSet();
    const next = await finalRuleSet();
    const landed = await transactionOf(next);
    await step();
    expect(await addresses()).toContain(next);
    expect(await addresses()).not.toContain(late.rule);
    expect(await indexedSlot(service)).toBeGreaterThan(late.landed.slot);
    expect(await isIndexed(service, landed)).toBe(true);
    expect(await isIndexed(service, late.landed)).toBe(false);

    unlisted.clear();
    on.chain.net.advanceSlots(1);
    on.rpc.calls = [];
    await step();
    expect(await addresses()).toContain(late.rule);
    expect(await isIndexed(service, late.landed)).toBe(true);
    expect(await isIndexed(service, landed)).toBe(true);
    expect(on.rpc.calls).not.toContain('getProgramAccounts');
    // The other one was listed again, but is not read again.
    expect(on.rpc.calls.filter((method) => method === 'getTransaction')).toHaveLength(1);
  });

  it('is searched over 64 slots, and the next full reading finds a lost one', async () => {
    await step();
    const { rule, landed } = await lateRuleSet();
    on.chain.net.advanceSlots(64 - Number((await finalizedSlot()) - landed.slot) - 1);
    await step();
    expect(await isIndexed(service, landed)).toBe(false);
    on.chain.net.advanceSlots(1);
    await step();
    expect(await isIndexed(service, landed)).toBe(true);
    unlisted.clear();
    on.chain.net.advanceSlots(1);
    await step();
    expect(await addresses()).not.toContain(rule);

    unlisted.add(landed.signature);
    on.pass(301);
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
    on.chain.net.advanceSlots(1);
    await step();
    expect(listings.at(-1)?.minContextSlot).toBe(await finalizedSlot());
  });

  it('is stored only as long as it is listed again', async () => {
    await step();
    await finalRuleSet();
    await step();
    const remembered = () => service.db.selectFrom('indexed_signature').select('slot').execute();
    expect(await remembered()).toHaveLength(1);
    on.chain.net.advanceSlots(64);
    await step();
    expect(await remembered()).toEqual([]);
  });
});

describe('a node that deleted the transaction where the listing begins', () => {
  /** The lowest slot in the node's history. */
  let first: bigint;
  /** Whether the node still has a transaction. */
  let hasUntil: boolean;
  const lists: ({ until?: Signature } | undefined)[] = [];

  beforeEach(() => {
    first = 0n;
    hasUntil = false;
    lists.length = 0;
    on.rpc.after = (method, response, params) => {
      if (method === 'getFirstAvailableBlock') return resultOf(Number(first));
      if (method !== 'getSignaturesForAddress') return response;
      const filter = params[1] as { until?: Signature };
      lists.push(filter);
      if (filter.until !== undefined && !hasUntil) {
        const message = `Transaction not found: ${filter.until}`;
        return { jsonrpc: '2.0', id: '1', error: { code: -32_020, message } };
      }
      const { result } = response as { result: { slot: number }[] };
      return resultOf(result.filter(({ slot }) => BigInt(slot) >= first));
    };
  });
  const untils = () => lists.map((filter) => filter?.until);
  const signature = async () => (await readPosition(service.db))?.signature;
  const restart = async () => {
    lists.length = 0;
    on.rpc.calls = [];
    return finalRuleSet();
  };

  it('lists the changes without it, once each', async () => {
    await finalRuleSet();
    await step();
    const start = await signature();
    expect(start).toEqual(expect.any(String));
    const rule = await restart();
    await step();
    expect(await addresses()).toContain(rule);
    expect(untils()).toEqual([start, undefined]);
    // The history reaches back far enough, so only the changed accounts are read, and the rule set's transaction once.
    expect(on.rpc.calls).not.toContain('getProgramAccounts');
    expect(on.rpc.calls.filter((method) => method === 'getTransaction')).toHaveLength(1);
    on.rpc.calls = [];
    on.chain.net.advanceSlots(1);
    await step();
    expect(on.rpc.calls).not.toContain('getTransaction');
  });

  it('reads all accounts if the history begins after the last change that was indexed', async () => {
    await finalRuleSet();
    await step();
    const missed = await finalRuleSet();
    first = (await finalizedSlot()) + 1n;
    on.chain.net.advanceSlots(2);
    on.rpc.calls = [];
    await step();
    expect(await addresses()).toContain(missed);
    expect(on.rpc.calls).toContain('getProgramAccounts');

    // Later steps ask for no deleted transaction again, and read only what changed.
    expect(await signature()).toBeNull();
    const rule = await restart();
    await step();
    expect(await addresses()).toContain(rule);
    expect(untils()).toEqual([undefined]);
    expect(on.rpc.calls).not.toContain('getProgramAccounts');
  });

  it('is asked from the newest settled transaction again when it has one', async () => {
    await finalRuleSet();
    await step();
    await restart();
    await step();
    hasUntil = true;
    on.chain.net.advanceSlots(65);
    await step();
    const newest = await signature();
    lists.length = 0;
    on.chain.net.advanceSlots(1);
    await step();
    expect(untils()).toEqual([newest]);
    expect(newest).toEqual(expect.any(String));
  });

  it('stops the step with any other error', async () => {
    await finalRuleSet();
    await step();
    await finalRuleSet();
    on.rpc.after = (method, response) =>
      method === 'getSignaturesForAddress'
        ? { jsonrpc: '2.0', id: '1', error: { code: -32_019, message: 'Failed to query long-term storage' } }
        : response;
    await expect(step()).rejects.toThrow();
  });
});

describe('the position', () => {
  it('stays while the RPC does not respond, and catches up later', async () => {
    await step();
    const before = await readPosition(service.db);
    const rule = await finalRuleSet();
    on.chain.net.pause('unreachable');
    await expect(step()).rejects.toThrow();
    expect(await readPosition(service.db)).toEqual(before);

    on.chain.net.resume();
    await step();
    expect(await addresses()).toContain(rule);
  });

  it('never moves back when a node is behind', async () => {
    await finalRuleSet();
    await step();
    const before = await readPosition(service.db);
    on.rpc.after = (method, response) => (method === 'getMultipleAccounts' ? older(response) : response);
    await step();
    expect(await readPosition(service.db)).toEqual(before);
  });

  it('accepts a whole reading or none, and only at the position where it started', async () => {
    await finalRuleSet();
    await step();
    const from = await readPosition(service.db);
    const { id: _id, ...position } = from!;
    const to = { ...position, slot: position.slot + 1n, read_slot: position.read_slot + 1n };
    const accounts = await addresses();
    const removal = { slot: to.read_slot, entries: [], gone: accounts };
    const { settings } = service;

    const stale = { ...from!, slot: from!.slot - 1n };
    expect(await advance(service.db, { settings, from: stale, to, reading: removal, recent: [] })).toBe(
      false,
    );
    expect(await advance(service.db, { settings, from: undefined, to, reading: removal, recent: [] })).toBe(
      false,
    );
    const back = { ...position, slot: position.slot - 1n };
    expect(await advance(service.db, { settings, from, to: back, reading: removal, recent: [] })).toBe(false);
    const broken = { ...removal, entries: [{ address: 'x' } as never] };
    await expect(advance(service.db, { settings, from, to, reading: broken, recent: [] })).rejects.toThrow();

    expect(await readPosition(service.db)).toEqual(from);
    expect(await addresses()).toEqual(accounts);
    expect(await advance(service.db, { settings, from, to, reading: removal, recent: [] })).toBe(true);
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

    on.pass(30);
    await expect(assertIndexFresh(service)).resolves.toMatchObject({
      index,
      tip: { time: index.time + 30n },
    });
    on.pass(1);
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
