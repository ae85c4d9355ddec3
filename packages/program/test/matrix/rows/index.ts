/** All rows: an instruction of the IDL that has none does not compile. */
import type { InstructionName } from '../names.ts';
import type { Row } from '../row.ts';
import { row as bindMint } from './bind-mint.ts';
import { row as closePass } from './close-pass.ts';
import { row as createRuleSet } from './create-rule-set.ts';
import { row as execute } from './execute.ts';
import { row as initialize } from './initialize.ts';
import { row as issueCredential } from './issue-credential.ts';
import { row as issueTokens } from './issue-tokens.ts';
import { row as prove } from './prove.ts';
import { row as retireCircuit } from './retire-circuit.ts';
import { row as revokeCredential } from './revoke-credential.ts';
import { row as setCircuit } from './set-circuit.ts';
import { row as setGovernance } from './set-governance.ts';
import { row as setVerifier } from './set-verifier.ts';
import { row as withdrawFees } from './withdraw-fees.ts';
import { row as withdrawPassFunds } from './withdraw-pass-funds.ts';

/** The rows by instruction. */
export const ROWS: { readonly [Name in InstructionName]: Row<Name> } = {
  initialize,
  setGovernance,
  setVerifier,
  setCircuit,
  retireCircuit,
  withdrawFees,
  issueCredential,
  revokeCredential,
  createRuleSet,
  withdrawPassFunds,
  bindMint,
  prove,
  closePass,
  issueTokens,
  execute,
};
