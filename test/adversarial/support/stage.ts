/** The real service on a real cluster, with everything on chain that the operation kinds need. */
import { addressBytes, clauseMasks, REGIONS, STATUSES } from '@service/contract';
import {
  bindMintInstruction,
  createRuleSetInstruction,
  programAddresses,
  SYSTEM_PROGRAM,
} from '@service/protocol';
import { dateCodeAt, fieldToBytes, scopeOf, tagOf } from '@service/protocol/eligibility';
import { getPassEncoder, getPlaceEncoder } from '@service/protocol/generated';
import type { Deployment, OperationKind, PreparedOperation, ServiceClient, Witness } from '@service/sdk';
import {
  createMint,
  createTokenAccount,
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
} from '@service/server/test-service';
import { startCount } from '@service/test-support/under-way';
import { startSandboxVerifier } from '@service/verifier';
import type { Address, KeyPairSigner, ReadonlyUint8Array, RpcTransport } from '@solana/kit';
import pino from 'pino';
import { vi } from 'vitest';
import { giveTokens } from '../../support/give-tokens.ts';
import { addPowers } from '../../support/issuer-powers.ts';
import { type Edits, nodeWith } from '../../support/node.ts';
import type { Secrets } from './secrets.ts';

/** A wallet that has signed in without the client. */
export interface Person {
  readonly key: KeyPairSigner;
  /** The session's cookie, name and value. */
  readonly cookie: string;
}

export type Stage = Awaited<ReturnType<typeof setStage>>;

/** The origin of the stage's service. */
export { ORIGIN };

