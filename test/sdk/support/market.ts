/** A market on a real service and a real cluster: an issuer and a holder with passes, a bound mint, tokens. Made through the SDK. */
import {
  BINDABLE_MINT_BYTES,
  createBindableMintInstructions,
  operationMessage,
  TOKEN_2022_PROGRAM,
  wireTransaction,
} from '@service/protocol';
import { disposeProver, ServiceClient, type ServiceClientOptions, type Witness } from '@service/sdk';
import {
  createTokenAccount,
  issueCredential,
  newWitness,
  ORIGIN,
  send,
  startWorld,
  transferSol,
  type World,
} from '@service/test-support/service';
import {
  type Address,
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getBase64Decoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { getInitializeMint2Instruction } from '@solana-program/token';

/** A wallet with its client. */
export interface Party {
  readonly signer: KeyPairSigner;
  readonly client: ServiceClient;
  readonly witness: Witness;
}

/** The parts of a market. */
export interface Market {
  readonly world: World;
  readonly deployment: ServiceClientOptions['deployment'];
  readonly issuer: Party;
  readonly holder: Party;
  /** Retail investors in France of age, passes for a day. */
  readonly rule: Address;
  /** Bound to the rule set; senders need a pass, too; the issuer may freeze. */
  readonly mint: Address;
  /** Token account of the issuer, with 1,000 base units. */
  readonly source: Address;
  /** Token account of the holder. */
  readonly destination: Address;
  /** Id of the operation that issued the tokens. */
  readonly issued: string;
  /** Another client of the same service and cluster, as a page after a reload. */
  newClient(options?: Partial<ServiceClientOptions>): ServiceClient;
  /** A wallet that is signed in and has a credential. */
  party(): Promise<Party>;
  /** A mint of the binding profile that the issuer may freeze. */
  createMint(): Promise<Address>;
  /** Runs work that waits for the service, while slots pass and its worker works. */
  live<T>(work: () => Promise<T>): Promise<T>;
  /** Runs an instruction as the wallet's operation on the newest state. Its error, or null. */
  simulate(wallet: Address, instruction: Instruction): Promise<unknown>;
  close(): Promise<void>;
}

/** When the pass of the holder ends, in seconds from the start; that of the issuer ends after a day. */
export const HOLDER_SECONDS = 7_200n;

/** Starts one. */
export async function startMarket(): Promise<Market> {
  const world = await startWorld();
  const { artifacts } = (await (await world.created.app.request('/api/config')).json()) as {
    artifacts: { digest: string };
  };
  const deployment = {
    program: world.program,
    genesisHash: world.net.genesisHash,
    artifactsDigest: artifacts.digest,
    rpcUrl: 'http://127.0.0.1:1',
    verifierOrigins: [],
  };
  // The SDK goes by this machine's clock; so must the service.
  world.clock.now = () => Date.now();

  const newClient: Market['newClient'] = (options = {}) =>
    new ServiceClient({
      deployment,
      baseUrl: ORIGIN,
      rpc: world.net.rpc,
      fetch: async (input, init) => world.created.app.request(new Request(input, init)),
      ...options,
    });

  const live: Market['live'] = async (work) => {
    let tick: Promise<void> | null = null;
    const timer = setInterval(() => {
      world.net.advanceSlots(4);
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
  };

  const party: Market['party'] = async () => {
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
  };

  const issuer = await party();
  const holder = await party();

  const createMint: Market['createMint'] = async () => {
    const mint = await generateKeyPairSigner();
    const [create, hook] = createBindableMintInstructions({
      payer: issuer.signer.address,
      issuer: issuer.signer.address,
      mint: mint.address,
      program: world.program,
      decimals: 2,
      rentLamports: await world.rpc.getMinimumBalanceForRentExemption(BigInt(BINDABLE_MINT_BYTES)).send(),
    });
    const authority = issuer.signer.address;
    const initialize = getInitializeMint2Instruction(
      { mint: mint.address, decimals: 2, mintAuthority: authority, freezeAuthority: authority },
      { programAddress: TOKEN_2022_PROGRAM },
    );
    await send(world, issuer.signer, [create!, hook!, initialize], [mint]);
    await world.finalize();
    return mint.address;
  };

  const { rule } = await live(() =>
    issuer.client.createRuleSet(issuer.signer, {
      name: 'Adults in France',
      clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }],
      maxPassAgeSeconds: 86_400n,
    }),
  );
  await transferSol(world, issuer.signer, { destination: rule, lamports: 10_000_000n });
  const mint = await createMint();
  const expiresAt = BigInt(world.net.time) + HOLDER_SECONDS;
  await live(async () => {
    await issuer.client.bindMint(issuer.signer, { mint, rule, requireSource: true });
    await issuer.client.prove(issuer.signer, { rule, witness: issuer.witness });
    await holder.client.prove(holder.signer, { rule, witness: holder.witness, expiresAt });
  });
  const source = await createTokenAccount(world, issuer.signer, { mint, owner: issuer.signer.address });
  const destination = await createTokenAccount(world, issuer.signer, { mint, owner: holder.signer.address });
  await world.finalize();
  const { operationId } = await live(() =>
    issuer.client.issue(issuer.signer, { mint, destination: source, amount: 1_000n }),
  );

  return {
    world,
    deployment,
    issuer,
    holder,
    rule,
    mint,
    source,
    destination,
    issued: operationId,
    newClient,
    party,
    createMint,
    live,
    async simulate(wallet, instruction) {
      const { value } = await world.rpc.getLatestBlockhash().send();
      const message = operationMessage({
        wallet,
        operationId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
        blockhash: value.blockhash,
        instruction,
      });
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
