import { COMPUTE_BUDGET, ED25519, SYSTEM_PROGRAM, UPGRADEABLE_LOADER } from './addresses.ts';
import type { TransactionErrorJson } from './svm-errors.ts';
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
 * Errors that are found while the accounts of a transaction are loaded. The transaction lands and pays its fee, but runs
 * nothing.
 */
export const FEE_ONLY_ERRORS = new Set<TransactionErrorJson>([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/** Returns whether a transaction with this result pays its fee. A wrong compute budget is found before that. */
export function isCharged(err: TransactionErrorJson | null, message: CompiledMessage): boolean {
  if (err === null || FEE_ONLY_ERRORS.has(err)) return true;
  if (typeof err !== 'object') return false;
  if (!('InstructionError' in err)) return 'InsufficientFundsForRent' in err;
  const [index, inner] = err.InstructionError as [number, unknown];
  const { programAddressIndex } = message.instructions[index] ?? {};
  return (
    inner !== 'InvalidInstructionData' || message.staticAccounts[programAddressIndex ?? -1] !== COMPUTE_BUDGET
  );
}

/** Returns the compute unit limit of a message, and its price in micro-lamports a unit. */
export function computeBudgetOf(message: CompiledMessage): { units: bigint; price: bigint } {
  let defaultUnits = 0n;
  let limit: bigint | null = null;
  let price = 0n;
  for (const { programAddressIndex, data } of message.instructions) {
    const program = message.staticAccounts[programAddressIndex];
    if (program === undefined) continue;
    defaultUnits += BUILTINS.has(program) ? DEFAULT_BUILTIN_UNITS : DEFAULT_UNITS;
    if (program !== COMPUTE_BUDGET || !data?.length) continue;
    const view = new DataView(Uint8Array.from(data).buffer);
    if (data[0] === 2 && data.length >= 5) limit = BigInt(view.getUint32(1, true));
    if (data[0] === 3 && data.length >= 9) price = view.getBigUint64(1, true);
  }
  const units = limit ?? defaultUnits;
  return { units: units < MAX_COMPUTE_UNITS ? units : MAX_COMPUTE_UNITS, price };
}

/**
 * Returns the fee of a message in lamports: a base fee for each signature, including those that precompile instructions
 * check, and the priority fee of its compute budget instructions.
 */
export function feeOf(message: CompiledMessage): bigint {
  let signatures = BigInt(message.header.numSignerAccounts);
  for (const { programAddressIndex, data } of message.instructions) {
    if (PRECOMPILES.has(message.staticAccounts[programAddressIndex] ?? ''))
      signatures += BigInt(data?.[0] ?? 0);
  }
  const { units, price } = computeBudgetOf(message);
  const priority = (price * units + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  return signatures * LAMPORTS_PER_SIGNATURE + priority;
}
