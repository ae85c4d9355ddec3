import type { ArtifactSource, Deployment } from '@service/sdk';
import type { Address } from '@solana/kit';
import type { HttpHandler } from 'msw';
import { hostileFetch } from '../tampering/hostile-fetch.ts';
import type { HostileMode } from '../tampering/hostile-mode.ts';
import { serveArtifacts, TEST_MANIFEST } from './artifacts.ts';
import { testDeployment } from './fixtures.ts';
import { MemoryService } from './service.ts';

/** Options of {@link serviceHandlers}. Not in SPEC.md: for tests. */
export interface ServiceHandlersOptions {
  /** @default https://service.test */
  readonly baseUrl?: string;
  /** Wallets that hold their test credential from the start. */
  readonly credentials?: readonly Address[];
  /** Mints with the wallets that issue them; bind them with `client.bindMint`. */
  readonly mints?: readonly {
    /** Base58 address of the mint. */
    readonly mint: Address;
    /** Base58 address of its mint authority. */
    readonly issuer: Address;
  }[];
  /** Token accounts; amounts in base units. */
  readonly tokenAccounts?: readonly {
    /** Base58 address of the token account; `tokenAccountOf({ mint, owner })` gives the usual one. */
    readonly address: Address;
    /** Base58 address of its mint. */
    readonly mint: Address;
    /** Base58 address of the wallet that owns it. */
    readonly owner: Address;
    /** Base units. */
    readonly amount: bigint;
    /** False for an account whose owner could change: no bound mint's tokens can reach it. @default true */
    readonly immutableOwner?: boolean | undefined;
  }[];
  /**
   * Real proof artifacts, such as `artifactsFrom({ digest, url })` of the service that you test for: with them
   * `client.prove(wallet, { rule, witness })` makes a real proof. @default none, and proofs are any 256 bytes
   */
  readonly artifacts?: ArtifactSource | undefined;
  /** Unix seconds. @default the machine's clock */
  readonly now?: () => bigint;
}

/** A service in memory, and the cluster that it is seen through. Not in SPEC.md: for tests. */
export interface ServiceHandlers {
  /** For msw's `setupServer` or `setupWorker`. */
  readonly handlers: readonly HttpHandler[];
  /** The same without msw: a `fetch` that answers for service and RPC. */
  readonly fetch: typeof globalThis.fetch;
  /** Handlers that answer with a fetch of yours in front of this one, such as `hostileFetch(mode, service.fetch)`. */
  handlersOf(fetch: typeof globalThis.fetch): readonly HttpHandler[];
  /** What the client pins. */
  readonly deployment: Deployment;
  /** The amount of a token account, in base units. */
  amountOf(tokenAccount: Address): bigint;
}

/**
 * A well-behaved service in memory, with the RPC that the client reads: a whole write goes through it without server
 * and chain. Ids, tokens and slots are the same in every run. Not in SPEC.md: for tests.
 *
 * It is no chain: whoever starts a verification has the credential of `testCredential` at once; proofs are taken
 * unverified. Issuing and transfers ask for live passes, enough tokens, the source's owner and a destination whose owner
 * cannot change, and fail with the errors of the chain; every account of the program holds 1 SOL, so pass funds never
 * end; nothing is paused, frozen, revoked or retired; there are no rate limits and no webhook. The RPC answers reads; `sendTransaction` is refused as a failed preflight, so the writes of
 * `@service/sdk/chain` end with TRANSACTION_FAILED: give `mints` and `tokenAccounts`, or test against a development
 * stack with `verifiedPerson`.
 *
 * @throws ServiceError of `artifacts.load`; Error when msw is not installed
 * @example
 * const service = await serviceHandlers();
 * const server = setupServer(...service.handlers);
 * server.listen();
 * const client = new ServiceClient({ deployment: service.deployment });
 */
export async function serviceHandlers(options: ServiceHandlersOptions = {}): Promise<ServiceHandlers> {
  const artifacts = await options.artifacts?.load();
  const pinned = await testDeployment(options.baseUrl);
  const deployment = artifacts ? { ...pinned, artifactsDigest: artifacts.digest } : pinned;
  const origin = deployment.baseUrl!;
  const now = options.now ?? (() => BigInt(Math.floor(Date.now() / 1000)));
  const service = new MemoryService({
    deployment,
    origin,
    now,
    manifest: artifacts?.manifest ?? TEST_MANIFEST,
  });
  const { chain, program } = service.state;
  await program.setUp(deployment, artifacts?.key ?? new Uint8Array(576));
  for (const wallet of options.credentials ?? []) await program.accredit(wallet);
  for (const { mint, issuer } of options.mints ?? []) program.tokens.putMint(mint, issuer);
  for (const { address, ...account } of options.tokenAccounts ?? [])
    program.tokens.putTokenAccount(address, account);

  const answer = async (request: Request): Promise<Response> => {
    const served = artifacts && serveArtifacts(artifacts, request);
    if (served) return served;
    if (request.url !== deployment.rpcUrl) return service.handle(request);
    const payload = (await request.json()) as never;
    return Response.json(chain.answer(payload));
  };
  // Loaded here, so that what else this module exports works where msw is not installed.
  const { http, passthrough } = await import('msw');
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
 * The handlers of a service that lies in one way, before a service in memory. Not in SPEC.md: for tests.
 *
 * @throws RangeError when there is no such mode
 * @example
 * server.use(...hostileHandlers('prepare-other-amount', service));
 */
export function hostileHandlers(
  mode: HostileMode | string,
  service: ServiceHandlers,
): readonly HttpHandler[] {
  const lying = hostileFetch(mode, service.fetch);
  return service.handlersOf(async (input, init) => {
    const request = new Request(input, init);
    return request.url === service.deployment.rpcUrl ? service.fetch(request) : lying(request);
  });
}
