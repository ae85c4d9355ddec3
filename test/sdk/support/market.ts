/** A real service on a real cluster: an issuer and a holder with passes, a bound mint, tokens. Created through the SDK. */
import {
  BINDABLE_MINT_BYTES,
  createBindableMintInstructions,
  operationMessage,
  TOKEN_2022_PROGRAM,
  wireTransaction,
} from '@service/protocol';
import { disposeProver, ServiceClient, type ServiceClientOptions } from '@service/sdk';
import {
  createTokenAccount,
  issueCredential,
  newWitness,
  ORIGIN,
  send,
  startWorld,
  transferSol,
} from '@service/server/test-service';
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

/** Starts a market before the tests of a file and closes it after them. Its properties exist when the tests run. */
export function useMarket(): Market {
  const market = {} as Market;
  beforeAll(async () => void Object.assign(market, await startMarket()));
  afterAll(() => market.close?.());
  return market;
}

/** A service with an issuer, a holder and a bound mint. */
export type Market = Awaited<ReturnType<typeof startMarket>>;

async function startMarket() {
  const world = await startWorld();
  const { net } = world;
  const deployment: ServiceClientOptions['deployment'] = {
    program: world.program,
    genesisHash: net.genesisHash,
    artifactsDigest: world.created.service.settings.artifacts.digest,
    rpcUrl: 'http://127.0.0.1:1',
    verifierOrigins: [],
  };
  // The SDK uses this machine's clock, so the service must too.
  world.clock.now = () => Date.now();

  const request: typeof fetch = async (input, init) => world.created.app.request(new Request(input, init));

  /** Creates another client of the same service and cluster, like a page after a reload. */
  const newClient = (options: Partial<ServiceClientOptions> = {}) =>
    new ServiceClient({ deployment, baseUrl: ORIGIN, rpc: net.rpc, fetch: request, ...options });

  /** Runs work that waits for the service, while slots pass and the service's worker runs. */
  async function live<T>(work: () => Promise<T>): Promise<T> {
    let tick: Promise<void> | null = null;
    const timer = setInterval(() => {
      // One at a time, so that a blockhash lives for 12 seconds, also on a busy machine.
      net.advanceSlots(1);
      // Never two ticks at once: they would queue up and go on long after the work.
      tick ??= world.created.tick().finally(() => {
        tick = null;
      });
    }, 80);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await tick;
    }
  }

  /** Creates a wallet that is signed in and has a credential. */
  async function party() {
    const { signer } = await world.visitor();
    const attributes = newWitness();
    const client = newClient();
    await client.authenticate(signer, deployment.genesisHash);
    await issueCredential(world, { wallet: signer.address, witness: attributes });
    const witness = {
      wallet: signer.address,
      region: 'FR',
      status: 'retail',
      birthDate: '1990-05-17',
      salt: attributes.salt.toString(),
    };
    return { signer, client, witness };
  }

  const issuer = await party();
  const holder = await party();

  /** Sends a transaction that the issuer pays for, and waits until it is final. */
  async function sendFinal(instructions: readonly Instruction[], signers: readonly KeyPairSigner[] = []) {
    await send(world, issuer.signer, instructions, signers);
    await world.finalize();
  }

  /** Creates a mint of the binding profile that the issuer may freeze. */
  async function createMint(): Promise<Address> {
    const mint = await generateKeyPairSigner();
    const authority = issuer.signer.address;
    const [create, hook] = createBindableMintInstructions({
      payer: authority,
      issuer: authority,
      mint: mint.address,
      program: world.program,
      decimals: 2,
      rentLamports: await world.rpc.getMinimumBalanceForRentExemption(BigInt(BINDABLE_MINT_BYTES)).send(),
    });
    const initialize = getInitializeMint2Instruction(
      { mint: mint.address, decimals: 2, mintAuthority: authority, freezeAuthority: authority },
      { programAddress: TOKEN_2022_PROGRAM },
    );
    await sendFinal([create!, hook!, initialize], [mint]);
    return mint.address;
  }

  /** Creates a final token account of the market's mint. */
  async function tokenAccount(owner: Address): Promise<Address> {
    const account = await createTokenAccount(world, issuer.signer, { mint, owner });
    await world.finalize();
    return account;
  }

  const clauses = [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }] as const;
  const adults = { name: 'Adults in France', clauses, maxPassAgeSeconds: 86_400n };
  const { rule } = await live(() => issuer.client.createRuleSet(issuer.signer, adults));
  await transferSol(world, issuer.signer, { destination: rule, lamports: 10_000_000n });
  const mint = await createMint();
  const expiresAt = BigInt(net.time) + HOLDER_SECONDS;
  await live(async () => {
    await issuer.client.bindMint(issuer.signer, { mint, rule, requireSource: true });
    await issuer.client.prove(issuer.signer, { rule, witness: issuer.witness });
    await holder.client.prove(holder.signer, { rule, witness: holder.witness, expiresAt });
  });
  const source = await tokenAccount(issuer.signer.address);
  const destination = await tokenAccount(holder.signer.address);
  const { operationId } = await live(() =>
    issuer.client.issue(issuer.signer, { mint, destination: source, amount: 1_000n }),
  );

  return {
    world,
    deployment,
    request,
    issuer,
    holder,
    /** The request of a rule set for adults in France, with passes for a day. */
    adults,
    rule,
    /** A mint that is bound to the rule set. Senders need a pass too. The issuer may freeze it. */
    mint,
    /** The issuer's token account. It has 1,000 base units. */
    source,
    /** The holder's token account. */
    destination,
    /** The id of the operation that issued the tokens. */
    issued: operationId,
    newClient,
    party,
    sendFinal,
    createMint,
    tokenAccount,
    live,
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
    },
  };
}
