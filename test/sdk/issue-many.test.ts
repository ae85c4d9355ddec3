/** issueMany on a real chain with the real program. */

import { addStandInGuardProgram } from '@service/localnet';
import {
  CREDENTIAL_OFFSETS,
  decodeTokenAccount,
  MAX_TRANSACTION_BYTES,
  PASS_OFFSETS,
  programAddresses,
} from '@service/protocol';
import { getMintBindingDecoder, getMintBindingEncoder } from '@service/protocol/generated';
import { isServiceError, type PlainWallet, type TransactionWallet } from '@service/sdk';
import {
  type IssueLedger,
  type IssueManyOptions,
  type IssueProgress,
  type IssueRow,
  issueMany,
} from '@service/sdk/chain';
import { errorOf } from '@service/test-support';
import { quickClock, simulatedWallet } from '@service/testing';
import {
  type Address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Path, pathsOf, SPOILT, spoil } from '../adversarial/answers/spoil.ts';
import { countingWallet } from '../support/counting-wallet.ts';
import { mulberry32, RUNS_ALL, SAMPLE_SEED, sampled } from '../support/sample.ts';
import { accountOf, addHolders, type Holder } from './support/holders.ts';
import { useMarket } from './support/market.ts';
import { memoryLedger } from './support/memory-ledger.ts';

const market = useMarket();
let holders: Holder[];
beforeAll(async () => {
  addStandInGuardProgram(market.world.net);
  holders = await addHolders(market, 24);
});

/** The transactions that an RPC of a test was given, in base64. */
let sent: string[];
/** What happens at each request; a test replaces it. */
let onRequest: (method: string, forward: () => Promise<unknown>, params: unknown[]) => Promise<unknown>;
beforeEach(() => {
  sent = [];
  onRequest = (_method, forward) => forward();
});

const signer = () => market.issuer.signer;
const slotsOf = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 400));

/** The options of a call whose pauses move the chain. */
function options(rows: readonly IssueRow[], ledger: IssueLedger): IssueManyOptions {
  const { net } = market.world;
  const clock = quickClock(async (milliseconds) => net.advanceSlots(slotsOf(milliseconds)));
  const rpc = createSolanaRpcFromTransport((async (request) => {
    const { method, params } = request.payload as { method: string; params: string[] };
    if (method === 'sendTransaction') sent.push(params[0]!);
    return onRequest(method, () => net.transport(request), params);
  }) as RpcTransport);
  return { deployment: market.deployment, rpc, clock, mint: market.mint, rows, ledger };
}

const rowsFor = (some: readonly Holder[], amount = 5n): IssueRow[] =>
  some.map(({ tokenAccount }) => ({ destination: tokenAccount, amount }));

const balances = (some: readonly Holder[]) =>
  Promise.all(
    some.map(
      async ({ tokenAccount }) => decodeTokenAccount((await accountOf(market, tokenAccount)).data)!.amount,
    ),
  );

/** Returns how much each holder got while some work ran. */
async function gained(some: readonly Holder[], work: () => Promise<unknown>): Promise<bigint[]> {
  const before = await balances(some);
  await work();
  market.world.net.finalize();
  return (await balances(some)).map((balance, index) => balance - before[index]!);
}

/** Changes an account of the chain. Returns a function that undoes it. */
async function change(
  address: Address,
  edit: (data: Uint8Array) => unknown,
  lamports?: bigint,
): Promise<() => void> {
  const account = await accountOf(market, address);
  const copy = account.data.slice();
  const edited = edit(copy);
  const data = edited instanceof Uint8Array ? edited : copy;
  const changed = { ...account, data, lamports: lamports ?? account.lamports };
  market.world.net.addAccounts(new Map([[address, changed]]));
  return () => market.world.net.addAccounts(new Map([[address, account]]));
}

const wireOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
const unique = (texts: readonly string[]) => [...new Set(texts)];

