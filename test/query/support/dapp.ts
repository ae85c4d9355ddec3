/** A dApp on the service in memory: its clients, its people, and the requests that its page makes. */
import { ServiceClient, type ServiceClientOptions, tokenAccountOf } from '@service/sdk';
import { quickClock, testWallet } from '@service/testing';
import { type ServiceHandlersOptions, serviceHandlers } from '@service/testing/msw';
import { type Address, createSolanaRpcFromTransport, type KeyPairSigner } from '@solana/kit';
import type { Edits } from '../../support/node.ts';

export interface Dapp {
  readonly client: ServiceClient;
  /** Signed in by nobody; the test signs in. */
  readonly holder: KeyPairSigner;
  readonly other: KeyPairSigner;
  /** Paths of the API in the order of the requests. */
  readonly requested: string[];
  /** Answers instead of the service while it is set, unless it returns undefined. */
  instead: ((request: Request) => Promise<Response | undefined> | Response | undefined) | undefined;
  /** Changes what the node of each page returns, by RPC method. */
  edits: Edits;
  /** Answers as the service does. */
  answer(request: Request): Promise<Response>;
  /** A second page of the same browser, with the same cookie. By default, its pauses take no real time. */
  otherPage(options?: Pick<ServiceClientOptions, 'clock'>): ServiceClient;
  amountOf: Awaited<ReturnType<typeof serviceHandlers>>['amountOf'];
}

/** Returns what the holder and the other one have at first: a credential, and a token account of a mint with this amount. */
export async function holdings(
  mint: Address,
  amount: bigint,
): Promise<Required<Pick<ServiceHandlersOptions, 'credentials' | 'mints' | 'tokenAccounts'>>> {
  const credentials = await Promise.all(
    ['holder', 'other'].map(async (name) => (await testWallet(name)).address),
  );
  const accountOf = async (owner: Address) => ({
    address: await tokenAccountOf({ mint, owner }),
    mint,
    owner,
    amount,
  });
  return {
    credentials,
    mints: [{ mint, issuer: credentials[0]! }],
    tokenAccounts: await Promise.all(credentials.map(accountOf)),
  };
}

/** Creates a dApp whose pages share one session, as the tabs of a browser do. */
export async function dapp({
  pauses = 'quick',
  ...options
}: ServiceHandlersOptions & { readonly pauses?: 'quick' | 'real' } = {}): Promise<Dapp> {
  const service = await serviceHandlers(options);
  const { deployment } = service;
  let cookie = '';
  const requested: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    requested.push(new URL(request.url).pathname);
    return (await made.instead?.(request)) ?? answer(request);
  };
  const answer = async (request: Request) => {
    request.headers.set('cookie', cookie);
    const response = await service.fetch(request);
    for (const line of response.headers.getSetCookie()) cookie = line.split(';')[0]!;
    return response;
  };
  const rpc = createSolanaRpcFromTransport(async ({ payload }) => {
    const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
    const request = { method: 'POST', body: JSON.stringify(payload, plain) };
    const response = await (await service.fetch(deployment.rpcUrl, request)).json();
    const { method, params } = payload as { method: string; params: readonly unknown[] };
    const edit = made.edits[method];
    return (edit ? { ...response, result: edit(response.result as never, params) } : response) as never;
  });
  const shared = { deployment, fetch, rpc: rpc as never, retry: { limit: 0 } };
  const otherPage: Dapp['otherPage'] = ({ clock = quickClock() } = {}) =>
    new ServiceClient({ ...shared, clock });
  const made: Dapp = {
    client: pauses === 'quick' ? otherPage() : new ServiceClient(shared),
    holder: await testWallet('holder'),
    other: await testWallet('other'),
    requested,
    instead: undefined,
    edits: {},
    otherPage,
    answer,
    amountOf: service.amountOf,
  };
  return made;
}

export const rules = {
  name: 'French professionals',
  clauses: [{ regions: ['FR'], statuses: ['professional'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
} as const;
