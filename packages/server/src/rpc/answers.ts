/** The form that the result of each RPC method must have. A proxy or a node can return anything. */

/** Thrown if an RPC returns something that is not a response of its method. */
export class RpcAnswerError extends Error {
  override readonly name = 'RpcAnswerError';

  constructor(method: string, problem: string) {
    super(`The response of the RPC to ${method} ${problem}.`);
  }
}

type Check = (result: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber: Check = (value) => typeof value === 'bigint';
const isText: Check = (value) => typeof value === 'string';
const isList: Check = Array.isArray;
const isRecord: Check = isObject;
const isRecordOrNull: Check = (value) => value === null || isObject(value);
/** A value with the slot at which it was read. */
const withContext =
  (isValue: Check): Check =>
  (result) =>
    isObject(result) &&
    isObject(result.context) &&
    isNumber(result.context.slot) &&
    'value' in result &&
    isValue(result.value);

/** The form of each method's result. */
const RESULTS: Readonly<Record<string, Check>> = {
  getAccountInfo: withContext(isRecordOrNull),
  getBalance: withContext(isNumber),
  getBlockHeight: isNumber,
  getEpochInfo: isRecord,
  getFirstAvailableBlock: isNumber,
  getGenesisHash: isText,
  getHealth: isText,
  getLatestBlockhash: withContext(isRecord),
  getMultipleAccounts: withContext(isList),
  getProgramAccounts: withContext(isList),
  getSignaturesForAddress: isList,
  getSignatureStatuses: withContext(isList),
  getTransaction: isRecordOrNull,
  sendTransaction: isText,
  simulateTransaction: withContext(isRecord),
};

/** The methods that the service calls. */
export const CALLED_METHODS: readonly string[] = Object.keys(RESULTS);

/** The methods that return one entry for each entry of their first parameter. */
const LISTS: readonly string[] = ['getMultipleAccounts', 'getSignatureStatuses'];

/** Checks the result of a call. @throws RpcAnswerError if it does not have the form of the method's result */
export function assertResult(method: string, params: readonly unknown[], result: unknown): void {
  const isValid = RESULTS[method] ?? ((value) => value !== undefined);
  if (!isValid(result)) throw new RpcAnswerError(method, 'is not a result of this method');
  // A missing entry would count as an account or a transaction that does not exist.
  if (LISTS.includes(method) && lengthOf((result as { value: unknown }).value) !== lengthOf(params[0])) {
    throw new RpcAnswerError(method, 'has another number of entries than the request');
  }
}

const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : -1);
