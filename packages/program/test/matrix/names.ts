/** The names of the IDL as types: an instruction, account or argument that is new to the IDL is new to the compiler. */
import type { ParsedRuleSetPassInstruction, RuleSetPassInstruction } from '@service/protocol/generated';

type Listed = typeof RuleSetPassInstruction;

type Parsed = {
  [Name in keyof Listed & string as Uncapitalize<Name>]: Extract<
    ParsedRuleSetPassInstruction,
    { instructionType: Listed[Name] }
  >;
};

/** An instruction of the IDL. */
export type InstructionName = keyof Parsed;

/** An account of an instruction. */
export type AccountName<Name extends InstructionName> = keyof Parsed[Name]['accounts'] & string;

/** An account of any instruction. */
export type AnyAccountName = { [Name in InstructionName]: AccountName<Name> }[InstructionName];

/** An argument of an instruction; its number or discriminator is none. */
export type ArgumentName<Name extends InstructionName> = Exclude<
  keyof Parsed[Name]['data'] & string,
  'instruction' | 'discriminator'
>;
