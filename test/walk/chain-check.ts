/** Reads the chain by plain RPC of kit, without the SDK and the service, to confirm each step of the walk. */
import { type Address, type createSolanaRpc, getBase64Encoder, type Signature } from '@solana/kit';

export type Rpc = ReturnType<typeof createSolanaRpc>;

/** Reads the data of an account at finalized. Throws if it does not exist or has another owner. */
export async function dataOf(rpc: Rpc, address: Address, owner: Address) {
  const { value } = await rpc.getAccountInfo(address, { encoding: 'base64', commitment: 'finalized' }).send();
  if (!value) throw new Error(`There is no account at ${address}.`);
  if (value.owner !== owner) throw new Error(`The owner of ${address} is ${value.owner}, not ${owner}.`);
  return getBase64Encoder().encode(value.data[0]);
}

/** Reads the lamports of an account at finalized. */
export async function lamportsOf(rpc: Rpc, address: Address): Promise<bigint> {
  return (await rpc.getBalance(address, { commitment: 'finalized' }).send()).value;
}

/** Reads the base units in a token account at finalized. */
export async function tokensOf(rpc: Rpc, tokenAccount: Address): Promise<bigint> {
  const { value } = await rpc.getTokenAccountBalance(tokenAccount, { commitment: 'finalized' }).send();
  return BigInt(value.amount);
}

/** Reads the base units of a mint at finalized. */
export async function supplyOf(rpc: Rpc, mint: Address): Promise<bigint> {
  const { value } = await rpc.getTokenSupply(mint, { commitment: 'finalized' }).send();
  return BigInt(value.amount);
}

/** Reads the compute units, the error and the fee of a finalized transaction. */
export async function transactionOf(rpc: Rpc, signature: Signature) {
  const finalized = { commitment: 'finalized', maxSupportedTransactionVersion: 0 } as const;
  const transaction = await rpc.getTransaction(signature, { encoding: 'base64', ...finalized }).send();
  if (!transaction?.meta) throw new Error(`The chain has no finalized transaction ${signature}.`);
  const { computeUnitsConsumed: computeUnits = 0n, err: error, fee } = transaction.meta;
  return { computeUnits, error, fee };
}

/** Reads the log lines of a finalized transaction. */
export async function logsOf(rpc: Rpc, signature: Signature): Promise<readonly string[]> {
  const finalized = { commitment: 'finalized', maxSupportedTransactionVersion: 0 } as const;
  const transaction = await rpc.getTransaction(signature, { encoding: 'base64', ...finalized }).send();
  return transaction?.meta?.logMessages ?? [];
}

/** Returns the number of a custom program error in a transaction error, or null. */
export function customErrorOf(error: unknown): number | null {
  const detail = (error as { InstructionError?: [unknown, { Custom?: number | bigint }] } | null)
    ?.InstructionError?.[1];
  return detail?.Custom === undefined ? null : Number(detail.Custom);
}

/** Throws unless the two are equal. */
export function same<T>(what: string, actual: T, expected: T): void {
  const text = (value: unknown) =>
    JSON.stringify(value, (_, part) =>
      typeof part === 'bigint' ? `${part}n` : part instanceof Uint8Array ? [...part] : part,
    );
  if (text(actual) !== text(expected))
    throw new Error(`${what}: the chain has ${text(actual)}, expected ${text(expected)}`);
}
