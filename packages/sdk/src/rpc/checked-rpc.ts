/** Checks every answer of the caller's RPC, because kit does not, and repeats requests that the RPC limits. */
import {
  type GetBlockTimeApi,
  type GetEpochInfoApi,
  type GetFirstAvailableBlockApi,
  type GetGenesisHashApi,
  type GetLatestBlockhashApi,
  type GetMinimumBalanceForRentExemptionApi,
  type GetMultipleAccountsApi,
  type GetProgramAccountsApi,
  type GetRecentPrioritizationFeesApi,
  type GetSignatureStatusesApi,
  type GetSignaturesForAddressApi,
  type GetTransactionApi,
  type IsBlockhashValidApi,
  isAddress,
  isSignature,
  type Rpc,
  type SendTransactionApi,
} from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { backoff, type Clock, pause } from '../lib/clock.ts';
import { retryAfterMs } from '../lib/retry-after.ts';
import { callOutside } from '../lib/unexpected-error.ts';

/** A Solana RPC of `@solana/kit`, as `createSolanaRpc` makes it. */
export type ChainRpc = Rpc<
  GetBlockTimeApi &
    GetEpochInfoApi &
    GetFirstAvailableBlockApi &
    GetGenesisHashApi &
    GetLatestBlockhashApi &
    GetMinimumBalanceForRentExemptionApi &
    GetMultipleAccountsApi &
    GetProgramAccountsApi &
    GetRecentPrioritizationFeesApi &
    GetSignatureStatusesApi &
    GetSignaturesForAddressApi &
    GetTransactionApi &
    IsBlockhashValidApi &
    SendTransactionApi
>;

/** Options of kit's `send`. */
export type SendOptions = { readonly abortSignal: AbortSignal };

/** Returns whether a value has the documented type. `params` are those of the request. */
type Check = (value: unknown, params: readonly unknown[]) => boolean;

const within =
  (bits: number): Check =>
  (value) =>
    typeof value === 'bigint' && value >= 0n && value >> BigInt(bits) === 0n;
const lamports = within(64);
/** A slot, height or time. JSON has no exact larger numbers, and a larger one could prove an absence. */
const count = within(53);
const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const address: Check = (value) => text(value, []) && isAddress(value as string);
const signature: Check = (value) => text(value, []) && isSignature(value as string);
const base64: Check = (value) => Array.isArray(value) && text(value[0], []) && value[1] === 'base64';

const optional =
  (check: Check): Check =>
  (value, params) =>
    value === null || value === undefined || check(value, params);
const nullable =
  (check: Check): Check =>
  (value, params) =>
    value === null || check(value, params);
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, params) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name], params));
const list =
  (check: Check): Check =>
  (value, params) =>
    Array.isArray(value) && value.every((entry) => check(entry, params));
/** A list with one entry for each key that was asked for. */
const answers =
  (check: Check): Check =>
  (value, params) =>
    list(check)(value, params) && (value as unknown[]).length === (params[0] as unknown[]).length;
const withContext = (value: Check): Check => fields({ context: fields({ slot: count }), value });

/** The error of a transaction: a name, or an object with one. A missing error would count as success. */
const failure: Check = nullable((value) => {
  const names = typeof value === 'object' && !Array.isArray(value) ? Object.keys(value as object) : [value];
  return names.length === 1 && /^[A-Z]\w{1,63}$/.test(`${names[0]}`);
});
/** Nothing reads `space`, which some RPCs leave out. */
const account = fields({ data: base64, executable: flag, lamports, owner: address });

type Method = keyof ChainRpc | 'getAccountInfo';

/** What each method returns. The client calls no other method. */
const CHECKS: Readonly<Record<Method, Check>> = {
  getAccountInfo: withContext(nullable(account)),
  getBlockTime: count,
  getEpochInfo: (value, params) =>
    fields({ absoluteSlot: count, blockHeight: count })(value, params) &&
    // There is at most one block in each slot.
    (value as { blockHeight: bigint }).blockHeight <= (value as { absoluteSlot: bigint }).absoluteSlot,
  getFirstAvailableBlock: count,
  getGenesisHash: address,
  getLatestBlockhash: withContext(fields({ blockhash: address, lastValidBlockHeight: count })),
  getMinimumBalanceForRentExemption: lamports,
  getMultipleAccounts: withContext(answers(nullable(account))),
  getProgramAccounts: withContext(list(fields({ pubkey: address, account }))),
  getRecentPrioritizationFees: list(fields({ prioritizationFee: lamports })),
  getSignaturesForAddress: list(
    fields({ signature, slot: count, memo: optional(text), blockTime: optional(count) }),
  ),
  getSignatureStatuses: withContext(
    answers(nullable(fields({ slot: count, err: failure, confirmationStatus: optional(text) }))),
  ),
  getTransaction: nullable(
    fields({ slot: count, transaction: base64, meta: optional(fields({ err: failure })) }),
  ),
  isBlockhashValid: withContext(flag),
  sendTransaction: signature,
};

/** Milliseconds between two attempts if the RPC names no time. */
const LIMITED = { firstMs: 500, mostMs: 8_000 };

type Untyped = Record<
  string,
  (...params: unknown[]) => { send(options: SendOptions): Promise<unknown> } | undefined
>;

/**
 * Returns an RPC whose answers have their documented types.
 *
 * @param name of the RPC, for messages
 * @param mostMs milliseconds that a request may wait in all while the RPC limits requests
 */
export function checkedRpc(
  rpc: ChainRpc,
  { name, clock, mostMs }: { readonly name: string; readonly clock: Clock; readonly mostMs: number },
): ChainRpc {
  async function send(method: string, params: readonly unknown[], options: SendOptions): Promise<unknown> {
    const started = clock.elapsed();
    let waited = 0;
    for (const delay of backoff(LIMITED)) {
      try {
        const call = async () => (rpc as unknown as Untyped)[method]!(...params)!.send(options);
        const answer = await callOutside(call);
        if (CHECKS[method as Method](answer, params)) return answer;
        break;
      } catch (error) {
        const headers = limitOf(error);
        if (!headers) throw error;
        const milliseconds = retryAfterMs(headers.get?.('retry-after'), clock) ?? delay;
        // A clock of a test may stand still.
        waited += milliseconds;
        if (Math.max(waited, clock.elapsed() - started + milliseconds) >= mostMs) throw error;
        await pause(clock, milliseconds, options.abortSignal, method);
      }
    }
    throw new ServiceError('RPC_ERROR', {
      message: `The result of ${method} from ${name} is not valid. Try again. If it fails again, use another RPC: change rpcUrl of the deployment, or pass rpc.`,
    });
  }
  return Object.fromEntries(
    Object.keys(CHECKS).map((method) => [
      method,
      (...params: unknown[]) => ({ send: (options: SendOptions) => send(method, params, options) }),
    ]),
  ) as unknown as ChainRpc;
}

/** Returns the headers of an answer that says that the RPC limits requests, or undefined if an error is not one. */
export function limitOf(error: unknown): Partial<Headers> | undefined {
  const { context } = (error ?? {}) as {
    readonly context?: { statusCode?: unknown; __code?: unknown; headers?: Partial<Headers> };
  };
  // Some RPCs put the status into the body instead, also as a negative number.
  const isLimited = context?.statusCode === 429 || [429, -32_429].includes(context?.__code as number);
  return isLimited ? (context?.headers ?? {}) : undefined;
}
