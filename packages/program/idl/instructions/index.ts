/** The instructions, each with its accounts in order and then its data. */
import { questions } from '../token-acl.ts';
import { execute } from '../transfer-hook.ts';
import { credentialInstructions } from './credentials.ts';
import { governanceInstructions } from './governance.ts';
import { issuerInstructions } from './issuers.ts';
import { passInstructions } from './passes.ts';
import { ruleSetInstructions } from './rule-sets.ts';
import { tokenInstructions } from './tokens.ts';

export const instructions = [
  ...questions,
  ...governanceInstructions,
  ...credentialInstructions,
  ...ruleSetInstructions,
  ...passInstructions,
  ...tokenInstructions,
  ...issuerInstructions,
  execute,
];
