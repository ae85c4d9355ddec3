import { HOLDER_EXPIRY, holdersChain } from '../../support/bindings.ts';
import { addressOf, type Chain } from '../../support/chain.ts';
import { at, CIRCUIT_ID, retireCircuit, setCircuit, setVerifier } from '../../support/governance.ts';
import { closePass } from '../../support/passes.ts';
import { addRuleSet, ruleAddress } from '../../support/rule-sets.ts';
import { WHILE_PAUSED } from '../cases.ts';
import { type Expectation, each, notTested, works } from '../expectation.ts';
import type { AccountRow, Row, Scene } from '../row.ts';

const ADDRESS_FIRST = {
  ...each('WRONG_ADDRESS', 'other', 'otherWallet', 'posing', 'posingToken'),
};

const UNREAD = works(
  'It is the one that the pass names, and there is a reason to close already: it is not read.',
);
const NOT_READ = {
  ...each(
    UNREAD,
    'systemOwned',
    'otherProgramOwned',
    'typed',
    'version',
    'shorter',
    'longer',
    'zeros',
    'missing',
  ),
};

const verifier = (cells: AccountRow<'closePass'>['cells']): AccountRow<'closePass'> => ({
  other: async () => at.verifier(await addressOf('second verifier')),
  cells: { ...ADDRESS_FIRST, ...cells },
});

const circuit = (cells: AccountRow<'closePass'>['cells']): AccountRow<'closePass'> => ({
  other: async (chain) => {
    const previousCircuit = await at.circuit(CIRCUIT_ID);
    await chain.confirm(setCircuit({ id: 'next', previousCircuit }));
    return at.circuit('next');
  },
  cells: { ...ADDRESS_FIRST, ...cells },
});

const scene = (
  prepare: (chain: Chain) => void | Promise<void>,
  reopened: Expectation,
  by: Pick<Scene<'closePass'>['accounts'], 'verifier' | 'circuit'>,
): Scene<'closePass'> => ({
  ready: async () => {
    const chain = await holdersChain();
    await prepare(chain);
    return { chain, instruction: await closePass() };
  },
  accounts: {
    pass: {
      other: async () => at.pass(await ruleAddress(), await addressOf('other holder')),
      cells: { other: 'WRONG_ADDRESS', reopened },
    },
    wallet: { cells: { otherWallet: 'WRONG_ADDRESS' } },
    ruleSet: {
      other: (chain) => addRuleSet(chain, { creator: 'outsider' }),
      cells: ADDRESS_FIRST,
    },
    credential: {
      other: async () => at.credential(await addressOf('other holder')),
      cells: { other: 'WRONG_ADDRESS' },
      // The pass is being changed when the credential is to be read.
      same: { pass: 'DUPLICATE_ACCOUNT' },
    },
    ...by,
  },
  whole: { paused: WHILE_PAUSED, twice: 'WRONG_OWNER' },
});

/** The row of `close-pass`. */
export const row: Row<'closePass'> = {
  scenes: {
    'of an expired one': scene((chain) => chain.setTime(HOLDER_EXPIRY), 'PASS_LIVE', {
      verifier: verifier(NOT_READ),
      circuit: circuit(NOT_READ),
    }),
    'of an inactive verifier': scene(
      async (chain) => {
        await chain.confirm(setVerifier({ active: false }));
      },
      'PASS_LIVE',
      { verifier: verifier({}), circuit: circuit(NOT_READ) },
    ),
    'of an unsound circuit': scene(
      async (chain) => {
        await chain.confirm(retireCircuit({ unsound: true }));
      },
      notTested('Nothing can be proved with an unsound circuit.'),
      { verifier: verifier({}), circuit: circuit({}) },
    ),
  },
  data: {},
};
