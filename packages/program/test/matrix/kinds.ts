/** What the accounts of the instructions are: what is checked of an account follows from that. */
import type { AnyAccountName } from './names.ts';

/** The types of the program's accounts, by the number that their data begins with. */
export const TYPES = {
  config: 1,
  treasury: 2,
  verifier: 3,
  circuit: 4,
  credential: 5,
  ruleSet: 6,
  mintBinding: 7,
  pass: 8,
} as const;

/** An account of the program. */
export type RecordKind = keyof typeof TYPES;

/** What an account is; a wallet that the IDL marks as signer is a signer. */
export type Kind =
  | RecordKind
  | 'extraAccountMetaList'
  | 'wallet'
  | 'program'
  | 'programData'
  | 'mint'
  | 'tokenAccount';

/** The kind of every account that an instruction names. */
export const KINDS: { readonly [Name in AnyAccountName]: Kind } = {
  authority: 'wallet',
  circuit: 'circuit',
  config: 'config',
  creator: 'wallet',
  credential: 'credential',
  destination: 'tokenAccount',
  destinationPass: 'pass',
  extraAccountMetaList: 'extraAccountMetaList',
  instructionsSysvar: 'program',
  issuer: 'wallet',
  mint: 'mint',
  mintBinding: 'mintBinding',
  nextAuthority: 'wallet',
  pass: 'pass',
  payer: 'wallet',
  previousCircuit: 'circuit',
  previousVerifier: 'verifier',
  programData: 'programData',
  recipient: 'wallet',
  ruleSet: 'ruleSet',
  source: 'tokenAccount',
  sourcePass: 'pass',
  systemProgram: 'program',
  tokenProgram: 'program',
  treasury: 'treasury',
  upgradeAuthority: 'wallet',
  verifier: 'verifier',
  verifierAuthority: 'wallet',
  wallet: 'wallet',
};

/** Whether accounts of this kind are the program's own, with type, version and bump in front. */
export function isRecord(kind: Kind): kind is RecordKind {
  return kind in TYPES;
}
