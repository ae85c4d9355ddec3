/** Sends JSON by HTTP. Node's own client needs a third of the CPU time of `fetch`. */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';

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
  const place = new URL(url);
  const { request, Agent } = place.protocol === 'https:' ? https : http;
  const options: https.RequestOptions = {
    ...urlToHttpOptions(place),
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
  };
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'content-type': 'application/json; charset=utf-8',
  };
  return async (body, signal) => {
    signal?.throwIfAborted();
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const length = Buffer.byteLength(body);
        request({ ...options, headers: { ...headers, 'content-length': length }, ...(signal && { signal }) })
          .on('response', resolve)
          .on('error', reject)
          // After a response with status 101 no other event comes.
          .on('close', () => reject(new Error('The connection ended without a response.')))
          .end(body);
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

async function readText(response: IncomingMessage): Promise<string> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    response
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject)
      .on('close', () => reject(new Error('The connection ended within the response.')));
  });
  const isCompressed = response.headers['content-encoding']?.toLowerCase() === 'gzip';
  return (isCompressed ? await promisify(gunzip)(bytes) : bytes).toString();
}

function assertOk({ statusCode = 0, statusMessage = '', headers }: IncomingMessage): void {
  if (statusCode >= 200 && statusCode < 300) return;
  throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
    headers: new Headers(headers as Record<string, string>),
    message: statusMessage,
    statusCode,
  });
}
