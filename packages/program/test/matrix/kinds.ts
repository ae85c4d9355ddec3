/** The names of the IDL as types, so that a new one does not compile without a row, and the kinds of the accounts. */
import type { ParsedRuleSetPassInstruction, RuleSetPassInstruction } from '@service/protocol/generated';

type Numbers = typeof RuleSetPassInstruction;

type Parsed = {
  [Name in keyof Numbers & string as Uncapitalize<Name>]: Extract<
    ParsedRuleSetPassInstruction,
    { instructionType: Numbers[Name] }
  >;
};

export type InstructionName = keyof Parsed;
export type AccountName<Name extends InstructionName> = keyof Parsed[Name]['accounts'] & string;
type AnyAccountName = { [Name in InstructionName]: AccountName<Name> }[InstructionName];

/** An argument of an instruction, except its own number or discriminator. */
export type ArgumentName<Name extends InstructionName> = Exclude<
  keyof Parsed[Name]['data'] & string,
  'instruction' | 'discriminator'
>;

/** The types of the program's accounts: the first byte of their data. */
export const TYPES = {
  config: 1,
  treasury: 2,
  verifier: 3,
  circuit: 4,
  credential: 5,
  ruleSet: 6,
  mintBinding: 7,
  pass: 8,
  place: 9,
} as const;

export type RecordKind = keyof typeof TYPES;

/** Bytes of the last entry of each list of accounts, with its version and bump in front. */
export const LIST_ENTRY_BYTES = { extraAccountMetaList: 163, thawList: 131, freezeList: 131 } as const;

/** A list of accounts by the interface of another program. */
export type ListKind = keyof typeof LIST_ENTRY_BYTES;

/** What an account is. What is checked follows from that. A wallet that the IDL marks as signer is a signer. */
export type Kind =
  | RecordKind
  | ListKind
  | 'mintConfig'
  | 'wallet'
  | 'program'
  | 'programData'
  | 'mint'
  | 'tokenAccount';

/** The kinds of the accounts that are not named after their kind. */
const OTHER_NAMES: { readonly [Name in Exclude<AnyAccountName, Kind>]: Kind } = {
  authority: 'wallet',
  caller: 'wallet',
  creator: 'wallet',
  destination: 'tokenAccount',
  destinationCredential: 'credential',
  destinationPass: 'pass',
  flag: 'wallet',
  instructionsSysvar: 'program',
  issuer: 'wallet',
  nominee: 'wallet',
  payer: 'wallet',
  previousCircuit: 'circuit',
  previousVerifier: 'verifier',
  recipient: 'wallet',
  replacedPass: 'pass',
  replacedWallet: 'wallet',
  sender: 'wallet',
  source: 'tokenAccount',
  sourceCredential: 'credential',
  sourcePass: 'pass',
  systemProgram: 'program',
  tokenAccountOwner: 'wallet',
  tokenProgram: 'program',
  upgradeAuthority: 'wallet',
  verifierAuthority: 'wallet',
};

/** Returns the kind of an account that an instruction names. */
export const kindOf = (account: string): Kind => ({ ...OTHER_NAMES })[account] ?? (account as Kind);

/** Whether accounts of this kind are the program's own, with type, version and bump in front. */
export const isRecord = (kind: Kind): kind is RecordKind => kind in TYPES;

/** Whether accounts of this kind are lists of accounts. */
export const isList = (kind: Kind): kind is ListKind => kind in LIST_ENTRY_BYTES;
