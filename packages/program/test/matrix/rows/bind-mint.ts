import { bindMint } from '../../support/bindings.ts';
import { readyChain } from '../../support/governance.ts';
import { addMint } from '../../support/mints.ts';
import { addRuleSet } from '../../support/rule-sets.ts';
import { flagAt } from '../cases.ts';
import { works } from '../expectation.ts';
import type { Row, Scene } from '../row.ts';

const scene = (requireSource: boolean): Scene<'bindMint'> => ({
  ready: async () => {
    const chain = await readyChain();
    await addRuleSet(chain);
    await addMint(chain);
    return { chain, instruction: await bindMint({ requireSource }) };
  },
  accounts: {
    issuer: { cells: { otherWallet: 'MINT_AUTHORITY_MISMATCH' } },
    mint: {
      other: (chain) => addMint(chain, { mint: 'other mint' }),
      // Another mint of the issuer is as good, but the binding is at the address of the first.
      cells: { other: 'WRONG_ADDRESS' },
    },
    ruleSet: {
      other: (chain) => addRuleSet(chain, { creator: 'outsider' }),
      cells: { other: works('A mint may be bound to the rule set of somebody else.') },
    },
    // What is of the program is told apart before the address is.
    mintBinding: { is: 'created', same: { ruleSet: 'ALREADY_INITIALIZED', config: 'ALREADY_INITIALIZED' } },
    extraAccountMetaList: { is: 'created' },
    config: {},
    tokenProgram: {},
    systemProgram: {},
  },
  whole: { paused: 'PROTOCOL_PAUSED', twice: 'ALREADY_INITIALIZED' },
});

/** The row of `bind-mint`. */
export const row: Row<'bindMint'> = {
  scenes: { 'for destinations': scene(false), 'for both': scene(true) },
  data: { requireSource: flagAt(1) },
};
