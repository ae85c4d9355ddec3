/** The cost of a deployment. */
import { PROGRAM_DATA_HEADER_BYTES } from '@service/protocol';
import {
  getCircuitEncoder,
  getConfigEncoder,
  getTreasuryEncoder,
  getVerifierEncoder,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import type { DeployProtocolOptions } from './deploy-options.ts';
import type { DeployedState } from './deployed-state.ts';
import { DeployError } from './loader/deploy-error.ts';
import { PROGRAM_BYTES } from './loader/instructions.ts';
import { findBuffer } from './loader/program-buffer.ts';
import { abortOf } from './loader/send.ts';

/** The fewest bytes that one write carries. */
const WRITE_BYTES = 900;
/** The highest fee of one write: payer, authority and program sign it. */
const TRANSACTION_LAMPORTS = 15_000n;

/**
 * Checks that the payer can pay the rent and the fees of everything that is missing.
 *
 * @throws DeployError NOT_ENOUGH_SOL, with the missing amount and the address to send it to.
 */
export async function assertFunds(options: DeployProtocolOptions, state: DeployedState): Promise<void> {
  const { rpc, keys, so, signal } = options;
  const rent = (bytes: number) =>
    rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send(abortOf(signal)) as Promise<bigint>;
  // The payer's own account must stay rent-exempt, too.
  const sizes = [0];
  if (!state.program) sizes.push(PROGRAM_DATA_HEADER_BYTES + so.length, PROGRAM_BYTES);
  if (!state.config) sizes.push(getConfigEncoder().fixedSize, getTreasuryEncoder().fixedSize);
  if (!state.circuit) sizes.push(getCircuitEncoder().fixedSize);
  if (!state.verifier) sizes.push(getVerifierEncoder().fixedSize);
  const rents = await Promise.all(sizes.map(rent));
  const transactions = state.program ? 4 : 6 + Math.ceil(so.length / WRITE_BYTES);
  const fees = BigInt(transactions) * TRANSACTION_LAMPORTS;
  const balanceOf = async (address: Address) =>
    (await rpc.getBalance(address, { commitment: 'confirmed' }).send(abortOf(signal))).value as bigint;
  // Deploying returns the buffer's rent before it takes the program's. A buffer of an earlier try holds its rent already.
  const inBuffer = state.program ? 0n : await balanceOf((await findBuffer(keys.program, so)).address);
  const needed = rents.reduce((sum, each) => sum + each, fees) - inBuffer;
  const balance = await balanceOf(keys.payer.address);
  if (balance >= needed) return;
  throw new DeployError(
    'NOT_ENOUGH_SOL',
    `The payer ${keys.payer.address} has ${inSol(balance)} SOL, but the deployment costs ${inSol(needed)} SOL. ` +
      `Send it ${inSol(needed - balance)} SOL, then run the command again.`,
  );
}

/** Formats lamports as SOL, rounded up to 0.0001. */
function inSol(lamports: bigint): string {
  const rounded = (lamports + 99_999n) / 100_000n;
  return `${rounded / 10_000n}.${String(rounded % 10_000n).padStart(4, '0')}`;
}
