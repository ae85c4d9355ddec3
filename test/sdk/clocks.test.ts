/**
 * Devices whose clocks are wrong, from an hour slow to an hour fast, and clocks that somebody sets while the wallet is
 * asked, as after the sleep of a laptop. Each client must find what a client with a right clock finds.
 */
import { dateCodeAt } from '@service/protocol/eligibility';
import { isServiceError, type ServiceClient, tokenAccountOf } from '@service/sdk';
import { quickClock, testWallet } from '@service/testing';
import { type KeyPairSigner, signBytes } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { dapp, rules } from '../query/support/dapp.ts';
import { nodeWith } from '../support/node.ts';
import { sampled } from '../support/sample.ts';
import { useMarket } from './support/market.ts';

/** Seconds by which a clock is ahead, before and after each prompt of the wallet. */
type Offsets = readonly [before: number, after: number];

const SECONDS = [-3_600, -400, -100, -65, -30, 30, 65, 100, 400, 3_600];
const JUMPS: Offsets[] = [-3_600, -100, -65, 65, 100, 3_600].flatMap((to) => [
  [0, to],
  [to, 0],
]);
const CLOCKS: readonly Offsets[] = [...SECONDS.map((seconds): Offsets => [seconds, seconds]), ...JUMPS];
const RIGHT: Offsets = [0, 0];

/** Creates a device with a clock. Each prompt of its wallets sets the clock. */
function device([before, after]: Offsets, trueNow: () => number) {
  let ahead = before;
  const now = () => trueNow() + ahead * 1_000;
  const walletOf = ({ address, keyPair: { privateKey } }: KeyPairSigner) => {
    const ask = (bytes: Uint8Array) => {
      ahead = ahead === before ? after : before;
      return signBytes(privateKey, bytes);
    };
    return {
      address,
      signMessage: async (message: Uint8Array) => new Uint8Array(await ask(message)),
      async signTransaction(wire: Uint8Array) {
        const signed = wire.slice();
        signed.set(await ask(wire.slice(65)), 1);
        return signed;
      },
    };
  };
  return { now, walletOf };
}

const codeOf = (error: unknown) => (isServiceError(error) ? error.code : `${error}`);

describe('on the service in memory', () => {
  /** Unix milliseconds. */
  const START = 1_900_000_000_000;
  /** Unix seconds at which all passes expire. */
  const END = 1_900_003_600n;

  /** Plays what people do, and returns what they see. Ids, times and signatures are the same in each run. */
  async function play(offsets: Offsets): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    let time = START;
    const seconds = () => BigInt(Math.floor(time / 1_000));
    const { now, walletOf } = device(offsets, () => time);
    const [issuer, holder] = await Promise.all(['issuer', 'holder'].map(testWallet));
    const { address: mint } = await testWallet('mint');
    const accountOf = async ({ address: owner }: KeyPairSigner) => ({
      address: await tokenAccountOf({ mint, owner }),
      mint,
      owner,
      amount: 0n,
    });
    const accounts = [await accountOf(issuer!), await accountOf(holder!)] as const;
    const [source, destination] = accounts.map(({ address }) => address);
    const page = await dapp({
      credentials: [issuer!.address, holder!.address],
      mints: [{ mint, issuer: issuer!.address }],
      tokenAccounts: accounts,
      now: seconds,
    });
    const pass = async (milliseconds: number) => {
      time += milliseconds;
    };
    const clock = { ...quickClock(pass), now };
    const client = page.otherPage({ clock });
    const [issuing, holding] = [walletOf(issuer!), walletOf(holder!)];
    const { genesisHash } = client.deployment;
    const see = async (what: Promise<unknown>) => void seen.push(await what.catch(codeOf));
    const takePass = async (wallet: typeof issuing, rule: typeof mint) => {
      const asOf = dateCodeAt(seconds());
      const proof = { rule, expiresAt: END, asOf, proof: new Uint8Array(256).fill(1) };
      await see(client.prove(wallet, proof));
      await see(client.passport());
    };

    await see(client.authenticate(holding, genesisHash));
    await see(client.session());
    await client.prepareSignIn(issuing, genesisHash);
    await see(client.authenticate(issuing, genesisHash));
    const { rule } = await client.createRuleSet(issuing, { ...rules, nonce: 1n });
    await see(client.bindMint(issuing, { mint, rule, requireSource: true }));
    await takePass(issuing, rule);
    await see(client.issue(issuing, { mint, destination: source!, amount: 200n }));
    await client.authenticate(holding, genesisHash);
    await takePass(holding, rule);
    await client.authenticate(issuing, genesisHash);

    const transfer = { mint, source: source!, destination: destination!, amount: 40n };
    await see(client.checkTransfer(transfer));
    await see(client.transfer(issuing, transfer));
    // The client signs and shows a draft until it is 90 seconds old.
    const almost = await client.prepare.transfer(transfer);
    await clock.pause(80_000, undefined);
    await client.ready(almost);
    const { operationId } = await client.signAndSubmit(issuing, almost);
    await see(client.waitForOperation(operationId));
    const old = await client.prepare.transfer(transfer);
    await clock.pause(90_000, undefined);
    await see(client.signAndSubmit(issuing, old));
    seen.push(client.getSnapshot());
    await client.prepare.transfer({ ...transfer, amount: 1n });
    seen.push(client.getSnapshot());

    for (const at of [END - 1n, END]) {
      time = Number(at) * 1_000;
      await see(client.checkTransfer(transfer));
      await see(client.checkProof({ rule }));
      await see(client.passport());
    }
    seen.push(page.amountOf(source!), page.amountOf(destination!));
    return seen;
  }

  let right: readonly unknown[];
  beforeAll(async () => {
    right = await play(RIGHT);
  });

  test('a right clock sees live passes, both transfers, and then that the passes expire', () => {
    expect(right.slice(-2)).toEqual([120n, 80n]);
    expect(right).toContain('DRAFT_EXPIRED');
    const checks = right.filter((each) => typeof each === 'object' && each !== null && 'sourcePass' in each);
    expect(checks).toMatchObject([{ ok: true }, { ok: true }, { ok: false }]);
  });

  test.each(sampled(CLOCKS))(
    'a clock %d s ahead, and %d s after a prompt, sees the same',
    async (...offsets) => {
      expect(await play(offsets)).toEqual(right);
    },
  );
});