describe('issueMany', () => {
  test('packs seven rows into a transaction, and reports each row with its signature', async () => {
    const seen: IssueProgress[] = [];
    const wallet = countingWallet(signer());
    const ledger = memoryLedger();
    let report: Awaited<ReturnType<typeof issueMany>> | undefined;
    const rows = rowsFor(holders).map((row, index) => ({
      ...row,
      id: `holder ${index}`,
      amount: `${index + 1}`,
    }));
    const got = await gained(holders, async () => {
      report = await issueMany(wallet, { ...options(rows, ledger), onProgress: (each) => seen.push(each) });
    });
    expect(got).toEqual(holders.map((_, index) => BigInt(index + 1)));
    expect(report).toMatchObject({ issued: 24, rejected: 0 });
    const transactions = unique(sent);
    expect(transactions).toHaveLength(4);
    expect(transactions.every((wire) => wireOf(wire).length <= MAX_TRANSACTION_BYTES)).toBe(true);
    const signatures = report!.rows.map((row) => (row.state === 'issued' ? row.signature : ''));
    expect(unique(signatures).map((each) => signatures.filter((other) => other === each).length)).toEqual([
      7, 7, 7, 3,
    ]);
    expect(report!.rows[23]).toMatchObject({ index: 23, id: 'holder 23', amount: 24n, state: 'issued' });
    expect(seen[0]).toEqual({ total: 24, issued: 0, rejected: 0, inFlight: 24 });
    expect(seen.at(-1)).toEqual({ total: 24, issued: 24, rejected: 0, inFlight: 0 });

    // Again with the same ledger: the wallet is not asked, and the report is the same.
    const again = await issueMany(
      { address: wallet.address, signTransaction: () => Promise.reject(new Error('called')) },
      options(rows, memoryLedger([...ledger.lines])),
    );
    expect(again).toEqual(report);
  });

  test('asks a wallet that signs several transactions once for a round, and others for one after another', async () => {
    const rows = rowsFor(holders);
    const signTransactions = vi.fn(signer().signTransactions);
    await issueMany({ ...signer(), signTransactions }, { ...options(rows, memoryLedger()), inFlight: 4 });
    expect(signTransactions.mock.calls.map(([all]) => all.length)).toEqual([4]);

    const plain = countingWallet(signer());
    const asked: number[] = [];
    const several: TransactionWallet = {
      ...plain,
      signAllTransactions(wires) {
        asked.push(wires.length);
        return Promise.all(wires.map((wire) => plain.signTransaction(wire)));
      },
    };
    await issueMany(several, { ...options(rows, memoryLedger()), inFlight: 3 });
    // The last one is alone, and is asked for as one.
    expect(asked).toEqual([3]);
    expect(plain.asked).toBe(4);
  });

  test('rejects bad rows with their reasons, and issues their neighbours', async () => {
    const [first, frozen, noPass, expired, revoked, mutable, last] = holders as [
      Holder,
      Holder,
      Holder,
      Holder,
      Holder,
      Holder,
      Holder,
    ];
    const [ofOtherMint] = (await addHolders(market, 1)) as [Holder];
    const undo = await Promise.all([
      change(frozen.tokenAccount, (data) => data.set([2], 108)),
      change(noPass.pass, () => new Uint8Array(0)),
      change(expired.pass, (data) =>
        new DataView(data.buffer).setBigUint64(PASS_OFFSETS.expiresAt, 1n, true),
      ),
      change(revoked.credential, (data) => data.set([1], CREDENTIAL_OFFSETS.revoked)),
      change(mutable.tokenAccount, (data) => data.slice(0, 165)),
      change(ofOtherMint.tokenAccount, (data) => data.fill(1, 0, 32)),
    ]);
    const rows: IssueRow[] = [
      ...rowsFor([first]),
      { destination: first.pass, amount: 5n },
      ...rowsFor([frozen, noPass, expired, revoked, mutable, ofOtherMint, last]),
    ];
    const report = await issueMany(signer(), options(rows, memoryLedger()));
    for (const each of undo) each();
    const codes = report.rows.map((row) =>
      row.state === 'issued' ? 'issued' : row.reasons.map(({ code }) => code).join(),
    );
    expect(codes).toEqual([
      'issued',
      'TOKEN_ACCOUNT_NOT_FOUND',
      'TOKEN_ACCOUNT_FROZEN',
      'DESTINATION_PASS_MISSING',
      'DESTINATION_PASS_EXPIRED',
      'CREDENTIAL_REVOKED',
      'TOKEN_ACCOUNT_OWNER_MUTABLE',
      'TOKEN_ACCOUNT_OF_OTHER_MINT',
      'issued',
    ]);
    expect(report).toMatchObject({ issued: 2, rejected: 7 });
    // All that were ready fit into one transaction.
    expect(unique(sent)).toHaveLength(1);
  });

  test('needs no credential for a granted pass if the mint honours it', async () => {
    const [first] = holders as [Holder];
    const undo = [
      await change(first.pass, (data) => data.set([1], PASS_OFFSETS.granted)),
      await change(first.credential, (data) => data.set([1], CREDENTIAL_OFFSETS.revoked)),
    ];
    const ledger = memoryLedger();
    const binding = await programAddresses(market.world.program).mintBinding(market.mint);
    try {
      const dishonoured = await issueMany(signer(), options([row(0)], ledger));
      expect(dishonoured.rows[0]).toMatchObject({ reasons: [{ code: 'DESTINATION_PASS_GRANTED' }] });
      const honour = (data: Uint8Array) =>
        new Uint8Array(
          getMintBindingEncoder().encode({ ...getMintBindingDecoder().decode(data), honoursGranted: true }),
        );
      undo.push(await change(binding, honour));
      expect(await issueMany(signer(), options([row(0)], ledger))).toMatchObject({ issued: 1 });
    } finally {
      for (const each of undo) each();
    }
  });
});

/** One effect of a call on the world. Throws when the process is killed. */
type Step = <T>(effect: () => Promise<T>) => Promise<T>;

/** Returns a process that is killed at its n-th step: before an effect, or after it and before its result is known. */
function mortal(killAt: number) {
  let steps = 0;
  let isDead = false;
  const live = () => {
    steps += 1;
    isDead ||= steps === killAt;
    if (isDead) throw new Error('killed');
  };
  const step: Step = async (effect) => {
    live();
    const result = await effect();
    live();
    return result;
  };
  return { step, steps: () => steps, isDead: () => isDead };
}

