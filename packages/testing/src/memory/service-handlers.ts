import { manifestRecord } from '@service/contract';
import type { ArtifactSource, Deployment } from '@service/sdk';
import type { MintTemplate } from '@service/sdk/chain';
import type { Address } from '@solana/kit';
import { type HttpHandler, http, passthrough } from 'msw';
import { hostileFetch } from '../tampering/hostile-fetch.ts';
import type { HostileMode } from '../tampering/hostile-mode.ts';
import { testDeployment } from './fixtures.ts';
import { serveArtifacts, TEST_MANIFEST } from './serve-artifacts.ts';
import { MemoryService } from './service.ts';

/** Options of {@link serviceHandlers}. */
export interface ServiceHandlersOptions {
  /** @default https://service.test */
  readonly baseUrl?: string;
  /** Wallets that have their test credential from the start, each of a person of its own if only its address is given. */
  readonly credentials?: readonly (
    | Address
    | {
        /** Base58 address of the wallet. */
        readonly wallet: Address;
        /** Base58 address of another wallet of the same person. */
        readonly personOf: Address;
      }
  )[];
  /** Mints and their issuers; bind them with `client.bindMint`. */
  readonly mints?: readonly {
    /** Base58 address of the mint. */
    readonly mint: Address;
    /** Base58 address of its mint authority. */
    readonly issuer: Address;
    /** With `security` or `fund`, the issuer can recover and redeem tokens. @default plain */
    readonly template?: MintTemplate | undefined;
  }[];
  /** Token accounts; amounts in base units. */
  readonly tokenAccounts?: readonly {
    /** Base58 address of the token account; `tokenAccountOf({ mint, owner })` returns the usual one. */
    readonly address: Address;
    /** Base58 address of its mint. */
    readonly mint: Address;
    /** Base58 address of the wallet that owns it. */
    readonly owner: Address;
    /** Base units. */
    readonly amount: bigint;
    /** False for an account whose owner can change. It cannot receive tokens of a bound mint. @default true */
    readonly immutableOwner?: boolean | undefined;
  }[];
  /**
   * Real proof artifacts, such as `artifactsFrom({ digest, url })` of your service. With them
   * `client.prove(wallet, { rule, witness })` makes a real proof. @default none; then a proof is any 256 bytes
   */
  readonly artifacts?: ArtifactSource | undefined;
  /** Returns the present time in Unix seconds. @default the machine's clock */
  readonly now?: () => bigint;
}

/** A service in memory, and the cluster that it reads. */
export interface ServiceHandlers {
  /** Handlers for msw's `setupServer` or `setupWorker`. */
  readonly handlers: readonly HttpHandler[];
  /** A `fetch` that responds for the service and the RPC. */
  readonly fetch: typeof globalThis.fetch;
  /** Returns handlers that respond with your own fetch, such as `hostileFetch(mode, service.fetch)`. */
  handlersOf(fetch: typeof globalThis.fetch): readonly HttpHandler[];
  /** The deployment that the client pins. */
  readonly deployment: Deployment;
  /** Returns the amount of a token account, in base units. */
  amountOf(tokenAccount: Address): bigint;
}

/**
 * Creates a well-behaved service in memory, with the RPC that the client reads. A whole write works without a server and
 * a chain. Ids, tokens and slots are the same in every run.
 *
 * It differs from a real service and chain:
 *
 * - A wallet that starts a verification has the credential of `testCredential` immediately. Proofs are not verified.
 * - Movements of tokens need live passes, enough tokens, the source's owner for a transfer, and a destination whose owner
 *   cannot change. They fail with the errors of the chain.
 * - Every account of the program has 1 SOL, so pass funds never run out.
 * - Nothing is paused, frozen, revoked or retired. There are no rate limits and no webhook.
 * - The RPC rejects `sendTransaction` as a failed preflight, so the writes of `@service/sdk/chain` throw
 *   TRANSACTION_FAILED. Use the options `mints` and `tokenAccounts`, or a development stack with `verifiedPerson`.
 *
 * @throws ServiceError of `artifacts.load`
 * @example
 * const service = await serviceHandlers();
 * const server = setupServer(...service.handlers);
 * server.listen();
 * const client = new ServiceClient({ deployment: service.deployment });
 */
export async function serviceHandlers(options: ServiceHandlersOptions = {}): Promise<ServiceHandlers> {
  const artifacts = await options.artifacts?.load();
  const pinned = await testDeployment(options.baseUrl);
  const deployment = artifacts
    ? { ...pinned, artifactsDigest: artifacts.digest, acceptedSetups: [artifacts.manifest.setup.kind] }
    : pinned;
  const origin = deployment.baseUrl!;
  const now = options.now ?? (() => BigInt(Math.floor(Date.now() / 1000)));
  const service = new MemoryService({
    deployment,
    origin,
    now,
    manifest: artifacts ? manifestRecord.parse(artifacts.manifest) : TEST_MANIFEST,
  });
  const { chain, program } = service.state;
  await program.setUp(deployment, artifacts?.key ?? new Uint8Array(576));
  for (const verified of options.credentials ?? []) {
    if (typeof verified === 'string') await program.accredit(verified);
    else await program.accredit(verified.wallet, verified.personOf);
  }
  for (const mint of options.mints ?? []) await program.tokens.putMint(mint);
  for (const { address, ...account } of options.tokenAccounts ?? [])
    program.tokens.putTokenAccount(address, account);

  const answer = async (request: Request): Promise<Response> => {
    const served = artifacts && serveArtifacts(artifacts, request);
    if (served) return served;
    if (request.url !== deployment.rpcUrl) return service.handle(request);
    const payload = (await request.json()) as never;
    return Response.json(chain.respond(payload));
  };
  const handlersOf = (fetch: typeof globalThis.fetch) => [
    http.all(`${origin}/*`, async ({ request }) => {
      const { pathname } = new URL(request.url);
      const isOurs = /^\/(api|artifacts)\//.test(pathname) || request.url === deployment.rpcUrl;
      return isOurs ? fetch(request) : passthrough();
    }),
  ];
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => answer(new Request(input, init));
  return {
    deployment,
    fetch,
    handlers: handlersOf(fetch),
    handlersOf,
    amountOf: (tokenAccount) => program.tokens.amountOf(tokenAccount),
  };
}

/**
 * Returns handlers of a service in memory that tampers in one way.
 *
 * @throws RangeError if the mode does not exist
 * @example
 * const service = await serviceHandlers();
 * server.use(...hostileHandlers('prepare-other-amount', service));
 */
export function hostileHandlers(
  mode: Pick<HostileMode, 'start'> | string,
  service: ServiceHandlers,
): readonly HttpHandler[] {
  const hostile = hostileFetch(mode, service.fetch);
  return service.handlersOf(async (input, init) => {
    const request = new Request(input, init);
    return request.url === service.deployment.rpcUrl ? service.fetch(request) : hostile(request);
  });
}
