/** All rows. An instruction of the IDL without a row does not compile. */
import type { InstructionName } from '../kinds.ts';
import type { Rows } from '../row.ts';
import { CIRCUITS } from './circuits.ts';
import { CREATOR_POWERS } from './creator-powers.ts';
import { CREDENTIALS } from './credentials.ts';
import { GATES } from './gates.ts';
import { GOVERNANCE } from './governance.ts';
import { ISSUERS } from './issuers.ts';
import { PASSES } from './passes.ts';
import { RULE_SETS } from './rule-sets.ts';
import { TOKENS } from './tokens.ts';

export const ROWS: Rows<InstructionName> = {
  ...GOVERNANCE,
  ...CIRCUITS,
  ...CREDENTIALS,
  ...RULE_SETS,
  ...PASSES,
  ...CREATOR_POWERS,
  ...TOKENS,
  ...ISSUERS,
  ...GATES,
};
