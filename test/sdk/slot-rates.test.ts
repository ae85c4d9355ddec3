/** Searches for an operation after a page load, on chains with other slot rates, and with an RPC without old blocks. */
import { Localnet } from '@service/localnet';
import { memoText } from '@service/protocol';
import { callsTo, fundedWallet, memoInstruction } from '@service/test-support';
import {
  type Address,
  getBase58Decoder,
  getSolanaErrorFromJsonRpcError,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hostileService } from '../support/hostile-service.ts';
import { type Edit, type Edits, nodeWith } from '../support/node.ts';

const OPERATION_ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
/** Not before the date of this machine: other files of this process have set timers. */
const START = Math.floor(Date.now() / 1000);
const RATES = [2.5, 5, 10];

/** The one clock of this machine and of every chain, in Unix milliseconds. */
const clock = { ms: START * 1000 };
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], now: clock.ms }));
afterAll(() => vi.useRealTimers());

interface Chain {
  readonly net: Localnet;
  readonly wallet: KeyPairSigner;
  readonly slotsASecond: number;
}
const chains: Chain[] = [];
afterAll(() => Promise.all(chains.map(({ net }) => net.stop())));

async function startChain(slotsASecond: number): Promise<Chain> {
  const net = Localnet.start({ slotMs: 'manual', finalitySlots: 4, now: () => clock.ms });
  const chain = { net, wallet: await fundedWallet(net), slotsASecond };
  chains.push(chain);
  return chain;
}

/** Lets time pass on this machine and on every chain. */
function pass(seconds: number): void {
  for (let left = seconds; left > 0; left -= 2) {
    clock.ms += Math.min(left, 2) * 1000;
    vi.setSystemTime(clock.ms);
    for (const { net, slotsASecond } of chains) net.advanceSlots(Math.min(left, 2) * slotsASecond);
  }
}

const now = () => clock.ms / 1000;

/** Lands a transaction with a memo, by default that of the operation. */
const land = ({ net, wallet }: Chain, memo = memoText(OPERATION_ID)) =>
  callsTo(net).land([wallet], [memoInstruction(memo)]);

interface Search {
  readonly preparedAt: number;
  readonly createdAt?: number;
  readonly edits?: Edits;
  readonly timeoutMs?: number;
}

/** Waits for the operation as after a page load. The service reports that nobody signed it. */
function search({ net, wallet }: Chain, { preparedAt, createdAt, edits = {}, timeoutMs = 6_000 }: Search) {
  const deployment = {
    program: '11111111111111111111111111111111' as Address,
    genesisHash: net.genesisHash,
    artifactsDigest: '0'.repeat(64),
    acceptedSetups: [],
    rpcUrl: 'http://127.0.0.1:1',
    verifierOrigins: [],
  };
  const node = { rpc: nodeWith(net, edits) } as Localnet;
  const service = hostileService({ deployment, manifest: {} as never, wallet, net: node });
  const record = { createdAt: BigInt(createdAt ?? preparedAt), signature: undefined };
  service.instead.set(`/api/operations/${OPERATION_ID}`, () => service.operation('EXPIRED', record));
  const options = { wallet: wallet.address, preparedAt: BigInt(preparedAt), timeoutMs };
  return service.client.waitForOperation(OPERATION_ID, options).then(
    () => 'FINALIZED',
    ({ code }: { code: string }) => code,
  );
}

/** Lets every blockhash expire that existed when the searches began. */
async function whileBlockhashesExpire(searches: Promise<unknown>): Promise<void> {
  const timer = setInterval(() => pass(10), 50);
  try {
    await searches;
  } finally {
    clearInterval(timer);
  }
}

const jsonRpcError = (code: number) => () => {
  throw getSolanaErrorFromJsonRpcError({ code, message: 'not here', data: { contextSlot: 1 } } as never);
};

const once = (fail: () => void) => {
  let isOver = false;
  return () => {
    if (!isOver) {
      isOver = true;
      fail();
    }
  };
};