/** Sets the stage. Adds cookies and the witness to the secrets. */
export async function setStage(secrets: Secrets) {
  // Before the database is opened: the timers of PGlite would be months ahead when the date goes back.
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: WORLD_START });
  const world = await startWorld();
  const { net, program } = world;
  const { service } = world.created;
  // The cases send more requests in a minute than the limits allow.
  Object.assign(service, {
    limits: { takeAddress: async () => undefined, takeWallet: async () => undefined },
  });
  const verifier = await startSandboxVerifier({
    authority: world.keys.verifier.keyPair,
    program,
    genesisHash: net.genesisHash,
    siteOrigins: [ORIGIN],
    webhookUrl: `${ORIGIN}/api/verifier/webhook`,
    webhookSecret: WEBHOOK_SECRET,
    personKey: new Uint8Array(32),
    log: pino({ level: 'silent' }),
    clock: world.clock,
  });
  Object.assign(service.settings.verifier, { url: verifier.url });

  const underWay = startCount();
  const { counted } = underWay;
  const transport = (request: Parameters<RpcTransport>[0]) => counted(() => net.transport(request));

  const signIn = async (key: KeyPairSigner): Promise<Person> => {
    const visitor = await new Visitor(world.created.app, key, ORIGIN).signIn();
    secrets.add('cookie', visitor.cookie!.split('=')[1]!);
    return { key, cookie: visitor.cookie! };
  };
  const newcomer = async () => signIn((await world.visitor()).signer);

  const holder = await newcomer();
  const { key } = holder;
  const wallet = key.address;
  const other = (await world.visitor()).address;
  const body = ruleSetBody(1n);
  const at = programAddresses(program);
  const createRuleSet = async (nonce: bigint, clauses: (typeof body)['clauses'], limits: object = {}) => {
    const { name } = body;
    const terms = { name, nonce, clauses: clauses.map(clauseMasks), maxPassAgeSeconds: 86_400n, ...limits };
    const intent = { kind: 'CREATE_RULE_SET', wallet, ...terms } as const;
    await send(world, key, [await createRuleSetInstruction(program, intent)]);
    return at.ruleSet(wallet, nonce);
  };
  const rule = await createRuleSet(1n, body.clauses);
  await transferSol(world, key, { destination: rule, lamports: 10_000_000n });
  const [mint, freeMint] = [await createMint(world, key), await createMint(world, key)];
  const binding = { kind: 'BIND_MINT', wallet, mint, rule, requireSource: true } as const;
  await send(world, key, [await bindMintInstruction(program, binding)]);
  const source = await createTokenAccount(world, key, { mint, owner: wallet });
  const destination = await createTokenAccount(world, key, { mint, owner: other });
  giveTokens(net, source, 1_000_000n);
  const attributes = newWitness();
  await issueCredential(world, { wallet, witness: attributes });
  const witness: Witness = {
    wallet,
    region: REGIONS[attributes.region]!.code,
    status: STATUSES[attributes.status]!.code,
    birthDate: '1990-05-17',
    salt: attributes.salt.toString(),
    person: attributes.person.toString(),
  };
  secrets.add('witness', witness.salt);
  secrets.add('witness', witness.person);
  secrets.add('witness', witness.birthDate);
  const [expiresAt, asOf] = [BigInt(net.time) + 3_600n, dateCodeAt(BigInt(net.time))];
  const encoded = await proveRuleSet({ rule, wallet, witness: attributes, body, expiresAt, asOf });
  const proof = new Uint8Array(Buffer.from(encoded, 'base64'));
  const transfer = { mint, source, destination, amount: 500n };
  const powers = await addPowers(world, key, { holder: other });
  const { mint: owned, source: from, destination: to } = powers;
  const recovery = { mint: owned, source: from, destination: to, amount: 300n, reason: 'lost-key' } as const;
  const ofStranger = { rule: powers.rule, holder: (await world.visitor()).address };

  type Prepare = (client: ServiceClient, key: { idempotencyKey: string }) => Promise<PreparedOperation>;
  const requests: Record<OperationKind, Prepare> = {
    CREATE_RULE_SET: ({ prepare }, options) =>
      prepare.createRuleSet({ ...body, nonce: 2n, maxPassAgeSeconds: 86_400n }, options),
    BIND_MINT: ({ prepare }, options) =>
      prepare.bindMint({ mint: freeMint, rule, requireSource: true }, options),
    PROVE: ({ prepare }, options) => prepare.prove({ rule, expiresAt, asOf, proof }, options),
    ISSUE: ({ prepare }, options) => prepare.issue({ mint, destination, amount: 1_000n }, options),
    TRANSFER: ({ prepare }, options) => prepare.transfer(transfer, options),
    RECOVER: ({ prepare }, options) => prepare.recover(recovery, options),
    REDEEM: ({ prepare }, options) =>
      prepare.redeem({ mint: owned, source: from, amount: 300n, reason: 'court-order' }, options),
    SUSPEND: ({ prepare }, options) => prepare.suspend({ ...ofStranger, until: expiresAt + 3_600n }, options),
    GRANT: ({ prepare }, options) => prepare.grant({ ...ofStranger, expiresAt: expiresAt + 3_600n }, options),
  };
  let epoch = { ms: world.clock.ms, slot: net.slot, count: 0 };
  let strict: Promise<Address> | undefined;
  let limited: ReturnType<typeof createLimited> | undefined;

  /** Returns a wallet of the same person as the holder, with its own session, credential and witness. */
  async function walletOfPerson() {
    const person = await newcomer();
    await issueCredential(world, { wallet: person.key.address, witness: attributes });
    return { person, witness: { ...witness, wallet: person.key.address } };
  }

  /** Writes an account of the program. */
  function write(address: Address, data: ReadonlyUint8Array): void {
    const account = { ...net.accounts().get(rule)!, data: new Uint8Array(data) };
    net.addAccounts(new Map([[address, account]]));
  }

  async function createLimited() {
    const verifier = await at.verifier(world.keys.verifier.address);
    const limitedRule = await createRuleSet(4n, body.clauses, { verifier, walletsPerPerson: 2 });
    const [proving, recent] = [await walletOfPerson(), await walletOfPerson()];
    const suspended = (await world.visitor()).address;
    const holders = [
      // It stays within the hour, however much time the cases let pass.
      { wallet: recent.person.key.address, since: BigInt(net.time) + 86_400n },
      { wallet: suspended, since: 0n },
    ];
    const tags: Uint8Array[] = [];
    for (const [place, { wallet, since }] of holders.entries()) {
      const scope = await scopeOf({ rule: addressBytes(limitedRule), place });
      const tag = fieldToBytes(tagOf({ person: attributes.person, scope }));
      const pass = await at.pass(limitedRule, wallet);
      const bump = 255 - (await at.placeMisses(limitedRule, tag));
      const data = getPlaceEncoder().encode({ bump, rule: limitedRule, tag, wallet, pass, since });
      write(await at.place(limitedRule, tag), data);
      tags.push(tag);
    }
    const pass = {
      bump: 255 - (await at.passMisses(limitedRule, suspended)),
      rule: limitedRule,
      wallet: suspended,
      expiresAt: 0n,
      issuedAt: 0n,
      circuit: SYSTEM_PROGRAM,
      verifier,
      commitment: new Uint8Array(32),
      suspendedUntil: 2n ** 64n - 1n,
    };
    write(await at.pass(limitedRule, suspended), getPassEncoder().encode(pass));
    await world.finalize();
    return { rule: limitedRule, proving, recent, suspended, tags };
  }

  return {
    world,
    deployment: {
      program,
      genesisHash: net.genesisHash,
      artifactsDigest: service.settings.artifacts.digest,
      acceptedSetups: [service.settings.artifacts.manifest.setup.kind],
      rpcUrl: 'http://127.0.0.1:1',
      verifierOrigins: [verifier.url],
    } satisfies Deployment,
    /** Returns an RPC of the cluster that counts its requests and changes their results. */
    node: (edits: Edits = {}) => nodeWith({ transport: transport as RpcTransport }, edits),
    /** Returns a function that calls the service in this process. Requests without a cookie get this one. */
    service:
      (cookie?: string): typeof fetch =>
      (input, init) =>
        counted(async () => {
          const request = new Request(input, init);
          // A sign-in ends the session of its cookie.
          const isSignIn = /\/api\/auth\/(challenge|verify|logout)$/.test(request.url);
          if (cookie && !isSignIn && !request.headers.has('cookie')) request.headers.set('cookie', cookie);
          const response = await world.created.app.fetch(request);
          for (const line of response.headers.getSetCookie()) {
            const value = line.split(';')[0]!.split('=')[1]!;
            if (value) secrets.add('cookie', value);
          }
          return response;
        }),
    /** Counts requests to the service and the RPC, and computations of WebCrypto. */
    underWay,
    /** Issues the bound mint, has a credential, and meets the rule set. */
    holder,
    witness,
    rule,
    /** A mint that is bound to the rule set. */
    mint,
    /** Returns a rule set that the holder does not meet. */
    strictRule() {
      const clauses = [{ regions: ['DE' as const], statuses: ['professional' as const], minAge: 90 }];
      strict ??= createRuleSet(3n, clauses).finally(() => world.finalize());
      return strict;
    },
    /**
     * Returns a rule set with two places for each person, of which the holder's person has none free: a wallet has held the
     * first for less than an hour, and the wallet in the second is suspended. A third wallet is proving.
     */
    limited: () => (limited ??= createLimited()),
    /** Creates a wallet with SOL and a session, and nothing else. */
    newcomer,
    /** Issues a credential to a wallet. */
    accredit: (to: Address) => issueCredential(world, { wallet: to, witness: attributes }),
    revoke: (from: Address) => revokeCredential(world, from),
    /** Prepares a new transfer with a key of the client's own, so nobody else can have signed it. */
    prepareNew: ({ prepare }: ServiceClient) => prepare.transfer(transfer),
    /** Prepares an operation of the holder. The same key returns the same draft while it is valid, and saves time. */
    prepare(kind: OperationKind, client: ServiceClient): Promise<PreparedOperation> {
      if (world.clock.ms - epoch.ms > 45_000 || net.slot - epoch.slot > 75n) {
        epoch = { ms: world.clock.ms, slot: net.slot, count: epoch.count + 1 };
      }
      return requests[kind](client, { idempotencyKey: `stage-${kind}-${epoch.count}` });
    },
    async close() {
      vi.useRealTimers();
      underWay.end();
      await verifier.close();
      await world.close();
    },
  };
}
