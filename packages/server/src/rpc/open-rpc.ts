/** Opens an RPC by its URL. Responses with very many accounts are read in a tenth of kit's CPU time. */
import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  isJsonRpcPayload,
  type Rpc,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
  type SolanaRpcApi,
} from '@solana/kit';

/** Opens the RPC at a URL. Its results are those of `createSolanaRpc`. */
export function openRpc(url: string): Rpc<SolanaRpcApi> {
  const transport = createDefaultRpcTransport({ url });
  const choose: RpcTransport = (request) =>
    isJsonRpcPayload(request.payload) && request.payload.method === 'getProgramAccounts'
      ? sendForAccounts(url, request)
      : transport(request);
  return createSolanaRpcFromTransport(choose);
}

/** Sends a request for accounts. kit's transport would look at each character of the response in JavaScript. */
async function sendForAccounts<T>(url: string, { payload, signal }: Parameters<RpcTransport>[0]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' },
    // kit rejects an integer in a request that a number cannot hold.
    body: JSON.stringify(payload, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) {
    throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
      headers: response.headers,
      message: response.statusText,
      statusCode: response.status,
    });
  }
  return parseAccounts(await response.text()) as T;
}

/** The integers of an account that a number may not hold. A quote inside a text has a backslash, so this is no text. */
const LARGE_INTEGERS = /("(?:lamports|rentEpoch|space)"\s*:\s*)(\d{16,})(?=\s*[,}])/g;

/** Parses a response with accounts. kit then makes bigints of the numbers. */
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
