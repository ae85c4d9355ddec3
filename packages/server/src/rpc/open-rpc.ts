/** Opens an RPC by its URL. Its calls need much less CPU time than those of kit's transport. */
import {
  createSolanaRpcFromTransport,
  isJsonRpcPayload,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit';
import { createPost } from './post.ts';

/** Opens the RPC at a URL. Its results are those of `createSolanaRpc`. */
export function openRpc(url: string): Rpc<SolanaRpcApi> {
  const post = createPost(url);
  const transport: RpcTransport = async <T>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<T> => {
    // kit rejects an integer in a request that a number cannot hold.
    const body = JSON.stringify(payload, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
    const text = await post(body, signal);
    const isList = isJsonRpcPayload(payload) && payload.method === 'getProgramAccounts';
    return (isList ? parseAccounts(text) : parse(text)) as T;
  };
  return createSolanaRpcFromTransport(transport);
}

/** A text or a number of JSON. A text that does not end takes the rest, so that it is searched only once. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** An integer that can be too large for a number. */
const LARGE_INTEGER = /^-?\d{16,1000}$/;

/** Parses a response, with bigints for large integers. kit then makes bigints of the other integers. */
function parse(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  // No text contains this object, because quotes inside a text have backslashes.
  const marked = text.replace(TEXT_OR_NUMBER, (part) =>
    LARGE_INTEGER.test(part) ? `{"$n":"${part}"}` : part,
  );
  return JSON.parse(marked, (_, value) => (LARGE_INTEGER.test(value?.$n) ? BigInt(value.$n) : value));
}

/** Integers of an account that can be too large for a number. No text matches: quotes in it have backslashes. */
const LARGE_INTEGERS = /("(?:lamports|rentEpoch|space)"\s*:\s*)(\d{16,})(?=\s*[,}])/g;

/** Parses a response with very many accounts. Looking at each value would take ten times as long. */
function parseAccounts(text: string): unknown {
  const response: unknown = JSON.parse(text.replace(LARGE_INTEGERS, '$1"$2"'));
  const { result } = (response ?? {}) as { result?: { value?: unknown } };
  const found: unknown = result?.value ?? result;
  for (const each of Array.isArray(found) ? found : []) restoreIntegers(each?.account);
  return response;
}

function restoreIntegers(account: Record<string, unknown> | null | undefined): void {
  for (const name of ['lamports', 'rentEpoch', 'space']) {
    const value = account?.[name];
    if (typeof value === 'string' && /^\d+$/.test(value)) account![name] = BigInt(value);
  }
}
