import { addressOf } from '../../support/chain.ts';
import { at, credentialAt } from '../../support/governance.ts';
import {
  bindMint,
  execute,
  issueTokens,
  marketChain,
  markTransfer,
  readingChain,
} from '../../support/market.ts';
import { addMint, permanentDelegate, transferHook } from '../../support/mints.ts';
import { addRuleSet, passAt, ruleSetChain } from '../../support/rule-sets.ts';
import { BOTH, ONE, READS_BOTH, READS_ONE, tokens } from '../../support/token-instructions.ts';
import { ANY_VALUE, flagAt, U64_MAX, valuesOf, withChange } from '../cases.ts';
import { NOT_OF_PROGRAM, OTHER_ADDRESS } from '../columns.ts';
import {
  type AccountRow,
  type Accounts,
  allowed,
  type Expectation,
  each,
  notTested,
  type Ready,
  type Rows,
  rejectedElsewhere,
  type Scene,
} from '../row.ts';

/** Hook and permanent delegate of the issuer, which the binding takes over. */
async function heldByIssuer() {
  const issuer = await addressOf('issuer');
  return [transferHook({ authority: issuer, program: null }), permanentDelegate(issuer)];
}

const binding = (
  requireSource: boolean,
  extensions: () => Promise<ReturnType<typeof transferHook>[]> = async () => [transferHook()],
): Scene<keyof Accounts<'bindMint'>> => ({
  ready: async () => {
    const chain = await ruleSetChain();
    await addMint(chain, { extensions: await extensions() });
    const terms = { honoursGranted: true, readsCredential: true };
    return { chain, instruction: await bindMint({ requireSource, ...terms }) };
  },
  accounts: {
    issuer: { otherWallet: 'MINT_AUTHORITY_MISMATCH' },
    mint: {
      another: (chain) => addMint(chain, { mint: 'other mint' }),
      // Another mint of the issuer is valid, but the binding is at the address of the first.
      sameKind: 'WRONG_ADDRESS',
    },
    ruleSet: {
      another: (chain) => addRuleSet(chain, { creator: 'outsider' }),
      sameKind: allowed('A mint may be bound to the rule set of another creator.'),
    },
    // The program rejects its own accounts before it checks the address.
    mintBinding: { is: 'created', same: each('ALREADY_INITIALIZED', 'ruleSet', 'config') },
    extraAccountMetaList: { is: 'created' },
    config: {},
    tokenProgram: {},
    systemProgram: {},
  },
  paused: 'PROTOCOL_PAUSED',
  twice: 'ALREADY_INITIALIZED',
});

const MINTING = rejectedElsewhere(
  /IncorrectProgramId|InvalidAccountData|UninitializedAccount/,
  'The binding names the mint. Token-2022 checks its content when it mints.',
);

const NOT_READ = allowed('Token-2022 has checked it. The program does not read it here.');

/** Returns a chain as it is while Token-2022 calls the hook, with both accounts marked. */
async function midTransfer(mint: string): Promise<Ready> {
  const chain = await (mint === READS_ONE || mint === READS_BOTH ? readingChain() : marketChain());
  await markTransfer(chain, mint);
  return { chain, instruction: await execute({ mint }) };
}

const pass = (missing: Expectation, other: string): AccountRow => ({
  another: () => passAt(other),
  sameKind: 'WRONG_ADDRESS',
  ...each(missing, ...NOT_OF_PROGRAM),
});

const credential = (other: string): AccountRow => ({
  another: () => credentialAt(other),
  sameKind: 'WRONG_ADDRESS',
  ...each('CREDENTIAL_MISSING', ...NOT_OF_PROGRAM),
});

const LEFT_OUT: AccountRow = { is: 'left out', otherWallet: 'WRONG_ACCOUNT_COUNT' };

/** The accounts of a transfer that only some bindings require. */
const WITHOUT = { destinationCredential: LEFT_OUT, sourcePass: LEFT_OUT, sourceCredential: LEFT_OUT };

