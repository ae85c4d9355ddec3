/** Calls the service's endpoints. Contract's schemas encode and decode. Retries only where nothing can be done twice. */
import type { CLIENT_ROUTES, ClientRouteName, ErrorCode, Route } from '@service/contract';
import { ERROR_CODES, isErrorCode } from '@service/contract/errors';
import { describeIssue } from '@service/contract/issues';
import { IDEMPOTENCY_KEY_HEADER } from '@service/contract/limits';
import ky, { type AfterResponseHook, type BeforeRetryHook, type Hooks } from 'ky';
import * as z from 'zod/mini';
import { isServiceError, ServiceError } from '../errors.ts';
import { checkOptions } from '../lib/check-arguments.ts';
import { type Clock, machineClock, withDeadline } from '../lib/clock.ts';
import { loadChunk } from '../lib/load-chunk.ts';
import { retryAfterMs } from '../lib/retry-after.ts';
import { isFromOutside, unexpectedError } from '../lib/unexpected-error.ts';
import type { Fetch } from './call-fetch.ts';
import { readJson } from './read-body.ts';
import { sessionFetch } from './session-fetch.ts';

/** How often and for how long a call is retried (SPEC.md section 7). */
export interface RetryOptions {
  /** Retries after the first attempt. @default 3 */
  readonly limit?: number;
  /** Milliseconds for a call including its retries. @default 30000 */
  readonly timeoutMs?: number;
}

type Field<N extends ClientRouteName, K extends string> =
  (typeof CLIENT_ROUTES)[N] extends Record<K, infer S extends z.ZodMiniType>
    ? { readonly [_ in K extends 'request' ? 'body' : K]: z.output<S> }
    : unknown;

/** The parameters of a call of an endpoint. */
export type CallOf<N extends ClientRouteName> = Field<N, 'request'> &
  Field<N, 'query'> & {
    /** Id in the path. */
    readonly id?: string;
    /** Made once per call, kept over its retries. */
    readonly idempotencyKey?: string;
    readonly signal?: AbortSignal | undefined;
  };
/** The response of an endpoint. */
export type AnswerOf<N extends ClientRouteName> = z.output<(typeof CLIENT_ROUTES)[N]['response']>;

/** The endpoints of the service. Every answer has its documented shape. */
export interface Api {
  /**
   * Calls an endpoint.
   *
   * @throws ServiceError with the service's code; INVALID_REQUEST before anything is sent if the body does not
   *   have the documented shape; NETWORK_ERROR, TIMEOUT, ABORTED, UNEXPECTED_RESPONSE.
   */
  call<N extends ClientRouteName>(name: N, call: CallOf<N>): Promise<AnswerOf<N>>;
}

/** Options of a transport. */
export interface TransportOptions {
  /** Limits each call in time, and waits before a retry. @default the machine's clock */
  readonly clock?: Clock;
  /** Origin of the site, without a path. */
  readonly baseUrl: string;
  readonly origin: string;
  /** The caller's own fetch. @default globalThis.fetch */
  readonly fetch?: Fetch | undefined;
  readonly retry?: RetryOptions | undefined;
}

/** A call of any endpoint. */
type AnyCall = CallOf<'session'> & { readonly body?: unknown; readonly query?: unknown };

type RoutesChunk = typeof import('./routes-chunk.ts');

/**
 * Loads the endpoints with their schemas. Building all schemas takes 10 ms. A separate chunk keeps that time out of the task
 * that loads the client.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT, ABORTED
 */
function loadRoutes(signal?: AbortSignal, timeoutMs?: number): Promise<RoutesChunk> {
  return loadChunk(() => import('./routes-chunk.ts'), signal, timeoutMs);
}

