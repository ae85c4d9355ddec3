/** Reads and writes the two instructions of the compute budget program that set the priority fee of a transaction. */
import { type Address, address, type Instruction } from '@solana/kit';

/** The compute budget program. */
export const COMPUTE_BUDGET_PROGRAM: Address = address('ComputeBudget111111111111111111111111111111');

/** The largest compute limit of a transaction, which also applies if wallets set a price without a limit. */
export const MAX_COMPUTE_UNITS = 1_400_000;

/** What a transaction sets of its compute budget. */
export interface ComputeBudget {
  /** Compute units; undefined if the transaction sets no limit. */
  readonly limit?: number;
  /** Micro-lamports for each compute unit; undefined if the transaction sets no price. */
  readonly price?: bigint;
}

const LIMIT = 2;
const PRICE = 3;

/** Reads the data of one instruction of {@link COMPUTE_BUDGET_PROGRAM}. Returns null if it sets neither limit nor price. */
export function readBudgetData(data: Uint8Array): ComputeBudget | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data[0] === LIMIT && data.length === 5) return { limit: view.getUint32(1, true) };
  if (data[0] === PRICE && data.length === 9) return { price: view.getBigUint64(1, true) };
  return null;
}

/** Returns the instructions that set a limit and a price. */
export function budgetInstructions({ limit, price }: Required<ComputeBudget>): Instruction[] {
  const limitData = new Uint8Array(5);
  limitData[0] = LIMIT;
  new DataView(limitData.buffer).setUint32(1, limit, true);
  const priceData = new Uint8Array(9);
  priceData[0] = PRICE;
  new DataView(priceData.buffer).setBigUint64(1, price, true);
  return [limitData, priceData].map((data) => ({ programAddress: COMPUTE_BUDGET_PROGRAM, data }));
}

/** Returns the most lamports that a transaction pays above the fee of its signatures. */
export function priorityFeeLamports({ limit = MAX_COMPUTE_UNITS, price = 0n }: ComputeBudget): bigint {
  const units = BigInt(Math.min(limit, MAX_COMPUTE_UNITS));
  return (units * price + 999_999n) / 1_000_000n;
}