/** Runs issueMany in a process that is killed at a step. Returns its report, or null. */
async function life(rows: readonly IssueRow[], ledger: IssueLedger, killAt: number, more = {}) {
  const { step, steps, isDead } = mortal(killAt);
  const through = onRequest;
  onRequest = (method, forward, params) => step(() => through(method, forward, params));
  const asked = options(rows, {
    read: () => step(() => ledger.read()),
    append: (line, number) => step(() => ledger.append(line, number)),
  });
  const { clock } = asked;
  const pause = async (milliseconds: number, signal: AbortSignal | undefined) => {
    if (isDead()) throw new Error('killed');
    await clock!.pause(milliseconds, signal);
  };
  const plain = countingWallet(signer());
  const signTransaction = (wire: Uint8Array) => step(() => plain.signTransaction(wire));
  try {
    const run = issueMany({ ...plain, signTransaction }, { ...asked, clock: { ...clock!, pause }, ...more });
    return { report: await run, steps: steps(), error: null };
  } catch (error) {
    // What a call that was not killed throws is a result.
    return { report: null, steps: steps(), error: isDead() ? null : error };
  } finally {
    onRequest = through;
  }
}

const ROUNDS = { inFlight: 2 };

describe('a process that is killed', () => {
  test('issues no row twice and loses none, at whatever step', async () => {
    const some = holders.slice(0, 16);
    const rows = rowsFor(some);
    const { steps } = await life(rows, memoryLedger(), Number.POSITIVE_INFINITY, ROUNDS);
    expect(steps).toBeGreaterThan(60);
    const killed = Array.from({ length: steps }, (_, index) => index + 1);
    for (const at of sampled(killed)) {
      const ledger = memoryLedger();
      const got = await gained(some, async () => {
        const first = await life(rows, ledger, at, ROUNDS);
        expect(first.error, `killed at ${at}`).toBe(null);
        const second = await life(rows, memoryLedger([...ledger.lines]), Number.POSITIVE_INFINITY, ROUNDS);
        expect(second.report, `killed at ${at}: ${second.error}`).toMatchObject({ issued: 16, rejected: 0 });
      });
      expect(got, `killed at ${at}`).toEqual(some.map(() => 5n));
    }
  });

  test('waits for what the network holds, and does not sign it again', async () => {
    const some = holders.slice(0, 7);
    const rows = rowsFor(some);
    const ledger = memoryLedger();
    const abort = new AbortController();
    onRequest = async (method, forward) => {
      if (method !== 'sendTransaction') return forward();
      abort.abort();
      throw new TypeError('killed');
    };
    const config = { encoding: 'base64', skipPreflight: true } as const;
    const land = () => market.world.net.rpc.sendTransaction(sent[0] as never, config).send();
    const got = await gained(some, async () => {
      const first = { ...options(rows, ledger), signal: abort.signal };
      expect(await errorOf(issueMany(signer(), first))).toMatchObject({ code: 'ABORTED' });
      let looks = 0;
      onRequest = async (method, forward) => {
        // Its blockhash is valid for 150 blocks.
        if (method === 'getSignatureStatuses' && ++looks === 15) await land();
        return forward();
      };
      expect(await issueMany(mute(), options(rows, ledger))).toMatchObject({ issued: 7 });
      expect(looks).toBeGreaterThanOrEqual(15);
    });
    expect(got).toEqual(some.map(() => 5n));
  });
});

/** Runs of random faults: a few here, many in `npm run campaign -- issue`. */
const RUNS = Number(process.env.ISSUE_RUNS ?? (RUNS_ALL ? 20 : 3));

describe('random kills and faults of the RPC', () => {
  test.each(Array.from({ length: RUNS }, (_, index) => SAMPLE_SEED + index))('seed %d', async (seed) => {
    const random = mulberry32(seed);
    const some = holders.slice(0, 10);
    const rows = rowsFor(some);
    const lines: string[] = [];
    /** Transactions that the network holds. Each lands later, if its blockhash is still valid then. */
    const late: (() => Promise<unknown>)[] = [];
    /** The network drops or holds some transactions, some answers are lost, and some come from a node that is behind. */
    onRequest = async (method, forward) => {
      if (random() < 0.1) await late.pop()?.();
      const luck = random();
      if (method === 'sendTransaction' && luck < 0.15) late.push(forward);
      if (method === 'sendTransaction' && luck < 0.3)
        return { jsonrpc: '2.0', id: '1', result: '1'.repeat(64) };
      if (luck < 0.05) throw new TypeError('fetch failed');
      const answer = await forward();
      if (luck < 0.1) throw new TypeError('the connection was lost');
      if (method !== 'getSignatureStatuses' || luck > 0.4) return answer;
      const { result } = answer as { result: { context: { slot: bigint }; value: unknown[] } };
      const context = { slot: BigInt(result.context.slot) - 200n };
      return { ...(answer as object), result: { context, value: result.value.map(() => null) } };
    };
    const got = await gained(some, async () => {
      for (let lives = 1; lives <= 40; lives += 1) {
        const killAt = Math.ceil(random() * 120);
        const { report } = await life(rows, memoryLedger(lines), lives < 8 ? killAt : 10_000, {
          inFlight: 1,
        });
        // Between two lives, transactions land or expire.
        market.world.net.advanceSlots(Math.floor(random() * 200));
        if (report?.issued === 10) return;
      }
      throw new Error(`seed ${seed} never ends`);
    });
    expect(got).toEqual(some.map(() => 5n));
  });
});

