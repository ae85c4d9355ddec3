/** Requests as a real client sends them: to one server after the other, again after a failure, with the same key and body. */
import type { ErrorCode } from '@service/contract';
import type { Random } from '../random.ts';
import { pause } from '../wait.ts';

const ATTEMPT_MS = 5_000;
const RETRY_MS = { first: 100, most: 1_500 } as const;

/** The servers of a campaign, and how requests find one. */
export interface Service {
  /** The URLs of the servers. */
  readonly urls: readonly string[];
  readonly random: Random;
  /** Aborts when the load ends. */
  readonly signal: AbortSignal;
  /** Counts an unusual answer. */
  readonly note: (answer: string) => void;
}

/** A response. */
export interface Reply<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  readonly code: ErrorCode | undefined;
  readonly message: string | undefined;
}

/** A request. */
export interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** The load ended before a request had a response. */
export class LoadEnded extends Error {
  override readonly name = 'LoadEnded';
}

/** Ignores that a request had no response when the load ended. */
export function ignoreEnd(error: unknown): undefined {
  if (!(error instanceof LoadEnded)) throw error;
}

/** Sends a request once. Throws if there is no response with JSON. */
async function sendOnce<T>(url: string, { method, path, body, headers }: RequestOptions): Promise<Reply<T>> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
    signal: AbortSignal.timeout(ATTEMPT_MS),
  });
  const parsed = (await response.json()) as T & { error?: { code: ErrorCode; message: string } };
  const { code, message } = parsed.error ?? {};
  return { status: response.status, headers: response.headers, body: parsed, code, message };
}

/**
 * Sends a request to a random server, then to the next one and so on, until one gives a response that another attempt would
 * not change. Throws LoadEnded when the load ends.
 */
export async function sendUntilAnswered<T>(service: Service, request: RequestOptions): Promise<Reply<T>> {
  const { urls, random, signal, note } = service;
  let wait: number = RETRY_MS.first;
  for (let turn = random.between(0, urls.length - 1); ; turn += 1) {
    if (signal.aborted) throw new LoadEnded('The load has ended.');
    const reply = await sendOnce<T>(urls[turn % urls.length]!, request).catch(() => null);
    if (reply && !isWorthRetry(reply)) return reply;
    if (reply && !(reply.code && OUTAGES.includes(reply.code)))
      note(`${request.path.replace(UUID, '{id}')} ${reply.status} ${reply.code}`);
    await pause(wait * (0.5 + random.next()), signal);
    wait = Math.min(wait * 2, RETRY_MS.most);
  }
}

/** The codes of a service whose dependencies fail. */
const OUTAGES: readonly ErrorCode[] = ['UNAVAILABLE', 'INDEX_STALE'];
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/;

/** INDEX_STALE is a 503 too. */
const isWorthRetry = ({ status }: Pick<Reply, 'status'>) => status >= 500 || status === 429;
