import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  describeTransactionError,
  INSTRUCTION_ERRORS,
  type SvmError,
  TRANSACTION_ERRORS,
  transactionErrorJson,
} from './svm-errors.ts';

const require = createRequire(import.meta.url);
const types = readFileSync(require.resolve('litesvm/dist/internal.d.ts'), 'utf8');

/** Returns the names of one of litesvm's enumerations in the order of their numbers, from its type file. */
function numbered(enumeration: string): string[] {
  const body = new RegExp(`enum ${enumeration} \\{([^}]*)\\}`).exec(types)![1]!;
  const members = [...body.matchAll(/(\w+) = (\d+)/g)].map(([, name, number]) => ({ name: name!, number }));
  members.forEach(({ number }, index) => {
    expect(number).toBe(String(index));
  });
  return members.map(({ name }) => name);
}

/** Objects like those of the native binding. Two of its variants differ only in their class. */
class TransactionErrorInsufficientFundsForRent {
  accountIndex = 3;
}
class TransactionErrorProgramExecutionTemporarilyRestricted {
  accountIndex = 4;
}
const instructionError = (err: unknown) => ({ index: 2, err: () => err }) as unknown as SvmError;

describe('transactionErrorJson', () => {
  it('names every variant without fields by the number in litesvm', () => {
    expect(numbered('TransactionErrorFieldless')).toEqual([...TRANSACTION_ERRORS]);
    expect(numbered('InstructionErrorFieldless')).toEqual([...INSTRUCTION_ERRORS]);
    TRANSACTION_ERRORS.forEach((name, index) => {
      expect(transactionErrorJson(index as SvmError)).toBe(name);
    });
    INSTRUCTION_ERRORS.forEach((name, index) => {
      expect(transactionErrorJson(instructionError(index))).toEqual({ InstructionError: [2, name] });
    });
  });

  it('has the same classes with fields as litesvm', () => {
    for (const { name } of [
      TransactionErrorInsufficientFundsForRent,
      TransactionErrorProgramExecutionTemporarilyRestricted,
    ]) {
      expect(types).toContain(`class ${name} {\n  accountIndex: number`);
    }
  });

  it('writes variants with fields in the format of a node', () => {
    expect(transactionErrorJson(instructionError({ code: 6001 }))).toEqual({
      InstructionError: [2, { Custom: 6001 }],
    });
    expect(transactionErrorJson(instructionError({ msg: 'Unknown' }))).toEqual({
      InstructionError: [2, { BorshIoError: 'Unknown' }],
    });
    expect(transactionErrorJson({ index: 1 } as SvmError)).toEqual({ DuplicateInstruction: 1 });
    const rent = new TransactionErrorInsufficientFundsForRent() as SvmError;
    expect(transactionErrorJson(rent)).toEqual({ InsufficientFundsForRent: { account_index: 3 } });
    const restricted = new TransactionErrorProgramExecutionTemporarilyRestricted() as SvmError;
    expect(transactionErrorJson(restricted)).toEqual({
      ProgramExecutionTemporarilyRestricted: { account_index: 4 },
    });
  });

  it('throws for unknown errors', () => {
    expect(() => transactionErrorJson(99 as SvmError)).toThrow('99');
    expect(() => transactionErrorJson(instructionError(99))).toThrow('99');
    expect(() => transactionErrorJson({ accountIndex: 1 } as SvmError)).toThrow('Object');
  });
});

it('describes errors in words', () => {
  expect(describeTransactionError('BlockhashNotFound')).toBe('Blockhash not found');
  expect(describeTransactionError('AlreadyProcessed')).toBe('This transaction has already been processed');
  expect(describeTransactionError({ InstructionError: [1, { Custom: 6001 }] })).toBe(
    'Error processing Instruction 1: custom program error: 0x1771',
  );
  expect(describeTransactionError({ InstructionError: [0, 'MissingRequiredSignature'] })).toBe(
    'Error processing Instruction 0: Missing required signature',
  );
  expect(describeTransactionError({ DuplicateInstruction: 1 })).toBe('Duplicate instruction 1');
});