/** Sends a transaction as a wallet does that sends it itself. */
async function landed(wire: Uint8Array): Promise<void> {
  const { net } = market.world;
  const encoded = Buffer.from(wire).toString('base64') as never;
  await net.rpc.sendTransaction(encoded, { encoding: 'base64', skipPreflight: true }).send();
  net.finalize();
}

const row = (index: number) => ({ destination: holders[index]!.tokenAccount, amount: 5n });
const mute = () => ({
  address: signer().address,
  signTransaction: () => Promise.reject(new Error('called')),
});

describe('a transaction that fails on chain', () => {
  test('rejects only the row that failed, and issues its neighbours in another one', async () => {
    const some = holders.slice(0, 7);
    const undo: (() => void)[] = [];
    onRequest = async (method, forward) => {
      // The pass ends after the check.
      if (method === 'sendTransaction' && undo.length === 0) {
        const end = (data: Uint8Array) =>
          new DataView(data.buffer).setBigUint64(PASS_OFFSETS.expiresAt, 1n, true);
        undo.push(await change(some[3]!.pass, end));
      }
      return forward();
    };
    let report: Awaited<ReturnType<typeof issueMany>>;
    const got = await gained(some, async () => {
      report = await issueMany(signer(), options(rowsFor(some), memoryLedger()));
    });
    for (const each of undo) each();
    expect(got).toEqual([5n, 5n, 5n, 0n, 5n, 5n, 5n]);
    expect(report!.rows[3]).toMatchObject({
      state: 'rejected',
      reasons: [{ code: 'FAILED_ON_CHAIN', cause: 'Custom', programError: 'DESTINATION_PASS_EXPIRED' }],
    });
    expect(report!).toMatchObject({ issued: 6, rejected: 1 });
    expect(unique(sent)).toHaveLength(2);
  });

  test('for a reason that names no row lets each of its rows try alone', async () => {
    const { wallet, signed } = simulatedWallet('failing-guard', signer(), {
      rpc: market.world.net.rpc as never,
    });
    const rows = rowsFor(holders.slice(0, 3));
    const asked = { ...options(rows, memoryLedger()), guards: true, maxPriorityFeeLamports: 10_000n };
    const report = await issueMany(wallet, asked);
    // The first row, which measures; the other two together; and each of the three once more, alone.
    expect(signed).toHaveLength(5);
    const programError = 'GUARD_FAILED';
    for (const each of report.rows)
      expect(each).toMatchObject({ state: 'rejected', reasons: [{ programError }] });
  });
});

test('measures what the wallet adds, and packs fewer rows then', async () => {
  const { wallet, signed } = simulatedWallet('phantom-2026-08', signer(), {
    rpc: market.world.net.rpc as never,
  });
  const some = holders.slice(0, 14);
  const limits = { guards: true, maxPriorityFeeLamports: 10_000n };
  let report: Awaited<ReturnType<typeof issueMany>>;
  const got = await gained(some, async () => {
    report = await issueMany(wallet, { ...options(rowsFor(some), memoryLedger()), ...limits });
  });
  expect(got).toEqual(some.map(() => 5n));
  const signatures = report!.rows.map((each) => (each.state === 'issued' ? each.signature : ''));
  const counts = unique(signatures).map((each) => signatures.filter((other) => other === each).length);
  expect(counts).toEqual([1, 6, 6, 1]);
  // Nothing failed, and each transaction was signed once.
  expect(signed).toHaveLength(4);
  expect(signed.every((wire) => wire.length <= MAX_TRANSACTION_BYTES)).toBe(true);
});

test('finds what landed while the RPC did not answer, after its recent statuses forgot it', async () => {
  const rows = [row(0)];
  let isDown = false;
  let outage = 0;
  onRequest = async (method, forward, params) => {
    if (isDown) outage += 1;
    if (isDown && outage < 60) throw new TypeError('fetch failed');
    const answer = await forward();
    isDown ||= method === 'sendTransaction';
    if (method !== 'getSignatureStatuses') return answer;
    const { searchTransactionHistory } = (params[1] ?? {}) as { searchTransactionHistory?: boolean };
    if (searchTransactionHistory) return answer;
    const { result } = answer as { result: { value: unknown[] } };
    return { ...(answer as object), result: { ...result, value: result.value.map(() => null) } };
  };
  expect(await issueMany(signer(), options(rows, memoryLedger()))).toMatchObject({ issued: 1 });
});