/** Creates a transport to one site with one session. */
export function createApi(options: TransportOptions): Api {
  const fetch = sessionFetch({ fetch: options.fetch, baseUrl: options.baseUrl, origin: options.origin });
  const { clock = machineClock } = options;
  const { limit = 3, timeoutMs = 30_000 } = options.retry ?? {};
  let loaded: RoutesChunk | undefined;
  // Starts to load now, so that the first call does not wait. If loading fails, a call throws.
  loadRoutes().catch(() => undefined);

  async function exchange(
    name: ClientRouteName,
    { body, query, id, idempotencyKey, signal }: AnyCall,
  ): Promise<unknown> {
    const started = clock.elapsed();
    loaded ??= await loadRoutes(signal, timeoutMs);
    const { CLIENT_ROUTES, errorBody } = loaded;
    const route: Route = CLIENT_ROUTES[name];
    const what = `${route.method} ${route.path}`;
    try {
      const url = new URL(route.path.replace('{id}', encodeURIComponent(id ?? '')), options.baseUrl);
      for (const [key, value] of Object.entries(query ?? {})) {
        if (value !== undefined) url.searchParams.set(key, String(value));
      }
      const json = route.request ? encodeBody(route, body ?? {}) : route.method === 'POST' ? {} : undefined;
      const leftMs = Math.round(timeoutMs - (clock.elapsed() - started));
      const answer = await withDeadline({ clock, signal, timeoutMs: leftMs, what }, async (deadline) => {
        const response = await ky(url, {
          method: route.method,
          ...(json === undefined ? {} : { json }),
          headers: {
            accept: 'application/json',
            ...(idempotencyKey ? { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey } : {}),
          },
          fetch,
          signal: deadline,
          // A redirect would send the body to another origin.
          redirect: 'manual',
          throwHttpErrors: false,
          timeout: false,
          // Network failures: only GET. RATE_LIMITED and INDEX_STALE: see the hooks, which wait by the client's clock.
          retry: {
            limit,
            methods: ['get'],
            delay: () => 0,
            shouldRetry: ({ error }) => isFromOutside(error),
          },
          hooks: retryHooks({ clock, limit, errorBody, signal: deadline }),
        });
        const { status, type, ok } = response;
        return { status, type, ok, json: await readJson(response) };
      });
      if (answer.type === 'opaqueredirect' || (answer.status >= 300 && answer.status < 400)) {
        throw unexpected(what, 'responds with a redirect, which is not followed', answer.status);
      }
      return answer.ok ? decodeAnswer(route, what, answer) : raise(what, answer, loaded);
    } catch (error) {
      if (isServiceError(error)) throw error;
      if (!isFromOutside(error)) throw unexpectedError(what, error);
      const yours = options.fetch ? ', and the fetch that you passed' : '';
      throw new ServiceError('NETWORK_ERROR', {
        message: `${what} did not reach ${options.baseUrl}. Check the connection, and that the service is running${yours}.`,
        cause: error,
      });
    }
  }

  return {
    async call(name, call) {
      checkOptions(call);
      return (await exchange(name, call as AnyCall)) as never;
    },
  };
}

const MOST_WAIT_MS = 20_000;

/** How one call is retried. */
interface Retrying {
  readonly clock: Clock;
  readonly limit: number;
  readonly errorBody: RoutesChunk['errorBody'];
  /** Fires when the call ends. */
  readonly signal: AbortSignal;
}

/** Returns the hooks that retry if the service asks for it and has not acted, and a GET also after a gateway error. */
function retryHooks({ clock, limit, errorBody, signal }: Retrying): Hooks {
  /** Milliseconds that the service asks to wait. */
  let askedMs: number | undefined;
  const afterResponse: AfterResponseHook = async (request, _options, response, { retryCount }) => {
    if (retryCount >= limit) return;
    if (request.method === 'GET' && [502, 504].includes(response.status)) return ky.retry();
    if (response.status !== 429 && response.status !== 503) return;
    const header = response.headers.get('retry-after');
    // A proxy has limited the read, and says for how long.
    const isLimitedRead = request.method === 'GET' && response.status === 429 && header !== null;
    const body = errorBody.safeParse(await readJson(response, 64 * 1024));
    const isDocumented = body.success && ['RATE_LIMITED', 'INDEX_STALE'].includes(body.data.error.code);
    if (!isDocumented && !isLimitedRead) return;
    const wantedMs = header === null ? 1_000 : (retryAfterMs(header, clock) ?? 50);
    if (wantedMs > MOST_WAIT_MS) return;
    askedMs = wantedMs;
    return ky.retry();
  };
  const beforeRetry: BeforeRetryHook = async ({ retryCount }) => {
    const waitMs = askedMs ?? 300 * 2 ** (retryCount - 1);
    askedMs = undefined;
    await clock.pause(waitMs, signal);
  };
  return { afterResponse: [afterResponse], beforeRetry: [beforeRetry] };
}