/** Answers with a page of other operations that ends with a real one, and then with no more, unless `onNext` throws. */
function twoPages(last: Signature, onNext: () => void): Edits {
  const page = Array.from({ length: 1_000 }, (_, index) => {
    const bytes = new Uint8Array(64).fill(1);
    new DataView(bytes.buffer).setUint32(0, index);
    const signature = index === 999 ? last : getBase58Decoder().decode(bytes);
    return { signature, memo: '[5] other', slot: 2_000n, blockTime: BigInt(now()), err: null };
  });
  return {
    getSignaturesForAddress: (_result, params) => {
      if ((params[1] as { before?: string }).before === undefined) return page;
      onNext();
      return [];
    },
  };
}

const WHOLE: Edits = { getFirstAvailableBlock: () => 0n };
const FAILING_BLOCK_TIMES: Edit[] = [
  jsonRpcError(-32_004),
  jsonRpcError(-32_009),
  jsonRpcError(-32_601),
  () => null,
];

/** Returns what every search finds. They run at the same time, because each takes seconds. */
async function searchAll() {
  const [landed, unsigned] = [
    await Promise.all(RATES.map(startChain)),
    await Promise.all(RATES.map(startChain)),
  ];
  const [, chain] = unsigned as [Chain, Chain];
  const landedAt = now();
  for (const each of landed) await land(each);
  pass(20);
  for (const { net } of chains) net.forgetHistory();
  const first = now();
  const other = await land(chain, 'other');
  pass(380);
  const preparedAt = now() - 100;
  const onAll = (on: readonly Chain[], options: Search) => on.map((each) => search(each, options));
  const withEdits = (edits: Edits, more: Partial<Search> = {}) =>
    search(chain, { preparedAt, edits, ...more });
  // What can be proven ends sooner, unless the machine is busy.
  const patient = { timeoutMs: 120_000 };
  const searches = {
    landed: onAll(landed, { preparedAt: landedAt }),
    'landed, and the service names a later time': onAll(landed, { preparedAt: landedAt, createdAt: now() }),
    'landed, and the caller names a later time': onAll(landed, { preparedAt: now(), createdAt: landedAt }),
    'landed, and the clock was set back since': onAll(landed, { preparedAt: now() + 600 }),
    // The tolerance is 60 seconds, and the newest final slot is up to two seconds old.
    'unsigned, and every block is there': onAll(unsigned, { preparedAt: first + 63, ...patient }),
    'unsigned, and a second is missing': onAll(unsigned, { preparedAt: first + 59 }),
    'no block times': FAILING_BLOCK_TIMES.map((getBlockTime) => withEdits({ getBlockTime })),
    'no block times, and the whole history': FAILING_BLOCK_TIMES.map((getBlockTime) =>
      withEdits({ ...WHOLE, getBlockTime }, patient),
    ),
    'no block time, once': [withEdits({ getBlockTime: failingOnce(jsonRpcError(-32_004)) }, patient)],
    'no next page': [withEdits(twoPages(other, jsonRpcError(-32_020)))],
    'no next page, once': [withEdits(twoPages(other, once(jsonRpcError(-32_020))), patient)],
  };
  await whileBlockhashesExpire(Promise.all(Object.values(searches).flat()));
  return searches;
}

function failingOnce(fail: () => void): Edit {
  const failing = once(fail);
  return (result) => {
    failing();
    return result;
  };
}

const NEVER_SIGNED = 'DRAFT_EXPIRED';
const NOT_KNOWN = 'OUTCOME_UNKNOWN';

describe('an RPC without old blocks', () => {
  let found: Awaited<ReturnType<typeof searchAll>>;
  beforeAll(async () => {
    found = await searchAll();
  });

  test.each<[keyof typeof found, string]>([
    ['landed', NOT_KNOWN],
    ['landed, and the service names a later time', NOT_KNOWN],
    ['landed, and the caller names a later time', NOT_KNOWN],
    ['landed, and the clock was set back since', NOT_KNOWN],
    ['unsigned, and every block is there', NEVER_SIGNED],
    ['unsigned, and a second is missing', NOT_KNOWN],
    ['no block times', NOT_KNOWN],
    ['no block times, and the whole history', NEVER_SIGNED],
    ['no block time, once', NEVER_SIGNED],
    ['no next page', NOT_KNOWN],
    ['no next page, once', NEVER_SIGNED],
  ])('%s: %s', async (name, code) => {
    const results = await Promise.all(found[name]);
    expect(results).toEqual(results.map(() => code));
  });
});