describe('what the chain cannot prove', () => {
  test('is not signed again: an RPC that forgot its history ends the call', async () => {
    const ledger = memoryLedger();
    const rows = [row(0)];
    // Killed right before the bytes were sent.
    onRequest = async (method, forward) => {
      if (method === 'sendTransaction') throw new TypeError('killed');
      return forward();
    };
    const abort = new AbortController();
    const onProgress = ({ inFlight }: IssueProgress) => inFlight > 0 && abort.abort();
    const asked = { ...options(rows, ledger), signal: abort.signal, onProgress };
    expect(await errorOf(issueMany(signer(), asked))).toMatchObject({ code: 'ABORTED' });
    expect(ledger.lines).toHaveLength(3);
    onRequest = (_method, forward) => forward();
    market.world.net.advanceSlots(200);
    market.world.net.forgetHistory();
    const error = await errorOf(issueMany(mute(), options(rows, ledger)));
    expect(error).toMatchObject({ code: 'TRANSACTION_FAILED', context: { isFinal: false } });
    expect((error as Error).message).toContain('Use an RPC with the whole history');
    expect(sent).toEqual([]);
  });

  test('ends the call if the network drops everything, and the ledger lets a later call continue', async () => {
    const ledger = memoryLedger();
    const rows = [row(0), row(1)];
    onRequest = async (method, forward) =>
      method === 'sendTransaction' ? { jsonrpc: '2.0', id: '1', result: '1'.repeat(64) } : forward();
    const wallet = countingWallet(signer());
    const error = await errorOf(issueMany(wallet, options(rows, ledger)));
    expect(error).toMatchObject({ code: 'TRANSACTION_FAILED', context: { isFinal: true } });
    expect(wallet.asked).toBe(3);
    onRequest = (_method, forward) => forward();
    expect(await issueMany(wallet, options(rows, ledger))).toMatchObject({ issued: 2 });
  });

  test.each([401, 403])('ends the call at once if the RPC answers %d to what is sent', async (statusCode) => {
    onRequest = async (method, forward) => {
      if (method !== 'sendTransaction') return forward();
      throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
        statusCode,
        message: 'Forbidden',
        headers: new Headers(),
      });
    };
    const error = await errorOf(issueMany(signer(), options([row(0)], memoryLedger())));
    expect(error).toMatchObject({ code: 'RPC_ERROR', retryable: false });
  });
});

describe('an abort', () => {
  test('stops sending, and the ledger lets a later call continue', async () => {
    const some = holders.slice(0, 14);
    const rows = rowsFor(some);
    const ledger = memoryLedger();
    const abort = new AbortController();
    const onProgress = ({ issued }: IssueProgress) => {
      if (issued > 0) abort.abort();
    };
    const got = await gained(some, async () => {
      const first = { ...options(rows, ledger), inFlight: 1, onProgress, signal: abort.signal };
      const error = await errorOf(issueMany(signer(), first));
      expect(error).toMatchObject({ code: 'ABORTED' });
      expect((error as Error).message).toContain('with the same rows and ledger');
      expect(unique(sent)).toHaveLength(1);
      expect(await issueMany(signer(), options(rows, ledger))).toMatchObject({ issued: 14 });
    });
    expect(got).toEqual(some.map(() => 5n));
  });

  test('while the wallet prompts sends nothing, and what it may have signed counts later', async () => {
    const abort = new AbortController();
    const ledger = memoryLedger();
    const honest = countingWallet(signer());
    let own = Promise.resolve(new Uint8Array());
    const wallet: PlainWallet = {
      ...honest,
      signTransaction(wire) {
        abort.abort();
        own = honest.signTransaction(wire);
        return own;
      },
    };
    const asked = { ...options([row(0)], ledger), signal: abort.signal };
    expect(await errorOf(issueMany(wallet, asked))).toMatchObject({ code: 'ABORTED' });
    expect(sent).toEqual([]);
    // The wallet sends it itself, which no wallet should do.
    await landed(await own);
    const report = await issueMany(mute(), options([row(0)], ledger));
    expect(report).toMatchObject({ issued: 1 });
    // The ledger shows it to a later call too.
    expect(await issueMany(mute(), options([row(0)], ledger))).toEqual(report);
  });

  test.each<[string, 'amount' | 'destination' | 'one row more']>([
    ['another amount', 'amount'],
    ['another destination', 'destination'],
    ['a row more', 'one row more'],
  ])('does not count what the wallet sent itself with %s', async (_name, changed) => {
    const abort = new AbortController();
    const ledger = memoryLedger();
    const wallet = {
      address: signer().address,
      signTransaction: () => {
        abort.abort();
        return new Promise<never>(() => undefined);
      },
    };
    const asked = { ...options([row(0)], ledger), signal: abort.signal };
    expect(await errorOf(issueMany(wallet, asked))).toMatchObject({ code: 'ABORTED' });
    const { operationId } = JSON.parse(ledger.lines[1]!).asked[0];
    const others = {
      amount: [{ ...row(0), amount: 6n }],
      destination: [row(1)],
      'one row more': [row(0), row(1)],
    }[changed];
    // The same memo on other rows.
    const uuid = vi.spyOn(crypto, 'randomUUID').mockReturnValue(operationId);
    await issueMany(signer(), options(others, memoryLedger())).finally(() => uuid.mockRestore());
    const error = await errorOf(issueMany(mute(), options([row(0)], ledger)));
    expect(error).toMatchObject({ code: 'TRANSACTION_FAILED', context: { isFinal: false } });
  });

  test('signs again what the wallet sent itself and what failed', async () => {
    const abort = new AbortController();
    const ledger = memoryLedger();
    const honest = countingWallet(signer());
    let own = Promise.resolve(new Uint8Array());
    const wallet: PlainWallet = {
      ...honest,
      signTransaction(wire) {
        abort.abort();
        own = honest.signTransaction(wire);
        return own;
      },
    };
    const asked = { ...options([row(0)], ledger), signal: abort.signal };
    expect(await errorOf(issueMany(wallet, asked))).toMatchObject({ code: 'ABORTED' });
    const undo = await change(holders[0]!.pass, (data) =>
      new DataView(data.buffer).setBigUint64(PASS_OFFSETS.expiresAt, 1n, true),
    );
    await landed(await own);
    undo();
    const got = await gained([holders[0]!], () => issueMany(signer(), options([row(0)], ledger)));
    expect(got).toEqual([5n]);
  });
});

