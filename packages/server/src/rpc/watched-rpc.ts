/** An RPC whose calls end in time, are tried again after a broken connection, are counted, and have a result of the right form. */
import { setMaxListeners } from 'node:events';
import {
  isSolanaError,
  type Rpc,
  SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR,
  type SolanaRpcApi,
} from '@solana/kit';
import { isUnavailable } from '../lib/unavailable.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { assertResult, RpcAnswerError } from './answers.ts';

/** The result of a call. `failed`: the RPC did not respond. `rejected`: it returned an error. */
export type CallResult = 'ok' | 'failed' | 'rejected';

/** A completed call. */
export interface RpcCall {
  readonly method: string;
  readonly result: CallResult;
  readonly milliseconds: number;
}

/** Milliseconds after which a call is aborted. A connection can be lost without an error. */
const CALL_TIMEOUT_MS = 10_000;
/** The same for the calls that return many accounts. */
const LONG_CALL_TIMEOUT_MS = 50_000;
const LONG_CALLS: readonly string[] = ['getProgramAccounts'];

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

interface PendingCall {
  send(options?: SendOptions): Promise<unknown>;
}

/** Returns an RPC that sends the calls of `rpc`. `onCall` gets each completed call. */
export function watchRpc(rpc: Rpc<SolanaRpcApi>, onCall: (call: RpcCall) => void): Rpc<SolanaRpcApi> {
  return new Proxy(rpc, {
    get(target, name, receiver) {
      const make: unknown = Reflect.get(target, name, receiver);
      if (typeof make !== 'function' || typeof name !== 'string') return make;
      return (...params: unknown[]) => {
        const pending = make(...params) as PendingCall;
        return {
          ...pending,
          send: (options?: SendOptions) => send(pending, { method: name, params }, options, onCall),
        };
      };
    },
  });
}

const NEVER = new AbortController().signal;

async function send(
  pending: PendingCall,
  { method, params }: { readonly method: string; readonly params: readonly unknown[] },
  { abortSignal = NEVER }: SendOptions = {},
  onCall: (call: RpcCall) => void,
): Promise<unknown> {
  // Many calls may wait for one signal. Node would warn about a leak.
  setMaxListeners(0, abortSignal);
  const began = performance.now();
  const ended = (result: CallResult) => onCall({ method, result, milliseconds: performance.now() - began });
  const limit = LONG_CALLS.includes(method) ? LONG_CALL_TIMEOUT_MS : CALL_TIMEOUT_MS;
  try {
    const answer = await withTimeout(abortSignal, limit, async (signal) => {
      const once = () => pending.send({ abortSignal: signal });
      return once().catch((error: unknown) => {
        // Every call may be repeated: a read changes nothing, and the same transaction lands at most once.
        if (wasBroken(error) && !signal.aborted) return once();
        throw error;
      });
    });
    assertResult(method, params, answer);
    ended('ok');
    return answer;
  } catch (error) {
    const known = isUnreadable(error) ? new RpcAnswerError(method, 'is not a JSON-RPC response') : error;
    if (!abortSignal.aborted) ended(isUnavailable(known) ? 'failed' : 'rejected');
    throw known;
  }
}

/** Returns whether a response was not JSON, or not JSON-RPC: then kit fails to read it. */
function isUnreadable(error: unknown): boolean {
  if (isSolanaError(error, SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR)) return true;
  return error instanceof SyntaxError || (error instanceof TypeError && !isUnavailable(error));
}

/** Codes of a connection that the other side closed, for example one that was idle too long. */
const BROKEN: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

function wasBroken(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error && 'code' in cause && BROKEN.includes(cause.code);
}
