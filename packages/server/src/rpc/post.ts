/** Sends JSON by HTTP. `request` of undici needs a quarter of the CPU time of `fetch`. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';
import { Agent, type Dispatcher, request } from 'undici';

/** Thrown if there is no connection to an RPC, or if it ends before the response does. */
export class RpcConnectionError extends Error {
  override readonly name = 'RpcConnectionError';

  constructor(cause: unknown) {
    super('The connection to the RPC failed. Check that the RPC runs and that its URL is right.', { cause });
  }
}

/**
 * Sends a body and returns that of the response. Throws RpcConnectionError, SolanaError if the status is not 2xx, and the
 * reason of the signal.
 */
export type Post = (body: string, signal?: AbortSignal) => Promise<string>;

/** Returns a function that posts to a URL. It keeps its connections open. */
export function createPost(url: string): Post {
  const dispatcher = new Agent();
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'content-type': 'application/json; charset=utf-8',
  };
  return async (body, signal) => {
    try {
      const response = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher,
        signal: signal ?? null,
      });
      const text = await readText(response);
      assertOk(response);
      return text;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof SolanaError ? error : new RpcConnectionError(error);
    }
  };
}

async function readText({ body, headers }: Dispatcher.ResponseData): Promise<string> {
  const bytes = Buffer.from(await body.arrayBuffer());
  const isCompressed = String(headers['content-encoding']).toLowerCase() === 'gzip';
  return (isCompressed ? await promisify(gunzip)(bytes) : bytes).toString();
}

function assertOk({ statusCode, statusText, headers }: Dispatcher.ResponseData): void {
  if (statusCode >= 200 && statusCode < 300) return;
  throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
    headers: new Headers(headers as Record<string, string>),
    message: statusText,
    statusCode,
  });
}