describe('the wallet', () => {
  test('that declines is asked again at once by a later call', async () => {
    const ledger = memoryLedger();
    const error = await errorOf(issueMany(mute(), options([row(0)], ledger)));
    expect(error).toMatchObject({ code: 'WALLET_REJECTED' });
    const again = options([row(0)], ledger);
    expect(await issueMany(signer(), again)).toMatchObject({ issued: 1 });
    // Without a wait for the blockhash to expire.
    expect(again.clock!.elapsed()).toBeLessThan(30_000);
  });

  test.each([0, 1, 2])(
    'that declines after %d of three prompts can send what it signed',
    async (answered) => {
      const some = holders.slice(0, 21);
      const rows = rowsFor(some);
      const ledger = memoryLedger();
      const honest = countingWallet(signer());
      const own: Uint8Array[] = [];
      const wallet: PlainWallet = {
        ...honest,
        async signTransaction(wire) {
          if (own.length === answered) throw new Error('declined');
          own.push(await honest.signTransaction(wire));
          return own.at(-1)!;
        },
      };
      const got = await gained(some, async () => {
        const error = await errorOf(issueMany(wallet, options(rows, ledger)));
        expect(error).toMatchObject({ code: 'WALLET_REJECTED' });
        let isSigned = false;
        const late: PlainWallet = {
          ...honest,
          async signTransaction(wire) {
            isSigned = true;
            return honest.signTransaction(wire);
          },
        };
        onRequest = async (method, forward) => {
          // The wallet sends what it signed when a later call has begun, but not after that signed again.
          if (method === 'getEpochInfo' && !isSigned) for (const wire of own.splice(0)) await landed(wire);
          return forward();
        };
        const again = options(rows, ledger);
        expect(await issueMany(late, again)).toMatchObject({ issued: 21 });
        for (const wire of own) await landed(wire);
        expect(again.clock!.elapsed() < 30_000).toBe(answered === 0);
      });
      expect(got).toEqual(some.map(() => 5n));
    },
  );

  test('needs fees only for the transactions of the rows that are left', async () => {
    const { lamports } = await accountOf(market, signer().address);
    const rent = 890_880n;
    expect(lamports).toBeGreaterThan(rent);
    const undo = await change(signer().address, () => undefined, rent + 5_000n);
    const ends = await issueMany(signer(), options([row(0)], memoryLedger())).finally(undo);
    expect(ends).toMatchObject({ issued: 1 });
  });

  test.each([
    'other-amount',
    'other-destination',
    'extra-instruction',
    'durable-nonce',
    'fresh-blockhash',
  ] as const)('that behaves as %s sends nothing through this client', async (id) => {
    const { wallet } = simulatedWallet(id, signer(), { rpc: market.world.net.rpc as never });
    for (const more of [{}, { guards: true, maxPriorityFeeLamports: 10_000n }]) {
      const asked = { ...options([row(0), row(1)], memoryLedger()), ...more };
      const error = await errorOf(issueMany(wallet, asked));
      expect(error).toMatchObject({ code: 'WALLET_CHANGED_TRANSACTION' });
    }
    expect(sent).toEqual([]);
  });

  test('that is not the issuer, or has no SOL, is not asked', async () => {
    const stranger = await generateKeyPairSigner();
    const wallet = { address: stranger.address, signTransaction: mute().signTransaction };
    const error = await errorOf(issueMany(wallet, options([row(0)], memoryLedger())));
    expect(error).toMatchObject({ code: 'NOT_ISSUER' });
    const undo = await change(signer().address, () => undefined, 4_999n);
    const poor = await errorOf(issueMany(mute(), options([row(0)], memoryLedger())));
    undo();
    expect(poor).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
  });
});