describe('on a real service and chain', () => {
  const market = useMarket();
  /** The time of the chain, which is the service's too. */
  const trueNow = () => Number(market.world.net.time) * 1_000;
  beforeAll(() => {
    market.world.clock.now = trueNow;
    // Every case sends requests as the issuer, more in a minute than the limits allow.
    const limits = { takeAddress: async () => undefined, takeWallet: async () => undefined };
    Object.assign(market.world.created.service, { limits });
  });

  /** Signs people in, makes each write, and waits after a page load. Returns what became of it. */
  async function play(offsets: Offsets): Promise<readonly unknown[]> {
    const { world, deployment, rule, source, issuer } = market;
    const { now, walletOf } = device(offsets, trueNow);
    const seen: unknown[] = [];
    const see = async (what: Promise<{ state: string }>) =>
      void seen.push(await what.then(({ state }) => state, codeOf));
    const signedIn = async (
      wallet: ReturnType<typeof walletOf>,
      rpc = world.net.rpc,
    ): Promise<ServiceClient> => {
      const client = market.newClient({ rpc, clock: { ...market.clock(), now } });
      await client.authenticate(wallet, deployment.genesisHash);
      return client;
    };
    const person = await market.party();
    const [holding, issuing] = [walletOf(person.signer), walletOf(issuer.signer)];
    const [holder, owner] = [await signedIn(holding), await signedIn(issuing)];
    const { mint } = market;
    const destination = await market.tokenAccount(holding.address);
    const bound = { mint: await market.createMint(), rule, requireSource: false };
    await market.live(async () => {
      await see(owner.createRuleSet(issuing, market.adults));
      await see(owner.bindMint(issuing, bound));
      await see(holder.prove(holding, { rule, witness: person.witness }));
      await see(owner.issue(issuing, { mint, destination: source, amount: 5n }));
      await see(owner.transfer(issuing, { mint, source, destination, amount: 5n }));
    });
    const { pass } = await holder.checkProof({ rule });
    seen.push(pass !== null && pass.secondsLeft > 86_000n && pass.secondsLeft <= 86_400n);

    // After a page load, with an RPC whose history begins two minutes before.
    world.net.advanceSlots(300);
    const first = world.net.slot - 300n;
    const rpc = nodeWith(world.net, {
      getFirstAvailableBlock: () => first,
      getBlockTime: (time: number, [slot]) => time - (slot === first ? 120 : 0),
    });
    const preparedAt = BigInt(Math.floor(now() / 1_000));
    const { operationId } = await owner.prepare.transfer({ mint, source, destination, amount: 1n });
    const reloaded = await signedIn(walletOf(issuer.signer), rpc);
    // The prompt of the sign-in set the clock, so an earlier time cannot be compared with it.
    const known = { preparedAt: offsets[0] === offsets[1] ? preparedAt : BigInt(Math.floor(now() / 1_000)) };
    const waiting = reloaded.waitForOperation(operationId, known);
    await market.live(() => market.whileSlotsPass(20, () => see(waiting)));
    return seen;
  }

  const AS_RIGHT = [...Array<string>(5).fill('FINALIZED'), true, 'DRAFT_EXPIRED'];

  test.each([RIGHT, ...sampled(CLOCKS)])(
    'a clock %d s ahead, and %d s after a prompt, does not matter',
    async (...offsets) => {
      expect(await play(offsets)).toEqual(AS_RIGHT);
    },
  );
});
