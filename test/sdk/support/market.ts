/** A real service on a real cluster: an issuer and a holder with passes, a bound mint, tokens. Created through the SDK. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bindableMintBytes,
  createBindableMintInstructions,
  operationMessage,
  programAddresses,
  TOKEN_2022_PROGRAM,
  wireTransaction,
} from '@service/protocol';
import { disposeProver, ServiceClient, type ServiceClientOptions } from '@service/sdk';
import { rowsOf } from '@service/server/test-database';
import {
  createTokenAccount,
  issueCredential,
  newWitness,
  ORIGIN,
  send,
  startWorld,
  transferSol,
  type World,
} from '@service/server/test-service';
import { quickClock } from '@service/testing';
import {
  type Address,
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getBase64Decoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { getInitializeMint2Instruction } from '@solana-program/token';
import { afterAll, beforeAll } from 'vitest';

/** The pass of the holder expires this many seconds after the start; the pass of the issuer after a day. */
export const HOLDER_SECONDS = 7_200n;

/** Milliseconds of a slot, for the pauses of clients. */
const SLOT_MS = 400;

/** Starts a market before the tests of a file and closes it after them. Its properties exist when the tests run. */
export function useMarket(): Market {
  const market = {} as Market;
  beforeAll(async () => void Object.assign(market, await startMarket()));
  afterAll(() => market.close?.());
  return market;
}

/** A service with an issuer, a holder and a bound mint. */
export type Market = Awaited<ReturnType<typeof startMarket>>;

/** What a market has on chain. */
type Assets = Awaited<ReturnType<typeof createAssets>>;

/** The market of this process, which takes seconds of CPU to create. Each file continues a copy of it. */
let saved: Promise<{ chain: Uint8Array; rows: readonly string[]; assets: Assets }> | undefined;

