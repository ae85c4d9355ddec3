/** The form that the result of each RPC method must have. A proxy or a node can return anything. */
import * as z from 'zod/mini';

/** Thrown if an RPC returns something that is not a response of its method. */
export class RpcAnswerError extends Error {
  override readonly name = 'RpcAnswerError';

  constructor(method: string, problem: string) {
    super(`The response of the RPC to ${method} ${problem}.`);
  }
}

const number = z.bigint();
const text = z.string();
const list = z.custom<unknown[]>(Array.isArray);
const record = z.looseObject({});
/** A value with the slot at which it was read. */
const withContext = (value: z.ZodMiniType) =>
  z.looseObject({ context: z.looseObject({ slot: number }), value });

/** The form of each method's result. */
const RESULTS: Readonly<Record<string, z.ZodMiniType>> = {
  getAccountInfo: withContext(z.nullable(record)),
  getBalance: withContext(number),
  getBlockHeight: number,
  getEpochInfo: record,
  getFirstAvailableBlock: number,
  getGenesisHash: text,
  getHealth: text,
  getLatestBlockhash: withContext(record),
  getMultipleAccounts: withContext(list),
  getProgramAccounts: withContext(list),
  getSignaturesForAddress: list,
  getSignatureStatuses: withContext(list),
  getTokenAccountsByOwner: withContext(list),
  getTransaction: z.nullable(record),
  sendTransaction: text,
  simulateTransaction: withContext(record),
};

/** The methods that the service calls. */
export const CALLED_METHODS: readonly string[] = Object.keys(RESULTS);

/** The methods that return one entry for each entry of their first parameter. */
const LISTS: readonly string[] = ['getMultipleAccounts', 'getSignatureStatuses'];

/** Checks the result of a call. @throws RpcAnswerError if it does not have the form of the method's result */
export function assertResult(method: string, params: readonly unknown[], result: unknown): void {
  const isValid = RESULTS[method] ? z.safeParse(RESULTS[method], result).success : result !== undefined;
  if (!isValid) throw new RpcAnswerError(method, 'is not a result of this method');
  // A missing entry would count as an account or a transaction that does not exist.
  if (LISTS.includes(method) && lengthOf((result as { value: unknown }).value) !== lengthOf(params[0])) {
    throw new RpcAnswerError(method, 'has another number of entries than the request');
  }
}

const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : -1);