describe('arguments', () => {
  const rejected = (rows: readonly IssueRow[], more = {}) =>
    errorOf(issueMany(mute(), { ...options(rows, memoryLedger()), ...more }));
  test.each<[string, string, () => Partial<IssueRow>[]]>([
    ['no rows', 'rows', () => []],
    ['a bad address', 'rows.1.destination', () => [row(0), { ...row(1), destination: 'x' as Address }]],
    ['an amount of zero', 'rows.0.amount', () => [{ ...row(0), amount: 0n }]],
    ['a negative amount', 'rows.0.amount', () => [{ ...row(0), amount: -1n }]],
    ['an amount above 64 bits', 'rows.0.amount', () => [{ ...row(0), amount: 2n ** 64n }]],
    ['a number', 'rows.0.amount', () => [{ ...row(0), amount: 5 as never }]],
    ['a point', 'rows.0.amount', () => [{ ...row(0), amount: '5.00' }]],
    ['a sign', 'rows.0.amount', () => [{ ...row(0), amount: '+5' }]],
    ['a leading zero', 'rows.0.amount', () => [{ ...row(0), amount: '05' }]],
    ['hexadecimal digits', 'rows.0.amount', () => [{ ...row(0), amount: '0x5' }]],
    [
      'a sum above 64 bits',
      'rows',
      () => [
        { ...row(0), amount: 2n ** 63n },
        { ...row(1), amount: 2n ** 63n },
      ],
    ],
    ['a destination twice', 'rows.1.destination', () => [row(0), row(0)]],
    [
      'an id twice',
      'rows.1.id',
      () => [
        { ...row(0), id: 'a' },
        { ...row(1), id: 'a' },
      ],
    ],
    ['the index of another row as an id', 'rows.1.id', () => [row(0), { ...row(1), id: '0' }]],
    ['an empty id', 'rows.0.id', () => [{ ...row(0), id: '' }]],
  ])('%s', async (_name, field, rows) => {
    const error = await rejected(rows() as IssueRow[]);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', context: { field } });
  });

  test.each([
    ['inFlight', 0],
    ['inFlight', 65],
    ['inFlight', 1.5],
    ['mayRepeat', 'yes'],
    ['ledger', {}],
    ['onProgress', 'x'],
  ])('%s of %s', async (field, value) => {
    const error = await rejected([row(0)], { [field]: value });
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', context: { field } });
  });

  test('rows above what the mint can still issue', async () => {
    const error = await rejected([{ ...row(0), amount: 2n ** 64n - 1n }]);
    expect(error).toMatchObject({ code: 'AMOUNT_TOO_HIGH' });
  });

  test('mayRepeat issues to one destination twice', async () => {
    const got = await gained([holders[0]!], async () => {
      await issueMany(signer(), { ...options([row(0), row(0)], memoryLedger()), mayRepeat: true });
    });
    expect(got).toEqual([10n]);
  });
});