async function startMarket() {
  saved ??= createMarket().catch((error: unknown) => {
    // The next file tries again.
    saved = undefined;
    throw error;
  });
  const { chain, rows, assets } = await saved;
  const folder = mkdtempSync(join(tmpdir(), 'market-'));
  const journal = join(folder, 'chain');
  writeFileSync(journal, chain);
  const site = await startSite({ journal, rows });
  const { world, clientOf } = site;
  const { net } = world;
  const { mint, issued: operationId } = assets;
  const issuer = { ...assets.issuer, client: await clientOf(assets.issuer.signer) };
  const holder = { ...assets.holder, client: await clientOf(assets.holder.signer) };

  /** Sends a transaction that the issuer pays for, and waits until it is final. */
  async function sendFinal(instructions: readonly Instruction[], signers: readonly KeyPairSigner[] = []) {
    await send(world, issuer.signer, instructions, signers);
    await world.finalize();
  }

  return {
    ...site,
    issuer,
    holder,
    adults,
    rule: assets.rule,
    /** A mint that is bound to the rule set. Senders need a pass too. The issuer may freeze it. */
    mint,
    /** The issuer's token account. It has 1,000 base units. */
    source: assets.source,
    /** The holder's token account. */
    destination: assets.destination,
    /** The id of the operation that issued the tokens. */
    issued: operationId,
    sendFinal,
    createMint: () => createFreezableMint(world, issuer.signer),
    /** Creates a final token account of the market's mint. */
    tokenAccount: (owner: Address) => site.tokenAccount(issuer.signer, { mint, owner }),
    /** Sets the chain's time in its last slot and in its last final slot. */
    setTime(time: bigint | number) {
      net.setTime(time);
      net.finalize();
      net.setTime(time);
      net.advanceSlots(1);
    },
    /** Runs an instruction as the wallet's operation on the newest state. Returns its error, or null. */
    async simulate(wallet: Address, instruction: Instruction): Promise<unknown> {
      const { blockhash } = (await world.rpc.getLatestBlockhash().send()).value;
      const message = operationMessage({ wallet, operationId, blockhash, instruction });
      const wire = getBase64Decoder().decode(wireTransaction(message)) as Base64EncodedWireTransaction;
      const options = { encoding: 'base64', sigVerify: false, commitment: 'processed' } as const;
      return (await world.rpc.simulateTransaction(wire, options).send()).value.err;
    },
    async close() {
      await disposeProver();
      await world.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }] as const;
/** The request of a rule set for adults in France, with passes for a day. */
const adults = { name: 'Adults in France', clauses, maxPassAgeSeconds: 86_400n };

/** Creates a market and saves it. */
async function createMarket() {
  const folder = mkdtempSync(join(tmpdir(), 'market-'));
  const journal = join(folder, 'chain');
  const site = await startSite({ journal });
  const assets = await createAssets(site);
  const rows = await rowsOf(site.world.database.db);
  await site.world.close();
  const chain = readFileSync(journal);
  rmSync(folder, { recursive: true });
  return { chain, rows, assets };
}

async function createAssets({ world, live, party, tokenAccount }: Awaited<ReturnType<typeof startSite>>) {
  const [issuer, holder] = [await party(), await party()];
  const { rule } = await live(() => issuer.client.createRuleSet(issuer.signer, adults));
  await transferSol(world, issuer.signer, { destination: rule, lamports: 10_000_000n });
  const mint = await createFreezableMint(world, issuer.signer);
  const expiresAt = BigInt(world.net.time) + HOLDER_SECONDS;
  await live(async () => {
    await issuer.client.bindMint(issuer.signer, { mint, rule, requireSource: true });
    await issuer.client.prove(issuer.signer, { rule, witness: issuer.witness });
    await holder.client.prove(holder.signer, { rule, witness: holder.witness, expiresAt });
  });
  const source = await tokenAccount(issuer.signer, { mint, owner: issuer.signer.address });
  const destination = await tokenAccount(issuer.signer, { mint, owner: holder.signer.address });
  const { operationId } = await live(() =>
    issuer.client.issue(issuer.signer, { mint, destination: source, amount: 1_000n }),
  );
  return { issuer, holder, rule, mint, source, destination, issued: operationId };
}

/** Starts a world that uses the clock of this machine, as the SDK does, with tools for its clients. */
async function startSite(options: Parameters<typeof startWorld>[0]) {
  const world = await startWorld(options);
  const { net } = world;
  const deployment: ServiceClientOptions['deployment'] = {
    program: world.program,
    genesisHash: net.genesisHash,
    artifactsDigest: world.created.service.settings.artifacts.digest,
    acceptedSetups: [world.created.service.settings.artifacts.manifest.setup.kind],
    rpcUrl: 'http://127.0.0.1:1',
    verifierOrigins: [],
  };
  world.clock.now = () => Date.now();

  const request: typeof fetch = async (input, init) => world.created.app.request(new Request(input, init));

  /** How many pieces of work wait while the chain moves, and the slots of each pause of a client if it moves faster. */
  let waiting = 0;
  let slotsOfPause: number | null = null;
  let tick: Promise<void> | null = null;

  /** Passes slots and lets the service work. Two ticks at once would queue up and go on long after the work. */
  function step(slots: number): Promise<void> {
    net.advanceSlots(slots);
    tick ??= world.created.tick().finally(() => {
      tick = null;
    });
    return tick;
  }

  /** Runs work that waits for the service. Slots pass and the service works in each pause of a client. */
  async function live<T>(work: () => Promise<T>): Promise<T> {
    waiting += 1;
    try {
      return await work();
    } finally {
      waiting -= 1;
      await tick;
    }
  }

  /** Runs work that waits for the chain alone, while slots pass and the service does nothing. */
  async function whileChainMoves<T>(work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => net.advanceSlots(2), 50);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** Runs work while each pause of a client lasts so many slots. */
  async function whileSlotsPass<T>(slots: number, work: () => Promise<T>): Promise<T> {
    slotsOfPause = slots;
    try {
      return await work();
    } finally {
      slotsOfPause = null;
    }
  }

  /** The pauses of clients take no real time. */
  async function pause(milliseconds: number): Promise<void> {
    const slots = slotsOfPause ?? Math.ceil(milliseconds / SLOT_MS);
    if (waiting > 0) await step(slots);
    else if (slotsOfPause) net.advanceSlots(slots);
    // Lets the work of others go on.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Returns a clock for one client, or for one call of the functions of `@service/sdk/chain`. */
  const clock = () => quickClock(pause);

  /** Creates another client of the same service and cluster, like a page after a reload. */
  const newClient = (options: Partial<ServiceClientOptions> = {}) =>
    new ServiceClient({
      deployment,
      baseUrl: ORIGIN,
      rpc: net.rpc,
      fetch: request,
      clock: clock(),
      ...options,
    });

  /** Creates a client and signs a wallet in. */
  async function clientOf(signer: KeyPairSigner) {
    const client = newClient();
    await client.authenticate(signer, deployment.genesisHash);
    return client;
  }

  /** Creates a wallet that is signed in and has a credential. */
  async function party() {
    const { signer } = await world.visitor();
    const attributes = newWitness();
    const client = await clientOf(signer);
    await issueCredential(world, { wallet: signer.address, witness: attributes });
    const witness = {
      wallet: signer.address,
      region: 'FR',
      status: 'retail',
      birthDate: '1990-05-17',
      salt: attributes.salt.toString(),
      person: attributes.person.toString(),
    };
    return { signer, client, witness };
  }

  /** Creates a final token account of a mint. */
  async function tokenAccount(payer: KeyPairSigner, of: { mint: Address; owner: Address }): Promise<Address> {
    const account = await createTokenAccount(world, payer, of);
    await world.finalize();
    return account;
  }

  return {
    world,
    deployment,
    request,
    newClient,
    clientOf,
    live,
    clock,
    whileChainMoves,
    whileSlotsPass,
    party,
    tokenAccount,
  };
}

/** Creates a mint of the binding profile that the issuer may freeze. */
async function createFreezableMint(world: World, issuer: KeyPairSigner): Promise<Address> {
  const mint = await generateKeyPairSigner();
  const authority = issuer.address;
  const { program } = world;
  const binding = await programAddresses(program).mintBinding(mint.address);
  const template = 'plain';
  const created = { mint: mint.address, issuer: authority, program, binding, decimals: 2, template } as const;
  const [create, hook] = createBindableMintInstructions(created, {
    payer: authority,
    rentLamports: await world.rpc
      .getMinimumBalanceForRentExemption(BigInt(bindableMintBytes(created)))
      .send(),
  });
  const initialize = getInitializeMint2Instruction(
    { mint: mint.address, decimals: 2, mintAuthority: authority, freezeAuthority: authority },
    { programAddress: TOKEN_2022_PROGRAM },
  );
  await send(world, issuer, [create!, hook!, initialize], [mint]);
  await world.finalize();
  return mint.address;
}
