import type { FailedTransactionMetadata } from 'litesvm';

/** A TransactionError in the JSON format of a real node: a name, or a name with its fields. */
export type TransactionErrorJson = string | { [variant: string]: unknown };

/** The variants of TransactionError without fields, in the order of litesvm's enumeration. */
export const TRANSACTION_ERRORS = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded',
  'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
] as const;

/** The variants of InstructionError without fields, in the order of litesvm's enumeration. */
export const INSTRUCTION_ERRORS = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
  'BorshIoError',
] as const;

/** The error that litesvm returns for a failed transaction. */
export type SvmError = ReturnType<FailedTransactionMetadata['err']>;

/** Converts litesvm's error to the JSON of a real node. Throws for an unknown variant instead of guessing. */
export function transactionErrorJson(error: SvmError): TransactionErrorJson {
  if (typeof error === 'number') return nameOf(TRANSACTION_ERRORS, error);
  if ('err' in error) return { InstructionError: [error.index, instructionErrorJson(error.err())] };
  if ('accountIndex' in error) {
    // Two variants have an account index and differ only in their class.
    const variant = error.constructor.name.replace(/^TransactionError/, '');
    if (variant !== 'InsufficientFundsForRent' && variant !== 'ProgramExecutionTemporarilyRestricted') {
      throw new Error(`litesvm returned an unknown transaction error: ${variant}. Add it to svm-errors.ts.`);
    }
    return { [variant]: { account_index: error.accountIndex } };
  }
  return { DuplicateInstruction: error.index };
}

type SvmInstructionError = ReturnType<Extract<SvmError, { err(): unknown }>['err']>;

function instructionErrorJson(error: SvmInstructionError): TransactionErrorJson {
  if (typeof error === 'number') return nameOf(INSTRUCTION_ERRORS, error);
  return 'code' in error ? { Custom: error.code } : { BorshIoError: error.msg };
}

function nameOf(names: readonly string[], index: number): string {
  const name = names[index];
  if (name === undefined)
    throw new Error(`litesvm returned an unknown error: ${index}. Add it to svm-errors.ts.`);
  return name;
}

const SENTENCES: Record<string, string> = {
  AlreadyProcessed: 'This transaction has already been processed',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  SignatureFailure: 'Transaction did not pass signature verification',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  InvalidAddressLookupTableOwner: 'Transaction loads an address table account with an invalid owner',
  InvalidAddressLookupTableData: 'Transaction loads an address table account with invalid data',
  InvalidAddressLookupTableIndex: 'Transaction address table lookup uses an invalid index',
};

/** Returns an error as a sentence, as nodes write it. For a variant without a sentence it uses the variant's name. */
export function describeTransactionError(error: TransactionErrorJson): string {
  if (typeof error === 'string') return SENTENCES[error] ?? sentence(error);
  const [variant, fields] = Object.entries(error)[0] ?? ['Unknown', null];
  if (variant !== 'InstructionError' || !Array.isArray(fields)) {
    return describeFields(variant, fields);
  }
  const [index, inner] = fields as [number, string | { Custom?: number }];
  const custom = typeof inner === 'object' ? inner.Custom : undefined;
  const text = custom === undefined ? sentence(inner) : `custom program error: 0x${custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${text}`;
}

function describeFields(variant: string, fields: unknown): string {
  if (variant === 'DuplicateInstruction')
    return `Transaction contains a duplicate instruction (${fields}) that is not allowed`;
  return `${sentence(variant)} ${JSON.stringify(fields)}`;
}

function sentence(variant: unknown): string {
  if (typeof variant !== 'string') return JSON.stringify(variant);
  const words = variant.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
