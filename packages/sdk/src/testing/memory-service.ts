/** A well-behaved service in memory: every route that the client calls, before a cluster in memory. */
import {
  CHALLENGE_LIFETIME_SECONDS,
  DRAFT_LIFETIME_SECONDS,
  ERROR_CODES,
  type ErrorCode,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  type Operation,
  PENDING_STATES,
  REGIONS,
  REQUEST_ID_HEADER,
  ROUTES,
  type Route,
  type RouteName,
  RULES_PAGE,
  SESSION_LIFETIME_SECONDS,
  STATUSES,
  type Verification,
} from '@service/contract';
import {
  bindingRecordOf,
  type ChainReader,
  circuitRecordOf,
  credentialRecordOf,
  formatChallenge,
  memoText,
  operationMessage,
  PlanError,
  passRecordOf,
  planInstruction,
  programAccountKind,
  programAddresses,
  readAccount,
  splitWireTransaction,
  verifierRecordOf,
  wireTransaction,
} from '@service/protocol';
import {
  type Address,
  createSolanaRpcFromTransport,
  getBase16Decoder,
  getBase58Decoder,
  getBase64Decoder,
  getBase64Encoder,
  type RpcTransport,
  unwrapOption,
} from '@solana/kit';
import * as z from 'zod/mini';
import { ruleSetRecordOf } from '../chain/records.ts';
import { sameBytes } from '../client/compare-messages.ts';
import { readRequest } from '../client/requests.ts';
import type { Deployment } from '../deployment.ts';
import { verifySignature } from '../wallet/signer.ts';
import { digestOf, TEST_CIRCUIT, testWallet } from './fixtures.ts';
import { MemoryChain, rentOf } from './memory-chain.ts';
import { MemoryProgram, TEST_PASS_FEE } from './memory-program.ts';

class Refusal extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string = ERROR_CODES[code].meaning) {
    super(message);
    this.code = code;
  }
}

interface Kept {
  operation: Operation;
  readonly intent: Parameters<MemoryProgram['apply']>[0];
  readonly message: Uint8Array;
  /** The wallet, the idempotency key and what it stands for. */
  readonly key: string;
  readonly body: string;
  error: unknown;
}

interface Call {
  readonly body: never;
  readonly query: Record<string, string>;
  readonly id: string;
  readonly wallet: Address | null;
  readonly key: string;
  readonly headers: Headers;
}

type Answer = object | { readonly answer: object; readonly cookie: string };

/** A service in memory. */
export class MemoryService {
  readonly chain: MemoryChain;
  readonly program: MemoryProgram;
  readonly #deployment: Deployment;
  readonly #origin: string;
  readonly #now: () => bigint;
  readonly #challenges = new Map<string, { wallet: Address; message: string; expiresAt: bigint }>();
  readonly #verifications = new Map<Address, Verification>();
  readonly #sessions = new Map<string, { wallet: Address; expiresAt: bigint }>();
  readonly #operations = new Map<string, Kept>();
  readonly #reader: ChainReader;
  #count = 0;

  /** @param now Unix seconds */
  constructor(deployment: Deployment, origin: string, now: () => bigint) {
    this.#deployment = deployment;
    this.#origin = origin;
    this.#now = now;
    this.chain = new MemoryChain(deployment.genesisHash, now);
    this.program = new MemoryProgram(this.chain, deployment.program);
    const transport = (async ({ payload }: Parameters<RpcTransport>[0]) =>
      this.chain.answer(payload as never)) as RpcTransport;
    const rpc = createSolanaRpcFromTransport(transport) as never;
    this.#reader = { rpc, program: deployment.program, commitment: 'finalized' };
  }

