/** How a row of the matrix is written down. */
import type { Address, Instruction } from '@solana/kit';
import type { Chain } from '../support/chain.ts';
import type { Expectation, NotTested } from './expectation.ts';
import type { AccountName, ArgumentName, InstructionName } from './names.ts';
import type { Refusal } from './refusals.ts';

/** A chain on which an instruction works. */
export interface Ready {
  readonly chain: Chain;
  readonly instruction: Instruction;
  /** Instructions that must come before it in the same transaction. */
  readonly before?: readonly Instruction[];
}

/** What differs for an account. Everything else follows from the IDL and the kind of the account. */
export interface AccountRow<Name extends InstructionName> {
  /**
   * `created`: nothing is there before. `made if missing`: nothing is there, and it would be changed if it were;
   * `changed`: it is there, and it would be made if it were not. `left out`: an optional one that this scene has not.
   */
  readonly is?: 'created' | 'made if missing' | 'changed' | 'left out';
  /** An account of the same kind that is somebody else's, put on the chain where it is not there. */
  readonly other?: (chain: Chain) => Promise<Address>;
  /** Cells whose expectation differs from the default. */
  readonly cells?: { readonly [Column in Refusal]?: Expectation };
  /** The same account twice: another account of the instruction in the place of this one. */
  readonly same?: { readonly [Account in AccountName<Name>]?: Expectation };
}

/** A value of one argument, or a state of the chain, and what happens. */
export interface DataCase {
  readonly what: string;
  readonly expected: Expectation;
  /** Changes the chain before. */
  readonly prepare?: (chain: Chain) => void | Promise<void>;
  /** Changes the data of the scene's instruction. */
  readonly data?: (data: Uint8Array) => ArrayLike<number>;
  /** In place of the scene's instructions; the last one is the instruction itself. */
  readonly instructions?: () => Promise<readonly Instruction[]>;
}

/** What happens to an instruction as a whole. */
export interface Whole {
  /** While the protocol is paused. */
  readonly paused: Expectation;
  /** When it is sent a second time, in the same transaction or in the next one. */
  readonly twice: Expectation;
}

/** An instruction in one of the states in which it works. */
export interface Scene<Name extends InstructionName> {
  readonly ready: () => Promise<Ready>;
  readonly accounts: { readonly [Account in AccountName<Name>]: AccountRow<Name> };
  readonly whole: Whole;
}

/** A row: the scenes of an instruction by name, and its data, tried in the first scene. */
export interface Row<Name extends InstructionName> {
  readonly scenes: Readonly<Record<string, Scene<Name>>>;
  readonly data: { readonly [Argument in ArgumentName<Name>]: readonly DataCase[] | NotTested };
}

/** A row whose names are plain text, as the engine walks it. */
export interface AnyRow {
  readonly scenes: Readonly<Record<string, AnyScene>>;
  readonly data: Readonly<Record<string, readonly DataCase[] | Expectation>>;
}

/** A scene whose names are plain text. */
export interface AnyScene {
  readonly ready: () => Promise<Ready>;
  readonly accounts: Readonly<Record<string, AnyAccountRow>>;
  readonly whole: Whole;
}

/** An account's row whose names are plain text. */
export interface AnyAccountRow extends Omit<AccountRow<InstructionName>, 'same'> {
  readonly same?: Readonly<Record<string, Expectation>>;
}