const executing = (
  mint: string,
  otherMint: string,
  optional: Partial<typeof WITHOUT> = {},
): Scene<keyof Accounts<'execute'>> => ({
  ready: () => midTransfer(mint),
  accounts: {
    source: {
      another: () => tokens('holder', otherMint),
      sameKind: 'TOKEN_ACCOUNT_INVALID',
      same: { destination: 'DUPLICATE_ACCOUNT' },
    },
    mint: {
      another: () => addressOf(otherMint),
      ...each(NOT_READ, 'systemOwned', 'otherProgramOwned', 'shorter', 'zeros', 'missing'),
      ...each('BINDING_MISMATCH', ...OTHER_ADDRESS),
    },
    destination: {
      another: () => tokens('other holder', otherMint),
      sameKind: 'TOKEN_ACCOUNT_INVALID',
      same: { source: 'DUPLICATE_ACCOUNT' },
    },
    authority: { otherWallet: NOT_READ },
    extraAccountMetaList: {
      another: async () => at.extraAccountMetaList(await addressOf(otherMint)),
      sameKind: 'BINDING_MISMATCH',
    },
    config: {},
    destinationPass: pass('DESTINATION_PASS_MISSING', 'holder'),
    ...WITHOUT,
    ...optional,
  },
  paused: 'PROTOCOL_PAUSED',
  twice: allowed('It writes nothing.'),
});

export const TOKENS: Rows<'bindMint' | 'issueTokens' | 'execute'> = {
  bindMint: {
    scenes: {
      'for destinations': binding(false),
      'for both': binding(true),
      'with authorities to take over': binding(false, heldByIssuer),
    },
    optionalBytes: [1, 2],
    data: {
      requireSource: flagAt(1),
      terms: [
        ...[2, 3].flatMap((place) => [
          ...flagAt(place),
          ...[0, 1].map((value) =>
            withChange(`have ${value} at ${place}`, allowed('It is a truth value.'), (data) =>
              data.with(place, value),
            ),
          ),
        ]),
        withChange('are left out', allowed('Then the mint honours no granted pass.'), (data) =>
          data.slice(0, 2),
        ),
        withChange('say nothing of credentials', allowed('Then transfers read none.'), (data) =>
          data.slice(0, 3),
        ),
      ],
    },
  },

  issueTokens: {
    scenes: {
      'to a holder': {
        ready: async () => ({ chain: await marketChain(), instruction: await issueTokens() }),
        accounts: {
          issuer: { otherWallet: 'NOT_ISSUER' },
          config: {},
          mintBinding: {
            another: async () => at.mintBinding(await addressOf(BOTH)),
            sameKind: 'BINDING_MISMATCH',
            otherBump: rejectedElsewhere(
              /PrivilegeEscalation|Provided seeds do not result in a valid address/,
              'The binding signs for the mint with this bump. Only the program can write it.',
            ),
          },
          mint: {
            another: () => addressOf(BOTH),
            ...each('BINDING_MISMATCH', ...OTHER_ADDRESS),
            ...each(MINTING, 'systemOwned', 'otherProgramOwned', 'zeros', 'missing'),
            shorter: notTested('Only Token-2022 can write it, and Token-2022 reads only its first bytes.'),
          },
          destination: { another: () => tokens('holder', BOTH), sameKind: 'TOKEN_ACCOUNT_INVALID' },
          pass: pass('DESTINATION_PASS_MISSING', 'other holder'),
          credential: credential('other holder'),
          tokenProgram: {},
        },
        paused: 'PROTOCOL_PAUSED',
        twice: allowed('The issuer may issue any number of times.'),
      },
    },
    data: {
      amount: valuesOf(issueTokens, 'amount', [
        [0n, 'AMOUNT_INVALID'],
        [1n, allowed('It is the smallest amount.')],
        [U64_MAX - 1_000n, allowed('The supply just fits.')],
        // 14 of Token-2022: Overflow.
        [U64_MAX - 999n, 14],
        [U64_MAX, 14],
      ]),
    },
  },

  execute: {
    scenes: {
      'for destinations': executing(ONE, BOTH),
      'for both': executing(BOTH, ONE, { sourcePass: pass('SOURCE_PASS_MISSING', 'other holder') }),
      'for destinations, with the credential': executing(READS_ONE, READS_BOTH, {
        destinationCredential: credential('holder'),
      }),
      'for both, with credentials': executing(READS_BOTH, READS_ONE, {
        destinationCredential: credential('holder'),
        sourcePass: pass('SOURCE_PASS_MISSING', 'other holder'),
        sourceCredential: credential('other holder'),
      }),
    },
    data: { amount: ANY_VALUE },
  },
};
