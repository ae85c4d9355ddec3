import { COMPUTE_BUDGET, ED25519, SYSTEM_PROGRAM, UPGRADEABLE_LOADER } from './addresses.ts';
import type { CompiledMessage } from './transaction.ts';

export const LAMPORTS_PER_SIGNATURE = 5_000n;

const PRECOMPILES = new Set<string>([
  ED25519,
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);
const BUILTINS = new Set<string>([
  ...PRECOMPILES,
  COMPUTE_BUDGET,
  SYSTEM_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  UPGRADEABLE_LOADER,
  'LoaderV411111111111111111111111111111111111',
]);

const MAX_COMPUTE_UNITS = 1_400_000n;
const DEFAULT_UNITS = 200_000n;
const DEFAULT_BUILTIN_UNITS = 3_000n;
const MICRO_LAMPORTS = 1_000_000n;

/**
 * Returns the fee of a message in lamports: a base fee for each signature, including those that precompile instructions
 * check, and the priority fee of its compute budget instructions.
 */
export function feeOf(message: CompiledMessage): bigint {
  let signatures = BigInt(message.header.numSignerAccounts);
  let defaultUnits = 0n;
  let unitLimit: bigint | null = null;
  let unitPrice = 0n;
  for (const { programAddressIndex, data } of message.instructions) {
    const program = message.staticAccounts[programAddressIndex];
    if (program === undefined) continue;
    defaultUnits += BUILTINS.has(program) ? DEFAULT_BUILTIN_UNITS : DEFAULT_UNITS;
    if (PRECOMPILES.has(program)) signatures += BigInt(data?.[0] ?? 0);
    if (program !== COMPUTE_BUDGET || !data?.length) continue;
    const view = new DataView(Uint8Array.from(data).buffer);
    if (data[0] === 2 && data.length >= 5) unitLimit = BigInt(view.getUint32(1, true));
    if (data[0] === 3 && data.length >= 9) unitPrice = view.getBigUint64(1, true);
  }
  const units = unitLimit ?? defaultUnits;
  const charged = units < MAX_COMPUTE_UNITS ? units : MAX_COMPUTE_UNITS;
  const priority = (unitPrice * charged + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  return signatures * LAMPORTS_PER_SIGNATURE + priority;
}
