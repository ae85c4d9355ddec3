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
    const rent = new TransactionErrorInsufficientFundsForRent();
    const restricted = new TransactionErrorProgramExecutionTemporarilyRestricted();
    for (const [error, json] of [
      [instructionError({ code: 6001 }), { InstructionError: [2, { Custom: 6001 }] }],
      [instructionError({ msg: 'Unknown' }), { InstructionError: [2, { BorshIoError: 'Unknown' }] }],
      [{ index: 1 }, { DuplicateInstruction: 1 }],
      [rent, { InsufficientFundsForRent: { account_index: 3 } }],
      [restricted, { ProgramExecutionTemporarilyRestricted: { account_index: 4 } }],
    ] as const) {
      expect(transactionErrorJson(error as SvmError)).toEqual(json);
    }
  });

  it('throws for unknown errors', () => {
    expect(() => transactionErrorJson(99 as SvmError)).toThrow('99');
    expect(() => transactionErrorJson(instructionError(99))).toThrow('99');
    expect(() => transactionErrorJson({ accountIndex: 1 } as SvmError)).toThrow('Object');
  });
});

it('describes errors in words', () => {
  const custom = { InstructionError: [1, { Custom: 6001 }] };
  const missing = { InstructionError: [0, 'MissingRequiredSignature'] };
  for (const [error, words] of [
    ['BlockhashNotFound', 'Blockhash not found'],
    ['AlreadyProcessed', 'This transaction has already been processed'],
    [custom, 'Error processing Instruction 1: custom program error: 0x1771'],
    [missing, 'Error processing Instruction 0: Missing required signature'],
    [{ DuplicateInstruction: 1 }, 'Transaction contains a duplicate instruction (1) that is not allowed'],
  ] as const) {
    expect(describeTransactionError(error as never)).toBe(words);
  }
});
