/** The expectation of a cell, and how a row of the matrix is written. */
import type { Address, Instruction } from '@solana/kit';
import type { Chain } from '../support/chain.ts';
import type { ErrorName } from '../support/outcome.ts';
import type { ColumnName } from './columns.ts';
import type { AccountName, ArgumentName, InstructionName } from './kinds.ts';

/** Expects that the runtime or another program rejects the instruction, with a text that the outcome must match. */
export const rejectedElsewhere = (text: RegExp, why: string) =>
  ({ kind: 'rejected elsewhere', text, why }) as const;
/** Expects that the instruction works, and says why that is safe. */
export const allowed = (why: string) => ({ kind: 'allowed', why }) as const;
/** Says why no test is possible or needed. */
export const notTested = (why: string) => ({ kind: 'not tested', why }) as const;

/** The expectation of a cell: an error of this program by name, one of another program by number, or a reason. */
export type Expectation =
  | ErrorName
  | number
  | ReturnType<typeof rejectedElsewhere | typeof allowed | typeof notTested>;

/** Returns the same expectation for several columns or accounts. */
export function each<Name extends string>(expected: Expectation, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, expected])) as Record<Name, Expectation>;
}

export type Cells = { readonly [Column in ColumnName]?: Expectation };

/** A chain on which an instruction works, and the instructions that must come before it in its transaction. */
export interface Ready {
  readonly chain: Chain;
  readonly instruction: Instruction;
  readonly before?: readonly Instruction[];
}

/** How an account differs: its cells that are not the default. The default follows from the IDL and the kind. */
export interface AccountRow<Account extends string = string> extends Cells {
  /**
   * `created`: the instruction creates it. `made if missing`: it does not exist, but the instruction could also change
   * it. `changed`: it exists, but the instruction could also create it. `left out`: it is optional and omitted.
   */
  readonly is?: 'created' | 'made if missing' | 'changed' | 'left out';
  /** Returns another account of the same kind, for the column `sameKind`. Creates it if it does not exist. */
  readonly another?: (chain: Chain) => Promise<Address>;
  /** Another account of the instruction in the place of this one. */
  readonly same?: { readonly [Other in Account]?: Expectation };
}

/** A value of one argument, or a state of the chain. */
export interface DataCase {
  readonly what: string;
  readonly expected: Expectation;
  readonly prepare?: (chain: Chain) => unknown;
  /** Changes the data of the scene's instruction. */
  readonly data?: (data: Uint8Array) => ArrayLike<number>;
  /** Replaces the scene's instructions. The last one is the instruction itself. */
  readonly instructions?: () => Promise<readonly Instruction[]>;
}

/** An instruction in one of the states in which it works. */
export interface Scene<Account extends string = string> {
  readonly ready: () => Promise<Ready>;
  readonly accounts: { readonly [Name in Account]: AccountRow<Account> };
  /** While the protocol is paused. */
  readonly paused: Expectation;
  /** With more accounts than it names. @default WRONG_ACCOUNT_COUNT */
  readonly more?: Expectation;
  /** When it is sent a second time, in the same transaction or in the next one. */
  readonly twice: Expectation;
}

/** The scenes of an instruction by name, and the cases of its data, which are tried in the first scene. */
export interface Row<Account extends string = string, Argument extends string = string> {
  readonly scenes: Readonly<Record<string, Scene<Account>>>;
  /** How many bytes at the end of the first scene's data may be left out together. @default none */
  readonly optionalBytes?: readonly number[];
  readonly data: { readonly [Name in Argument]: readonly DataCase[] | ReturnType<typeof notTested> };
  /** When its data is shorter, but not empty, or longer. @default INVALID_INSTRUCTION_DATA */
  readonly otherLength?: Expectation;
}

/** Rows of instructions by name. */
export type Rows<Names extends InstructionName> = {
  readonly [Name in Names]: Row<AccountName<Name>, ArgumentName<Name>>;
};

/** The accounts of a scene of an instruction. */
export type Accounts<Name extends InstructionName> = Scene<AccountName<Name>>['accounts'];
