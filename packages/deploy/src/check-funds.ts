/** What a deployment costs, and whether its payer has it. */
import { getCircuitEncoder, getConfigEncoder, getVerifierEncoder } from '@service/protocol/generated';
import type { DeployProtocolOptions } from './deploy-protocol.ts';
import { PROGRAM_DATA_HEADER_BYTES, type Standing } from './deployed-state.ts';
import { DeployError } from './loader/deploy-error.ts';
import { findBuffer } from './loader/deploy-program.ts';
import { PROGRAM_BYTES } from './loader/instructions.ts';
import { abortOf } from './loader/send.ts';

const TREASURY_BYTES = 3;
/** The least that one write carries, and what its signatures cost at most: payer, authority, program. */
const WRITE_BYTES = 900;
const TRANSACTION_LAMPORTS = 15_000n;

/**
 * Sees that the payer has the rent and the fees of what is missing.
 *
 * @throws DeployError NOT_ENOUGH_SOL, saying how much is needed and where.
 */
export async function assertIsFunded(options: DeployProtocolOptions, standing: Standing): Promise<void> {
  const { rpc, keys, so, signal } = options;
  const rent = (bytes: number) =>
    rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send(abortOf(signal)) as Promise<bigint>;
  const sizes: number[] = [];
  // What stays in the payer's own account.
  sizes.push(0);
  if (!standing.program) sizes.push(PROGRAM_DATA_HEADER_BYTES + so.length, PROGRAM_BYTES);
  if (!standing.config) sizes.push(getConfigEncoder().fixedSize, TREASURY_BYTES);
  if (!standing.circuit) sizes.push(getCircuitEncoder().fixedSize);
  if (!standing.verifier) sizes.push(getVerifierEncoder().fixedSize);
  const rents = await Promise.all(sizes.map(rent));
  const transactions = standing.program ? 4 : 6 + Math.ceil(so.length / WRITE_BYTES);
  const fees = BigInt(transactions) * TRANSACTION_LAMPORTS;
  const balance = async (of: typeof keys.payer.address) =>
    (await rpc.getBalance(of, { commitment: 'confirmed' }).send(abortOf(signal))).value as bigint;
  // The buffer's rent comes back before the program's is paid; a buffer that stands already has it.
  const kept = standing.program ? 0n : await balance((await findBuffer(keys.program, so)).address);
  const needed = rents.reduce((sum, each) => sum + each, fees) - kept;
  const held = await balance(keys.payer.address);
  if (held >= needed) return;
  throw new DeployError(
    'NOT_ENOUGH_SOL',
    `${keys.payer.address} holds ${inSol(held)} SOL and the deployment takes ${inSol(needed)}: send it ${inSol(needed - held)} SOL and run this again`,
  );
}

/** Lamports as a number of SOL, rounded up to 0.0001. */
function inSol(lamports: bigint): string {
  const rounded = (lamports + 99_999n) / 100_000n;
  return `${rounded / 10_000n}.${String(rounded % 10_000n).padStart(4, '0')}`;
}
