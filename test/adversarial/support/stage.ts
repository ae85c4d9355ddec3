/** The real service on a real cluster, with everything on chain that the five operation kinds need, for lies to stand before. */
import { clauseMasks, REGIONS, STATUSES } from '@service/contract';
import { createSandboxVerifier } from '@service/development/sandbox-verifier';
import { bindMintInstruction, createRuleSetInstruction, programAddresses } from '@service/protocol';
import type { Deployment, OperationKind, PreparedOperation, ServiceClient, Witness } from '@service/sdk';
import {
  createMint,
  createTokenAccount,
  endProver,
  issueCredential,
  newWitness,
  ORIGIN,
  proveRuleSet,
  revokeCredential,
  ruleSetBody,
  send,
  startWorld,
  transferSol,
  Visitor,
  WEBHOOK_SECRET,
  WORLD_START,
  type World,
} from '@service/test-support/service';
import { startCount, type UnderWay } from '@service/test-support/under-way';
import {
  type Address,
  createSolanaRpcFromTransport,
  getBase58Decoder,
  getBase64Decoder,
  type KeyPairSigner,
  type RpcTransport,
} from '@solana/kit';
import pino from 'pino';
import { vi } from 'vitest';
import type { Secrets } from './secrets.ts';

/** A wallet that has signed in past the client. */
export interface Person {
  readonly key: KeyPairSigner;
  /** The session's cookie, name and value. */
  readonly cookie: string;
}

/** The stage. */
export interface Stage {
  readonly world: World;
  readonly origin: string;
  readonly deployment: Deployment;
  /** An RPC of the cluster that counts what it is asked. */
  readonly rpc: World['rpc'];
  /** The real service, called in this process; `cookie` stands in where the request has none. */
  service(cookie?: string): typeof fetch;
  /** Requests to service and RPC that are not answered yet, and WebCrypto's work. */
  readonly underWay: UnderWay;
  /** Issues the bound mint, holds a credential, meets the rule. */
  readonly holder: Person;
  readonly witness: Witness;
  readonly rule: Address;
  /** Bound to the rule set. */
  readonly mint: Address;
  /** A rule set that the holder does not meet. */
  strictRule(): Promise<Address>;
  /** A wallet with SOL and a session, and nothing else. */
  newcomer(): Promise<Person>;
  /** Gives a wallet a credential. */
  accredit(wallet: Address): Promise<void>;
  revoke(wallet: Address): Promise<void>;
  /** Prepares an operation of a kind that the holder can ask for, under the same key each time. */
  prepare(kind: OperationKind, client: ServiceClient): Promise<PreparedOperation>;
  /** Prepares a new operation under a key of the client's own, which nobody else can have signed. */
  prepareAnew(client: ServiceClient): Promise<PreparedOperation>;
  close(): Promise<void>;
}

/** The origin of the stage's service. */
export { ORIGIN };

