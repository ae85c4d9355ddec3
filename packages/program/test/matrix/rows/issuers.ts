import type { Instruction } from '@solana/kit';
import { addressOf } from '../../support/chain.ts';
import { at, credentialAt } from '../../support/governance.ts';
import {
  acceptIssuer,
  addSecurity,
  announceInTime,
  announceRule,
  applyRule,
  nominateIssuer,
  recover,
  redeem,
  SECURITY,
  securityChain,
} from '../../support/issuers.ts';
import { addRuleSet, passAt } from '../../support/rule-sets.ts';
import { tokens } from '../../support/token-instructions.ts';
import { casesOf, flagAt, U64_MAX, valuesOf, WHILE_PAUSED, withChange } from '../cases.ts';
import { NOT_OF_PROGRAM, OTHER_ADDRESS } from '../columns.ts';
import { type AccountRow, allowed, type DataCase, each, type Rows, rejectedElsewhere } from '../row.ts';
import { SAME_VALUES } from './governance.ts';

const OTHER = 'other security';

const ISSUER = { otherWallet: 'NOT_ISSUER' } as const;
const bindingOfOther = async () => at.mintBinding(await addressOf(OTHER));
const BINDING_OF_ISSUER: AccountRow = {
  another: bindingOfOther,
  sameKind: allowed('The issuer of several mints chooses one.'),
};
const LIST: AccountRow<'mintBinding'> = {
  another: async () => at.extraAccountMetaList(await addressOf(OTHER)),
  sameKind: 'BINDING_MISMATCH',
  same: { mintBinding: 'DUPLICATE_ACCOUNT' },
};

/** A security and another one of the same issuer. */
async function ready() {
  const chain = await securityChain();
  await addSecurity(chain, { mint: OTHER });
  return chain;
}

const removing = {
  issuer: ISSUER,
  config: {},
  mintBinding: {
    another: bindingOfOther,
    sameKind: 'BINDING_MISMATCH',
    otherBump: rejectedElsewhere(
      /PrivilegeEscalation|Provided seeds do not result in a valid address/,
      'The binding signs for the mint with this bump. Only the program can write it.',
    ),
  },
  mint: { another: () => addressOf(OTHER), ...each('BINDING_MISMATCH', ...OTHER_ADDRESS) },
  source: { another: () => tokens('holder', OTHER), sameKind: 'TOKEN_ACCOUNT_INVALID' },
  tokenProgram: {},
} as const satisfies Record<string, AccountRow>;

const AGAIN = allowed('The issuer may take tokens any number of times.');

const dataOf = (make: (change?: { amount?: bigint; reason?: number }) => Promise<Instruction>) => ({
  amount: valuesOf(make, 'amount', [
    [0n, 'AMOUNT_INVALID'],
    [1n, allowed('It is the smallest amount.')],
    [1_000n, allowed('It is all that the holder has.')],
    // 1 of Token-2022: InsufficientFunds.
    [1_001n, 1],
    [U64_MAX, 1],
  ]),
  reason: [0, 1, 7, 8, 255].map(
    (reason): DataCase =>
      casesOf(make)(
        `is ${reason}`,
        { reason },
        reason === 1 || reason === 7 ? allowed('It is a code.') : 'REASON_INVALID',
      ),
  ),
});

export const ISSUERS: Rows<
  'recover' | 'redeem' | 'nominateIssuer' | 'acceptIssuer' | 'announceRule' | 'applyRule'
> = {
  recover: {
    scenes: {
      'to a holder': {
        ready: async () => ({ chain: await ready(), instruction: await recover() }),
        accounts: {
          ...removing,
          source: { ...removing.source, same: { destination: 'DUPLICATE_ACCOUNT' } },
          destination: {
            another: () => tokens('holder', OTHER),
            sameKind: 'TOKEN_ACCOUNT_INVALID',
            same: { source: 'DUPLICATE_ACCOUNT' },
          },
          pass: {
            another: () => passAt('holder'),
            sameKind: 'WRONG_ADDRESS',
            ...each('DESTINATION_PASS_MISSING', ...NOT_OF_PROGRAM),
          },
          credential: {
            another: () => credentialAt('holder'),
            sameKind: 'WRONG_ADDRESS',
            ...each('CREDENTIAL_MISSING', ...NOT_OF_PROGRAM),
          },
        },
        paused: 'PROTOCOL_PAUSED',
        twice: AGAIN,
      },
    },
    data: dataOf(recover),
  },

  redeem: {
    scenes: {
      'of a holder': {
        ready: async () => ({ chain: await ready(), instruction: await redeem() }),
        accounts: removing,
        paused: 'PROTOCOL_PAUSED',
        twice: AGAIN,
      },
    },
    data: dataOf(redeem),
  },

  nominateIssuer: {
    scenes: {
      once: {
        ready: async () => ({ chain: await ready(), instruction: await nominateIssuer() }),
        accounts: { issuer: ISSUER, mintBinding: BINDING_OF_ISSUER },
        paused: WHILE_PAUSED,
        twice: SAME_VALUES,
      },
    },
    data: {
      nominee: [
        ...flagAt(1),
        withChange('is none and has a value', 'INVALID_INSTRUCTION_DATA', (data) => data.with(1, 0)),
      ],
    },
  },

  acceptIssuer: {
    scenes: {
      once: {
        ready: async () => {
          const chain = await ready();
          await chain.confirm(nominateIssuer());
          return { chain, instruction: await acceptIssuer() };
        },
        accounts: {
          nominee: { otherWallet: 'NOT_ISSUER_NOMINEE' },
          mintBinding: { another: bindingOfOther, sameKind: 'NOT_ISSUER_NOMINEE' },
          extraAccountMetaList: LIST,
        },
        paused: WHILE_PAUSED,
        twice: 'NOT_ISSUER_NOMINEE',
      },
    },
    data: {},
  },

  announceRule: {
    scenes: {
      once: {
        ready: async () => ({ chain: await ready(), instruction: await announceRule() }),
        accounts: {
          issuer: ISSUER,
          mintBinding: BINDING_OF_ISSUER,
          ruleSet: {
            another: (chain) => addRuleSet(chain, { creator: 'outsider' }),
            sameKind: allowed('The rule set of another creator may be announced.'),
          },
        },
        paused: WHILE_PAUSED,
        twice: SAME_VALUES,
      },
    },
    data: {},
  },

  applyRule: {
    scenes: {
      'after the delay': {
        ready: async () => {
          const chain = await ready();
          await announceInTime(chain, SECURITY);
          return { chain, instruction: await applyRule() };
        },
        accounts: {
          mintBinding: { another: bindingOfOther, sameKind: 'RULE_CHANGE_MISSING' },
          extraAccountMetaList: LIST,
        },
        paused: WHILE_PAUSED,
        twice: 'RULE_CHANGE_MISSING',
      },
    },
    data: {},
  },
};
