/** A well-behaved service in memory: every route that the client calls, before a cluster in memory. */
import {
  ERROR_CODES,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  REQUEST_ID_HEADER,
  ROUTES,
  type Route,
  type RouteName,
} from '@service/contract';
import * as z from 'zod/mini';
import { type Answer, type Answers, decoded, jsonOf, Refusal } from './call.ts';
import { MemoryOperations } from './operations.ts';
import { MemoryReads } from './reads.ts';
import { MemorySignIn } from './sign-in.ts';
import { type MemoryOptions, MemoryState } from './state.ts';

/** A service in memory. */
export class MemoryService {
  readonly state: MemoryState;
  readonly #signIn: MemorySignIn;
  readonly #answers: Answers;

  constructor(options: MemoryOptions) {
    this.state = new MemoryState(options);
    this.#signIn = new MemorySignIn(this.state);
    this.#answers = {
      ...new MemoryReads(this.state).answers,
      ...this.#signIn.answers,
      ...new MemoryOperations(this.state).answers,
    };
  }

  /** Answers a request to the service. */
  async handle(request: Request): Promise<Response> {
    const requestId = await this.state.uuid();
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
    if (!name || !answers) throw new Refusal('NOT_FOUND', 'This endpoint does not exist.');
    const route: Route = ROUTES[name];
    if (route.method === 'POST' && request.headers.get('origin') !== this.state.origin)
      throw new Refusal('ORIGIN_MISMATCH');
    const json = route.method === 'POST' ? await jsonOf(request) : undefined;
    const wallet = this.#signIn.session(request.headers);
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
}