  /** Answers a request to the service. */
  async handle(request: Request): Promise<Response> {
    const requestId = await this.#uuid();
    const headers = { [REQUEST_ID_HEADER]: requestId, 'cache-control': 'no-store' };
    try {
      const { answer, cookie, route } = await this.#route(request);
      const response = Response.json(z.encode(route.response, answer as never), { headers });
      if (cookie) response.headers.append('set-cookie', cookie);
      return response;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message } = error;
      return Response.json(
        { error: { code, message, requestId } },
        { status: ERROR_CODES[code].status, headers },
      );
    }
  }

  async #route(request: Request): Promise<{ route: Route; answer: object; cookie?: string }> {
    const url = new URL(request.url);
    const name = (Object.keys(ROUTES) as RouteName[]).find((each) => {
      const { method, path } = ROUTES[each];
      return request.method === method && new RegExp(`^${path.replace('{id}', '[^/]+')}$`).test(url.pathname);
    });
    const answers = name && this.#answers[name];
    if (!name || !answers) throw new Refusal('NOT_FOUND', 'There is no such endpoint.');
    const route: Route = ROUTES[name];
    if (route.method === 'POST' && request.headers.get('origin') !== this.#origin)
      throw new Refusal('ORIGIN_MISMATCH');
    const json = route.method === 'POST' ? await jsonOf(request) : undefined;
    const wallet = this.#session(request.headers);
    if (route.access === 'session' && !wallet) throw new Refusal('AUTHENTICATION_REQUIRED');
    const key = request.headers.get(IDEMPOTENCY_KEY_HEADER) ?? '';
    if (route.preparing && !IDEMPOTENCY_KEY_PATTERN.test(key)) throw new Refusal('IDEMPOTENCY_KEY_REQUIRED');
    const result: Answer = await answers({
      body: (route.request ? decoded(route.request, json) : undefined) as never,
      query: (route.query ? decoded(route.query, Object.fromEntries(url.searchParams)) : {}) as never,
      id: url.pathname.split('/').at(-1)!,
      wallet,
      key,
      headers: request.headers,
    });
    return 'cookie' in result
      ? { route, answer: (result as { answer: object }).answer, cookie: String(result.cookie) }
      : { route, answer: result };
  }

  readonly #answers: Partial<Record<RouteName, (call: Call) => Promise<Answer> | Answer>> = {
    live: () => ({ status: 'ok' }),
    ready: () => ({ status: 'ok' }),
    config: () => ({
      program: this.#deployment.program,
      rpcUrl: this.#deployment.rpcUrl,
      genesisHash: this.#deployment.genesisHash,
      artifacts: {
        digest: this.#deployment.artifactsDigest,
        baseUrl: `${this.#origin}/artifacts`,
        manifest: MANIFEST,
      },
      regions: [...REGIONS],
      statuses: [...STATUSES],
    }),
    network: () => this.#network(),
    rules: async ({ query }) => {
      const limit = Math.min(Number(query.limit ?? RULES_PAGE.default), RULES_PAGE.max);
      const from = Number(query.cursor ?? 0);
      const all = await this.#ruleSets();
      const next = from + limit;
      return {
        ruleSets: all.slice(from, next),
        index: this.#index(),
        nextCursor: next < all.length ? String(next) : null,
      };
    },
    challenge: async ({ body }) => {
      const { wallet } = body as { wallet: Address };
      const { program, genesisHash } = this.#deployment;
      const challengeId = await this.#uuid();
      const issuedAt = this.#now();
      const expiresAt = issuedAt + BigInt(CHALLENGE_LIFETIME_SECONDS);
      const nonce = (await this.#token('nonce')).slice(0, 32);
      const message = formatChallenge({
        origin: this.#origin,
        wallet,
        program,
        genesisHash,
        nonce,
        challengeId,
        issuedAt,
        expiresAt,
      });
      this.#challenges.set(challengeId, { wallet, message, expiresAt });
      return { challengeId, message, expiresAt };
    },
    verify: async ({ body }) => {
      const { challengeId, wallet, signature } = body as Record<'challengeId' | 'signature', string> & {
        wallet: Address;
      };
      const challenge = this.#challenges.get(challengeId);
      this.#challenges.delete(challengeId);
      const bytes = new Uint8Array(getBase64Encoder().encode(signature));
      const holds =
        challenge?.wallet === wallet &&
        challenge.expiresAt > this.#now() &&
        verifySignature(wallet, new TextEncoder().encode(challenge.message), bytes);
      if (!holds) throw new Refusal('AUTHENTICATION_REQUIRED');
      const token = await this.#token('session');
      const expiresAt = this.#now() + BigInt(SESSION_LIFETIME_SECONDS);
      this.#sessions.set(token, { wallet, expiresAt });
      return { answer: { wallet, expiresAt }, cookie: this.#cookie(token, SESSION_LIFETIME_SECONDS) };
    },
    session: ({ wallet }) => ({ wallet }),
    logout: ({ headers }) => {
      const token = tokenOf(headers);
      if (token) this.#sessions.delete(token);
      return { answer: { wallet: null }, cookie: this.#cookie('', 0) };
    },
    passport: async ({ wallet }) => this.#passport(wallet!),
    verificationSessions: async ({ wallet, body }) => {
      const { returnUrl } = body as { returnUrl: string };
      if (new URL(returnUrl).origin !== this.#origin) throw new Refusal('INVALID_REQUEST');
      const sessionId = await this.#uuid();
      // As if the person had been to the verifier and back.
      await this.program.accredit(wallet!);
      const url = `${this.#deployment.verifierOrigins[0]}/verify/${sessionId}`;
      const expiresAt = this.#now() + 3_600n;
      this.#verifications.set(wallet!, { sessionId, state: 'ISSUED', expiresAt });
      return { sessionId, url, expiresAt };
    },
    proofContext: async ({ wallet, body }) => this.#proofContext(wallet!, (body as { rule: Address }).rule),
    createRuleSet: (call) => this.#prepare('CREATE_RULE_SET', call),
    bindMint: (call) => this.#prepare('BIND_MINT', call),
    prove: (call) => this.#prepare('PROVE', call),
    issue: (call) => this.#prepare('ISSUE', call),
    transfer: (call) => this.#prepare('TRANSFER', call),
    submit: async ({ wallet, body }) => {
      const { operationId, transaction } = body as { operationId: string; transaction: string };
      const kept = this.#find(operationId, wallet!);
      const wire = new Uint8Array(getBase64Encoder().encode(transaction));
      const split = splitWireTransaction(wire);
      if (
        !split ||
        !sameBytes(split.message, kept.message) ||
        !verifySignature(wallet!, split.message, split.signature)
      ) {
        throw new Refusal('TRANSACTION_MISMATCH');
      }
      this.#expire(kept);
      if (kept.operation.state === 'EXPIRED') throw new Refusal('DRAFT_EXPIRED');
      if (kept.operation.state !== 'DRAFT') return kept.operation;
      this.#assertNothingPending(wallet!);
      const { transaction: _, ...common } = kept.operation;
      const signature = getBase58Decoder().decode(split.signature);
      kept.operation = { ...common, state: 'QUEUED', signature };
      kept.error = await this.program.apply(kept.intent);
      this.chain.land(wire, { wallet: wallet!, memo: memoText(operationId), error: kept.error });
      return kept.operation;
    },
    operation: ({ wallet, id }) => {
      const kept = this.#find(id, wallet!);
      this.#expire(kept);
      const told = kept.operation;
      if (told.state === 'QUEUED') kept.operation = { ...told, state: 'SUBMITTED' };
      else if (told.state === 'SUBMITTED') kept.operation = this.#final(told, kept.error);
      return told;
    },
  };

  #final(told: Extract<Operation, { state: 'SUBMITTED' }>, error: unknown): Operation {
    const { slot } = this.chain.outcomeOf(told.signature)!;
    if (!error) return { ...told, state: 'FINALIZED', slot, indexed: true };
    const failure = { reason: 'ON_CHAIN_ERROR', instruction: 1, message: 'The chain refused it.' } as const;
    return { ...told, state: 'FAILED', slot, failure };
  }

  async #prepare(kind: keyof typeof readRequest, { body, wallet, key }: Call): Promise<Operation> {
    const text = JSON.stringify([kind, body], (_key, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    const replay = [...this.#operations.values()].find((each) => each.key === `${wallet} ${key}`);
    if (replay) {
      if (replay.body !== text) throw new Refusal('IDEMPOTENCY_CONFLICT');
      this.#expire(replay);
      return replay.operation;
    }
    this.#assertNothingPending(wallet!);
    const proof = kind === 'PROVE' && (body as { proof: string }).proof;
    const asked = proof
      ? { ...(body as object), proof: new Uint8Array(getBase64Encoder().encode(proof)) }
      : body;
    const intent = (readRequest[kind] as (asked: never) => { intentOf(wallet: Address): Kept['intent'] })(
      asked as never,
    ).intentOf(wallet!);
    const operationId = await this.#uuid();
    const message = operationMessage({
      wallet: wallet!,
      operationId,
      blockhash: this.chain.blockhash,
      instruction: await this.#plan(intent),
    });
    const createdAt = this.#now();
    const operation: Operation = {
      operationId,
      kind,
      wallet: wallet!,
      createdAt,
      expiresAt: createdAt + BigInt(DRAFT_LIFETIME_SECONDS),
      ...(intent.kind === 'CREATE_RULE_SET'
        ? { rule: await programAddresses(this.#deployment.program).ruleSet(wallet!, intent.nonce) }
        : {}),
      state: 'DRAFT',
      transaction: getBase64Decoder().decode(wireTransaction(message)),
    };
    this.#operations.set(operationId, {
      operation,
      intent,
      message,
      key: `${wallet} ${key}`,
      body: text,
      error: null,
    });
    return operation;
  }

  async #plan(intent: Kept['intent']) {
    if ('rule' in intent && !(await readAccount(this.#reader, 'ruleSet', intent.rule))) {
      throw new Refusal('NOT_FOUND', 'There is no rule set at this address.');
    }
    try {
      return await planInstruction(this.#reader, intent, { circuitId: TEST_CIRCUIT });
    } catch (error) {
      if (error instanceof PlanError) throw new Refusal(error.code, error.message);
      throw error;
    }
  }

  #expire(kept: Kept): void {
    const { operation } = kept;
    if (operation.state !== 'DRAFT' || operation.expiresAt > this.#now()) return;
    const { transaction: _, ...common } = operation;
    kept.operation = { ...common, state: 'EXPIRED' };
  }

  #find(id: string, wallet: Address): Kept {
    const kept = this.#operations.get(id);
    if (kept?.operation.wallet !== wallet) throw new Refusal('NOT_FOUND');
    return kept;
  }

  #assertNothingPending(wallet: Address): void {
    for (const { operation } of this.#operations.values()) {
      if (operation.wallet === wallet && (PENDING_STATES as readonly string[]).includes(operation.state)) {
        throw new Refusal('SIGNED_OPERATION_PENDING');
      }
    }
  }

  async #ruleSets() {
    const found = await this.#all('ruleSet');
    return found.map((each) => ruleSetRecordOf(each, rentOf(each.space)));
  }

  async #all<K extends 'ruleSet' | 'pass' | 'mintBinding'>(kind: K) {
    const addresses = [...this.chain.accounts].flatMap(([address, { data, owner }]) =>
      owner === this.#deployment.program && programAccountKind(data) === kind ? [address as Address] : [],
    );
    const found = await Promise.all(
      addresses.sort().map((address) => readAccount(this.#reader, kind, address)),
    );
    return found.flatMap((each) => (each ? [each] : []));
  }

  async #passport(wallet: Address) {
    const at = programAddresses(this.#deployment.program);
    const [credential, ruleSets, allPasses, allBindings] = await Promise.all([
      readAccount(this.#reader, 'credential', await at.credential(wallet)),
      this.#ruleSets(),
      this.#all('pass'),
      this.#all('mintBinding'),
    ]);
    const passes = allPasses.map(passRecordOf);
    const bindings = allBindings.map(bindingRecordOf);
    const own = new Set([
      ...ruleSets.flatMap(({ address, creator }) => (creator === wallet ? [address] : [])),
      ...passes.flatMap(({ wallet: holder, rule }) => (holder === wallet ? [rule] : [])),
      ...bindings.flatMap(({ issuer, rule }) => (issuer === wallet ? [rule] : [])),
    ]);
    const isLive = (rule: Address) => (pass: (typeof passes)[number]) =>
      pass.rule === rule && pass.expiresAt > this.chain.time;
    return {
      wallet,
      credential: credential && credentialRecordOf(credential),
      verification: this.#verifications.get(wallet),
      passes: passes.filter((pass) => pass.wallet === wallet),
      ruleSets: ruleSets
        .filter(({ address }) => own.has(address))
        .map((record) => ({ ...record, livePasses: BigInt(passes.filter(isLive(record.address)).length) })),
      bindings: bindings.filter(({ rule }) => own.has(rule)),
      index: this.#index(),
    };
  }

  async #governance() {
    const at = programAddresses(this.#deployment.program);
    const verifier = await at.verifier((await testWallet('verifier')).address);
    const [config, verifierAccount, circuit] = await Promise.all([
      readAccount(this.#reader, 'config', await at.config()),
      readAccount(this.#reader, 'verifier', verifier),
      readAccount(this.#reader, 'circuit', await at.circuit(TEST_CIRCUIT)),
    ]);
    return {
      config: config!,
      verifier: verifierRecordOf(verifierAccount!),
      circuit: circuitRecordOf(circuit!),
    };
  }

  async #network() {
    const { config, verifier, circuit } = await this.#governance();
    const { authority, paused, passFee } = config.data;
    return {
      governance: { address: config.address, authority, paused },
      verifiers: [verifier],
      circuit,
      upgradeAuthority: null,
      passFee: unwrapOption(passFee),
      passFeesHeld: 0n,
      chainTime: this.chain.time,
    };
  }

  async #proofContext(wallet: Address, rule: Address) {
    const at = programAddresses(this.#deployment.program);
    const ruleSet = await readAccount(this.#reader, 'ruleSet', rule);
    if (!ruleSet) throw new Refusal('NOT_FOUND', 'There is no rule set at this address.');
    const credential = await readAccount(this.#reader, 'credential', await at.credential(wallet));
    if (!credential) throw new Refusal('CREDENTIAL_REQUIRED');
    const { verifier, circuit } = await this.#governance();
    return {
      credential: credentialRecordOf(credential),
      ruleSet: ruleSetRecordOf(ruleSet, rentOf(ruleSet.space)),
      verifier,
      circuit,
      passFee: TEST_PASS_FEE,
      chainTime: this.chain.time,
    };
  }

  #index() {
    return { slot: this.chain.slot, time: this.chain.time };
  }

  #session(headers: Headers): Address | null {
    const session = this.#sessions.get(tokenOf(headers) ?? '');
    return session && session.expiresAt > this.#now() ? session.wallet : null;
  }

  #cookie(token: string, seconds: number): string {
    const prefix = this.#origin.startsWith('https:') ? '__Host-' : '';
    const secure = prefix ? '; Secure' : '';
    return `${prefix}session=${token}; Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }

  /** The next token of a kind; the same in every run. */
  async #token(kind: string): Promise<string> {
    this.#count += 1;
    return getBase16Decoder().decode(await digestOf(`${kind} ${this.#count}`));
  }

  async #uuid(): Promise<string> {
    const hex = await this.#token('id');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}

const file = (name: string) => ({ name, size: 1, sha256: '0'.repeat(64) });
const MANIFEST = {
  circuit: TEST_CIRCUIT,
  protocol: 'groth16',
  curve: 'bn128',
  publicSignals: ['contextHash'],
  compiler: { name: 'circom', version: '2.2.3' },
  constraints: 1,
  setup: { kind: 'development' },
  files: {
    wasm: file('test.wasm'),
    zkey: file('test.zkey'),
    vkey: file('test.vkey.json'),
    key: file('test.key.bin'),
  },
} as const;

function tokenOf(headers: Headers): string | undefined {
  return /(?:^|;\s*)(?:__Host-)?session=([0-9a-f]+)/.exec(headers.get('cookie') ?? '')?.[1];
}

async function jsonOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text === '') return {};
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new Refusal('INVALID_REQUEST');
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_REQUEST', 'The body is not JSON in UTF-8.');
  }
}

function decoded(schema: z.ZodMiniType, value: unknown): unknown {
  const result = z.safeDecode(schema, value as never);
  if (result.success) return result.data;
  throw new Refusal(
    'INVALID_REQUEST',
    result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
  );
}