function encodeBody(route: Route, body: unknown): unknown {
  const encoded = z.safeEncode(route.request as z.ZodMiniType, body);
  if (encoded.success) return encoded.data;
  const issue = encoded.error.issues[0];
  const field = issue?.path.join('.') || undefined;
  throw new ServiceError('INVALID_REQUEST', {
    message: `${field ?? 'The request'} ${describeIssue(issue!)}. Nothing was sent to ${route.path}.`,
    context: { ...(field ? { field } : {}) },
  });
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

function decodeAnswer(route: Route, what: string, answer: Answer): unknown {
  const decoded = z.safeDecode(route.response, answer.json as never);
  if (decoded.success) return decoded.data;
  const field = decoded.error.issues[0]?.path.join('.') || undefined;
  const does = `answers without ${field ? `a valid ${field}` : 'the documented body'}`;
  throw unexpected(what, does, answer.status, field);
}

function raise(
  what: string,
  { status, json }: Answer,
  { errorBody, quoted }: Pick<RoutesChunk, 'errorBody' | 'quoted'>,
): never {
  const body = errorBody.safeParse(json);
  if (!body.success || !isErrorCode(body.data.error.code)) {
    throw gatewayError(what, status) ?? unexpected(what, 'fails without a documented error', status);
  }
  const { code, message, requestId } = body.data.error;
  throw new ServiceError(code, {
    message: `${ERROR_CODES[code].meaning}${REMEDIES[code] ?? ''}${inItsWords(quoted(message, MOST_WORDS), ERROR_CODES[code].meaning)} (${what})`,
    status,
    requestId: quoted(requestId),
  });
}

/** Returns the error for the response of a proxy in front of the service, or null if no proxy sends this status. */
function gatewayError(what: string, status: number): ServiceError | null {
  if (status !== 429 && status < 500) return null;
  const code = status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE';
  return new ServiceError(code, {
    message: `${what} returned ${status}, but not from the service. A proxy in front of the service may be overloaded. Try again.`,
    status,
  });
}

const SIGN_IN = ' Call client.authenticate(wallet, deployment.genesisHash).';
/** The next call, for codes with one remedy. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  AUTHENTICATION_REQUIRED: SIGN_IN,
  SESSION_EXPIRED: SIGN_IN,
  CREDENTIAL_REQUIRED: ' Call client.startVerification.',
  CREDENTIAL_EXPIRED: ' Call client.startVerification.',
  PASS_FEE_UNFUNDED: ' Add to them with fundRuleSet.',
  PASS_FEE_ABOVE_LIMIT: ' Its creator agrees to the fee with setMaxPassFee.',
  TOKEN_ACCOUNT_NOT_FOUND:
    " tokenAccountOf({ mint, owner }) returns a wallet's token account; createTokenAccount creates it.",
};

/** Characters of a message. One that lists all that a mint lacks is long. */
const MOST_WORDS = 600;

/** Returns the service's own message as a quotation, if it adds anything to the meaning of the code. */
function inItsWords(words: string, meaning: string): string {
  return words && words !== meaning ? ` The service says: "${words}"` : '';
}

/** Returns the error for an answer that is not in the contract. */
export function unexpected(what: string, does: string, status?: number, field?: string): ServiceError {
  return new ServiceError('UNEXPECTED_RESPONSE', {
    message: `${what} ${does}. Check that baseUrl is the service and that its version fits this SDK.`,
    context: { ...(field ? { field } : {}) },
    status,
  });
}
