import type { Address } from '@solana/kit';
import { type HttpHandler, http, passthrough } from 'msw';
import type { Deployment } from '../deployment.ts';
import { testDeployment } from './fixtures.ts';
import { hostileFetch } from './hostile-fetch.ts';
import type { HostileMode } from './hostile-mode.ts';
import { MemoryService } from './memory-service.ts';

/** Options of {@link serviceHandlers}. */
export interface ServiceHandlersOptions {
  /** @default https://service.test */
  readonly baseUrl?: string;
  /** Wallets that hold their test credential from the start. */
  readonly credentials?: readonly Address[];
  /** Mints with the wallets that issue them; bind them with `client.bindMint`. */
  readonly mints?: readonly { readonly mint: Address; readonly issuer: Address }[];
  /** Token accounts; amounts in base units. */
  readonly tokenAccounts?: readonly {
    readonly address: Address;
    readonly mint: Address;
    readonly owner: Address;
    readonly amount: bigint;
  }[];
  /** Unix seconds. @default the machine's clock */
  readonly now?: () => bigint;
}

/** A service in memory, and the cluster that it is seen through. */
export interface ServiceHandlers {
  /** For msw's `setupServer` or `setupWorker`. */
  readonly handlers: readonly HttpHandler[];
  /** The same without msw: a `fetch` that answers for service and RPC. */
  readonly fetch: typeof globalThis.fetch;
  /** What the client pins. */
  readonly deployment: Deployment;
  /** The amount of a token account, in base units. */
  amountOf(tokenAccount: Address): bigint;
}

/**
 * A well-behaved service in memory, with the RPC that the client reads: a whole write goes through it without server
 * and chain. Ids, tokens and slots are the same in every run. Proofs are taken without being verified, and whoever
 * starts a verification has the credential of `testCredential` at once.
 *
 * @example
 * const service = await serviceHandlers();
 * const server = setupServer(...service.handlers);
 * server.listen();
 * const client = new ServiceClient({ deployment: service.deployment });
 */
export async function serviceHandlers(options: ServiceHandlersOptions = {}): Promise<ServiceHandlers> {
  const deployment = await testDeployment(options.baseUrl);
  const origin = deployment.baseUrl!;
  const now = options.now ?? (() => BigInt(Math.floor(Date.now() / 1000)));
  const service = new MemoryService(deployment, origin, now);
  await service.program.setUp(deployment);
  for (const wallet of options.credentials ?? []) await service.program.accredit(wallet);
  for (const { mint, issuer } of options.mints ?? []) service.program.putMint(mint, issuer);
  for (const { address, ...account } of options.tokenAccounts ?? [])
    service.program.putTokenAccount(address, account);

  const answer = async (request: Request): Promise<Response> => {
    if (request.url !== deployment.rpcUrl) return service.handle(request);
    const payload = (await request.json()) as never;
    return Response.json(service.chain.answer(payload));
  };
  return {
    deployment,
    handlers: handlersOf(deployment, answer),
    fetch: (input, init) => answer(new Request(input, init)),
    amountOf: (tokenAccount) => service.program.amountOf(tokenAccount),
  };
}

/**
 * The handlers of a service that lies in one way, before a service in memory.
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
  return handlersOf(service.deployment, (request) =>
    request.url === service.deployment.rpcUrl ? service.fetch(request) : lying(request),
  );
}

function handlersOf(
  deployment: Deployment,
  answer: (request: Request) => Promise<Response>,
): readonly HttpHandler[] {
  return [
    http.all(`${deployment.baseUrl}/*`, async ({ request }) => {
      const { pathname } = new URL(request.url);
      const isOurs = pathname.startsWith('/api/') || request.url === deployment.rpcUrl;
      return isOurs ? answer(request) : passthrough();
    }),
  ];
}