describe('a ledger', () => {
  test.each<[string, (rows: IssueRow[]) => Partial<IssueManyOptions>]>([
    ['of another amount', (rows) => ({ rows: [{ ...rows[0]!, amount: 6n }, rows[1]!] })],
    ['of another order', (rows) => ({ rows: rows.toReversed() })],
    ['of other ids', (rows) => ({ rows: [{ ...rows[0]!, id: 'a' }, rows[1]!] })],
    ['of more rows', (rows) => ({ rows: [...rows, row(2)] })],
    ['of another mint', () => ({ mint: holders[0]!.owner })],
  ])('%s is rejected, and the wallet is not asked', async (_name, other) => {
    const rows = [row(0), row(1)];
    const ledger = memoryLedger();
    await issueMany(signer(), options(rows, ledger));
    const error = await errorOf(issueMany(mute(), { ...options(rows, ledger), ...other(rows) }));
    expect(error).toMatchObject({ code: 'LEDGER_MISMATCH' });
  });

  test.each<[string, (lines: string[]) => string[]]>([
    ['a line that is no JSON', ([first]) => [first!, '{']],
    ['an unknown line', ([first]) => [first!, '{"other":[]}']],
    [
      'a version that it does not know',
      ([first, ...rest]) => [first!.replace('"version":1', '"version":2'), ...rest],
    ],
    ['a first line that is null', ([, ...rest]) => ['null', ...rest]],
    ['a missing line', (lines) => lines.filter((_, index) => index !== 1)],
    ['a line twice', (lines) => [...lines, lines[1]!]],
    [
      'a row that does not exist',
      (lines) => lines.map((line) => line.replace('"rows":[0,1]', '"rows":[0,2]')),
    ],
    ['no rows', (lines) => lines.map((line) => line.replace('"rows":[0,1]', '"rows":[]'))],
    ['no signature', (lines) => lines.filter((line) => !line.includes('"signed"'))],
    [
      'another signature',
      (lines) => lines.map((line) => line.replace(/"signature":"\w+"/, '"signature":"x"')),
    ],
    [
      'a height that is no number',
      (lines) => lines.map((line) => line.replace(/Height":"\d+"/, 'Height":"x"')),
    ],
    ['an unknown end', (lines) => lines.map((line) => line.replace('"end":"issued"', '"end":"gone"'))],
  ])('with %s is rejected, and the wallet is not asked', async (_name, spoil) => {
    const rows = [row(0), row(1)];
    const ledger = memoryLedger();
    await issueMany(signer(), options(rows, ledger));
    const spoilt = memoryLedger(spoil([...ledger.lines]));
    const error = await errorOf(issueMany(mute(), options(rows, spoilt)));
    expect(error).toMatchObject({ code: 'LEDGER_FAILED' });
    expect((error as Error).message).toContain('is not valid');
    expect((error as Error).message).toContain('a copy that contains every line');
  });

  test('that cannot be read or written ends the call, and nothing is sent', async () => {
    const reading = { ...memoryLedger(), read: () => Promise.reject(new Error('no disk')) };
    expect(await errorOf(issueMany(mute(), options([row(0)], reading)))).toMatchObject({
      code: 'LEDGER_FAILED',
    });
    for (const line of [0, 1, 2]) {
      const ledger = memoryLedger();
      const full: IssueLedger = {
        read: ledger.read,
        append: (text, number) =>
          number === line ? Promise.reject(new Error('no space left')) : ledger.append(text, number),
      };
      const error = await errorOf(issueMany(signer(), options([row(0)], full)));
      expect(error).toMatchObject({ code: 'LEDGER_FAILED' });
      expect((error as Error).message).toContain('no space left');
      expect(sent).toEqual([]);
    }
  });

  test('that two calls use at once issues no row twice', async () => {
    const some = holders.slice(0, 14);
    const rows = rowsFor(some);
    const ledger = memoryLedger();
    const got = await gained(some, async () => {
      const both = [options(rows, ledger), options(rows, ledger)].map((each) => issueMany(signer(), each));
      const ends = await Promise.allSettled(both);
      expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
      await issueMany(signer(), options(rows, ledger));
    });
    expect(got).toEqual(some.map(() => 5n));
  });
});

describe('an RPC whose answers are spoilt', () => {
  const some = () => holders.slice(0, 2);

  /** Returns a ledger with a signed transaction that was never sent and has expired. */
  async function unsent() {
    const ledger = memoryLedger();
    onRequest = async (method, forward) => {
      if (method === 'sendTransaction') throw new TypeError('killed');
      return forward();
    };
    const abort = new AbortController();
    const onProgress = ({ inFlight }: IssueProgress) => inFlight > 0 && abort.abort();
    const asked = { ...options(rowsFor(some()), ledger), signal: abort.signal, onProgress };
    expect(await errorOf(issueMany(signer(), asked))).toMatchObject({ code: 'ABORTED' });
    onRequest = (_method, forward) => forward();
    market.world.net.advanceSlots(200);
    return ledger;
  }

  /** Runs a call on an RPC that spoils a field of one method. Returns its outcome. */
  async function spoilt(ledger: IssueLedger, edit: (method: string, result: unknown) => unknown) {
    onRequest = async (method, forward) => {
      const answer = (await forward()) as { result: unknown };
      return 'result' in answer ? { ...answer, result: edit(method, answer.result) } : answer;
    };
    try {
      return { report: await issueMany(signer(), options(rowsFor(some()), ledger)) };
    } catch (error) {
      return { error };
    } finally {
      onRequest = (_method, forward) => forward();
    }
  }

  test('never makes the call report or do something wrong', async () => {
    const paths = new Map<string, Path[]>();
    await spoilt(await unsent(), (method, result) => {
      const known = paths.get(method) ?? [];
      const texts = new Set(known.map((path) => path.join()));
      paths.set(method, [...known, ...pathsOf(result).filter((path) => !texts.has(path.join()))]);
      return result;
    });
    const cases = [...paths].flatMap(([method, found]) =>
      found.flatMap((path) => Object.keys(SPOILT).map((kind) => ({ method, path, kind }))),
    );
    expect([...paths.keys()].sort()).toEqual([
      'getAccountInfo',
      'getEpochInfo',
      'getFirstAvailableBlock',
      'getGenesisHash',
      'getLatestBlockhash',
      'getMultipleAccounts',
      'getSignatureStatuses',
      'getSignaturesForAddress',
      'sendTransaction',
    ]);
    for (const { method, path, kind } of sampled(sampled(cases, { all: false }))) {
      const name = `${method} with ${path.join('.') || 'the result'} ${kind}`;
      const ledger = await unsent();
      const got = await gained(some(), async () => {
        const before = await balances(some());
        const { report, error } = await spoilt(ledger, (called, result) =>
          called === method ? spoil(result, path, SPOILT[kind]) : result,
        );
        const now = await balances(some());
        for (const each of report?.rows ?? []) {
          if (each.state === 'issued') expect(now[each.index], name).toBe(before[each.index]! + 5n);
        }
        if (error) expect(error, name).toSatisfy((thrown: unknown) => isServiceError(thrown));
        const again = await issueMany(signer(), options(rowsFor(some()), memoryLedger([...ledger.lines])));
        expect(again, name).toMatchObject({ issued: 2 });
      });
      expect(got, name).toEqual([5n, 5n]);
    }
  });
});