/** Sets the stage. Cookies, signatures and witness are told to `secrets`. */
export async function setStage(secrets: Secrets): Promise<Stage> {
  // Before the database is opened: PGlite has timers that would lie months ahead once the day goes back.
  vi.useFakeTimers({ toFake: ['Date'], now: WORLD_START });
  const world = await startWorld();
  const { net, program } = world;
  const { service } = world.created;
  // A campaign asks more in a minute than anybody may.
  Object.assign(service, {
    limits: { takeAddress: async () => undefined, takeWallet: async () => undefined },
  });
  const verifier = await createSandboxVerifier({
    authority: world.keys.verifier,
    webhookSecret: WEBHOOK_SECRET,
    log: pino({ level: 'silent' }),
    clock: world.clock,
  }).listen();
  Object.assign(service.settings.verifier, { url: verifier.url });

  const underWay = startCount();
  const { counted } = underWay;
  const transport = ((request: Parameters<RpcTransport>[0]) =>
    counted(() => net.transport(request))) as RpcTransport;

  const signIn = async (key: KeyPairSigner): Promise<Person> => {
    const visitor = await new Visitor(world.created.app, key, ORIGIN).signIn();
    secrets.add('cookie', visitor.cookie!.split('=')[1]!);
    return { key, cookie: visitor.cookie! };
  };
  const newcomer = async () => signIn((await world.visitor()).signer);

  const holder = await newcomer();
  const { key } = holder;
  const other = (await world.visitor()).signer.address;
  const body = ruleSetBody(1n);
  const ruleIntent = {
    kind: 'CREATE_RULE_SET',
    wallet: key.address,
    name: body.name,
    nonce: 1n,
    clauses: body.clauses.map(clauseMasks),
    maxPassAgeSeconds: 86_400n,
  } as const;
  const at = programAddresses(program);
  const rule = await at.ruleSet(key.address, 1n);
  await send(world, key, [await createRuleSetInstruction(program, ruleIntent)]);
  await transferSol(world, key, { destination: rule, lamports: 10_000_000n });
  const [boundMint, freeMint] = [await createMint(world, key), await createMint(world, key)];
  const binding = {
    kind: 'BIND_MINT',
    wallet: key.address,
    mint: boundMint,
    rule,
    requireSource: true,
  } as const;
  await send(world, key, [await bindMintInstruction(program, binding)]);
  const source = await createTokenAccount(world, key, { mint: boundMint, owner: key.address });
  const destination = await createTokenAccount(world, key, { mint: boundMint, owner: other });
  const attributes = newWitness();
  await issueCredential(world, { wallet: key.address, witness: attributes });
  const witness: Witness = {
    wallet: key.address,
    region: REGIONS[attributes.region]!.code,
    status: STATUSES[attributes.status]!.code,
    birthDate: '1990-05-17',
    salt: attributes.salt.toString(),
  };
  secrets.add('witness', witness.salt);
  secrets.add('witness', witness.birthDate);
  const expiresAt = BigInt(net.time) + 3_600n;
  const proof = Uint8Array.from(
    Buffer.from(
      await proveRuleSet({ rule, wallet: key.address, witness: attributes, body, expiresAt }),
      'base64',
    ),
  );

  const requests: { [K in OperationKind]: (client: ServiceClient) => Promise<PreparedOperation> } = {
    CREATE_RULE_SET: ({ prepare }) =>
      prepare.createRuleSet({ ...body, nonce: 2n, maxPassAgeSeconds: 86_400n }, keyOf('CREATE_RULE_SET')),
    BIND_MINT: ({ prepare }) =>
      prepare.bindMint({ mint: freeMint, rule, requireSource: true }, keyOf('BIND_MINT')),
    PROVE: ({ prepare }) => prepare.prove({ rule, expiresAt, proof }, keyOf('PROVE')),
    ISSUE: ({ prepare }) => prepare.issue({ mint: boundMint, destination, amount: 1_000n }, keyOf('ISSUE')),
    TRANSFER: ({ prepare }) =>
      prepare.transfer({ mint: boundMint, source, destination, amount: 500n }, keyOf('TRANSFER')),
  };
  // The same key gets the same draft, without planning it again, for as long as it lives.
  let epoch = { ms: world.clock.ms, slot: net.slot, count: 0 };
  const keyOf = (kind: OperationKind) => {
    if (world.clock.ms - epoch.ms > 45_000 || net.slot - epoch.slot > 75n) {
      epoch = { ms: world.clock.ms, slot: net.slot, count: epoch.count + 1 };
    }
    return { idempotencyKey: `stage-${kind}-${epoch.count}` };
  };

  let strict: Promise<Address> | undefined;
  const makeStrictRule = async () => {
    const clauses = [{ regions: ['DE'], statuses: ['professional'], minAge: 90 }].map(clauseMasks);
    await send(world, key, [await createRuleSetInstruction(program, { ...ruleIntent, nonce: 3n, clauses })]);
    await world.finalize();
    return at.ruleSet(key.address, 3n);
  };

  return {
    world,
    origin: ORIGIN,
    deployment: {
      program,
      genesisHash: net.genesisHash,
      artifactsDigest: service.settings.artifacts.digest,
      rpcUrl: 'http://127.0.0.1:1',
      verifierOrigins: [verifier.url],
    },
    rpc: createSolanaRpcFromTransport(transport) as unknown as World['rpc'],
    service: (cookie) => (input, init) =>
      counted(async () => {
        const request = new Request(input, init);
        // A sign-in ends the session that it comes with.
        const isSignIn = /\/api\/auth\/(challenge|verify|logout)$/.test(request.url);
        if (cookie && !isSignIn && !request.headers.has('cookie')) request.headers.set('cookie', cookie);
        const response = await world.created.app.fetch(request);
        for (const line of response.headers.getSetCookie()) {
          const value = line.split(';')[0]!.split('=')[1]!;
          if (value) secrets.add('cookie', value);
        }
        return response;
      }),
    underWay,
    holder,
    witness,
    rule,
    mint: boundMint,
    strictRule: () => (strict ??= makeStrictRule()),
    newcomer,
    accredit: (wallet) => issueCredential(world, { wallet, witness: attributes }),
    revoke: (wallet) => revokeCredential(world, wallet),
    prepareAnew: ({ prepare }) => prepare.transfer({ mint: boundMint, source, destination, amount: 500n }),
    prepare: (kind, client) => requests[kind](client),
    async close() {
      vi.useRealTimers();
      underWay.end();
      await verifier.close();
      await world.close();
      await endProver();
    },
  };
}

/** The forms in which a signature might be written down. */
export function formsOf(signature: Uint8Array): string[] {
  return [
    getBase58Decoder().decode(signature),
    getBase64Decoder().decode(signature).slice(0, 84),
    Buffer.from(signature).toString('hex'),
  ];
}
