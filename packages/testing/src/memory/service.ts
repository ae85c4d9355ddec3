/** A well-behaved service in memory: every route that the client calls, on a cluster in memory. */
import {
  ERROR_CODES,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  REQUEST_ID_HEADER,
  ROUTES,
  type Route,
} from '@service/contract';
import * as z from 'zod/mini';
import { routeOf } from '../routes.ts';
import { decode, type Handlers, Refusal, readJson } from './handlers.ts';
import { MemoryOperations } from './operations.ts';
import { MemoryReads } from './reads.ts';
import { MemorySignIn } from './sign-in.ts';
import { type MemoryOptions, MemoryState } from './state.ts';

/** A service in memory. */
export class MemoryService {
  readonly state: MemoryState;
  readonly #signIn: MemorySignIn;
  readonly #handlers: Handlers;

  constructor(options: MemoryOptions) {
    this.state = new MemoryState(options);
    this.#signIn = new MemorySignIn(this.state);
    this.#handlers = {
      ...new MemoryReads(this.state).handlers,
      ...this.#signIn.handlers,
      ...new MemoryOperations(this.state).handlers,
    };
  }

  /** Responds to a request. */
  async handle(request: Request): Promise<Response> {
    const requestId = await this.state.uuid();
    const headers = { [REQUEST_ID_HEADER]: requestId, 'cache-control': 'no-store' };
    try {
      return await this.#respond(request, headers);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message } = error;
      const body = { error: { code, message, requestId } };
      return Response.json(body, { status: ERROR_CODES[code].status, headers });
    }
  }

  async #respond(request: Request, responseHeaders: Record<string, string>): Promise<Response> {
    const { searchParams, pathname } = new URL(request.url);
    const name = routeOf(request);
    const handler = name && this.#handlers[name];
    if (!handler) throw new Refusal('NOT_FOUND', 'There is no such endpoint. Check the path.');
    const { headers } = request;
    const route: Route = ROUTES[name];
    const isPost = route.method === 'POST';
    if (isPost && headers.get('origin') !== this.state.origin) throw new Refusal('ORIGIN_MISMATCH');
    const json = isPost ? await readJson(request) : undefined;
    const wallet = this.#signIn.walletOf(headers);
    if (route.access === 'session' && !wallet) throw new Refusal('AUTHENTICATION_REQUIRED');
    const key = headers.get(IDEMPOTENCY_KEY_HEADER) ?? '';
    if (route.preparing && !IDEMPOTENCY_KEY_PATTERN.test(key)) throw new Refusal('IDEMPOTENCY_KEY_REQUIRED');
    const handled = await handler({
      body: (route.request ? decode(route.request, json) : undefined) as never,
      query: (route.query ? decode(route.query, Object.fromEntries(searchParams)) : {}) as never,
      id: pathname.split('/').at(-1)!,
      wallet,
      key,
      headers,
    });
    const { result, cookie } = 'cookie' in handled ? handled : { result: handled };
    const response = Response.json(z.encode(route.response, result as never), { headers: responseHeaders });
    if (cookie) response.headers.append('set-cookie', String(cookie));
    return response;
  }
}
