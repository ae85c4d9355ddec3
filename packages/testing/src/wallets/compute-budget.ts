/** Instructions of the compute budget program, encoded by hand. */
import { address } from '@solana/kit';
import type { Message, MessageInstruction } from '../transaction-message.ts';

const COMPUTE_BUDGET_PROGRAM = address('ComputeBudget111111111111111111111111111111');
const LIMIT = 2;
const PRICE = 3;
/** The largest limit of a transaction. It bounds the fee if nothing sets a limit. */
const MAX_COMPUTE_UNITS = 1_400_000n;
const MICRO_LAMPORTS = 1_000_000n;

/** Returns the instruction that sets the compute limit, in compute units. */
export function computeLimit(units: number): MessageInstruction {
  const data = new Uint8Array(5);
  data[0] = LIMIT;
  new DataView(data.buffer).setUint32(1, units, true);
  return { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}

/** Returns the instruction that sets the price of a compute unit, in micro-lamports. */
export function computePrice(microLamports: bigint): MessageInstruction {
  const data = new Uint8Array(9);
  data[0] = PRICE;
  new DataView(data.buffer).setBigUint64(1, microLamports, true);
  return { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}

/** Returns whether an instruction sets something of the compute budget. */
export function isBudget({ programAddress }: MessageInstruction): boolean {
  return programAddress === COMPUTE_BUDGET_PROGRAM;
}

/** Returns the most lamports that a message pays above the fee of its signatures. */
export function priorityFee({ instructions }: Message): bigint {
  let units = MAX_COMPUTE_UNITS;
  let price = 0n;
  for (const { data } of instructions.filter(isBudget)) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (data[0] === LIMIT) units = BigInt(view.getUint32(1, true));
    if (data[0] === PRICE) price = view.getBigUint64(1, true);
  }
  return (units * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}
