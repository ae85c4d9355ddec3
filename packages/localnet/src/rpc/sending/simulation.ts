import { type Address, getAddressDecoder } from '@solana/kit';
import type { AccountState } from '../../chain/account-versions.ts';
import { UPGRADEABLE_LOADER } from '../../chain/addresses.ts';
import type { SimulateOptions } from '../../chain/chain.ts';
import { FEE_ONLY_ERRORS, feeOf, isCharged } from '../../chain/fees.ts';
import type { SimulatedExecution } from '../../chain/svm.ts';
import { describeTransactionError } from '../../chain/svm-errors.ts';
import {
  accountKeys,
  type DecodedTransaction,
  type LoadedAddresses,
  lookupTables,
} from '../../chain/transaction.ts';
import { toBase64 } from '../account-encoding.ts';
import { invalidParams } from '../errors.ts';
import type { RpcNode } from '../node.ts';

/** Errors that a node finds before it looks at the accounts. They are invalid parameters. */
const SANITIZE_ERRORS: readonly string[] = [
  'SanitizeFailure',
  'DuplicateInstruction',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
];

/** Every account counts this many bytes in addition to its data, and every lookup table this many. */
const ACCOUNT_BYTES = 64n;
const LOOKUP_TABLE_BYTES = 8_248n;
/** Offset of the address of the account with the code, in an upgradeable program. */
const PROGRAM_DATA_OFFSET = 4;

/** A simulated transaction, with everything that responses say about it. */
export interface Simulation extends SimulatedExecution {
  decoded: DecodedTransaction;
  slot: bigint;
  keys: Address[];
  loaded: LoadedAddresses;
  /** Lamports; null if the transaction would not land. */
  fee: bigint | null;
}

/** Simulates a transaction. Throws -32602 for one that a node cannot sanitize. */
export function simulate(node: RpcNode, decoded: DecodedTransaction, options: SimulateOptions): Simulation {
  const { slot } = options;
  const simulated = node.chain.simulate(decoded, options);
  const { err } = simulated;
  const variant = typeof err === 'object' && err !== null ? Object.keys(err)[0]! : err;
  if (variant !== null && SANITIZE_ERRORS.includes(variant))
    throw invalidParams(`invalid transaction: ${describeTransactionError(err!)}`);
  const loaded = node.chain.loadedAddresses(decoded, slot);
  const keys = accountKeys(decoded.message, loaded);
  const fee = isCharged(err, decoded.message) ? feeOf(decoded.message) : null;
  return { ...simulated, decoded, slot, keys, loaded, fee };
}

/** Returns the members that results of simulations and failures of preflight share. */
export function simulationJson(node: RpcNode, simulation: Simulation) {
  const { err, logs, unitsConsumed, returnData, fee } = simulation;
  return {
    err,
    logs,
    unitsConsumed,
    loadedAccountsDataSize: loadedDataSize(node, simulation),
    returnData: returnData && {
      programId: returnData.programId,
      data: [toBase64(returnData.data), 'base64'],
    },
    fee,
  };
}

/** Returns the bytes that count for the limit of loaded data: accounts, code of programs, and lookup tables. */
function loadedDataSize({ chain }: RpcNode, { err, fee, slot, keys, decoded }: Simulation): bigint {
  if (fee === null || (err !== null && FEE_ONLY_ERRORS.has(err))) return 0n;
  const addresses = new Set(keys);
  const read = (address: Address) => chain.account(address, slot);
  for (const address of keys) {
    const state = read(address);
    if (state?.owner === UPGRADEABLE_LOADER && state.executable)
      addresses.add(getAddressDecoder().decode(state.data, PROGRAM_DATA_OFFSET));
  }
  const sizeOf = (state: AccountState | null) => (state ? ACCOUNT_BYTES + BigInt(state.data.length) : 0n);
  const tables = BigInt(lookupTables(decoded.message).length) * LOOKUP_TABLE_BYTES;
  return [...addresses].reduce((sum, address) => sum + sizeOf(read(address)), tables);
}
