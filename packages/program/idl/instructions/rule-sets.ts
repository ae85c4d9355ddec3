/** The instructions on rule sets and their funds. */
import { definedTypeLinkNode } from 'codama';
import {
  account,
  argument,
  config,
  optionalArgument,
  prefixedName,
  programInstruction,
  shortList,
  system,
  u64,
} from '../types.ts';

export const ruleSetInstructions = [
  programInstruction({
    name: 'createRuleSet',
    number: 8,
    docs: [
      'Creates a rule set and computes its rule hash. Its maxPassFee is the current pass fee, or 0 if that is not set.',
    ],
    accounts: [
      account('creator', ['signer', 'writable'], 'Creates it and pays rent.'),
      account('ruleSet', ['writable'], 'RuleSet, created.'),
      config,
      system,
    ],
    arguments: [
      argument('nonce', u64, 'Number that the creator chooses.'),
      argument('name', prefixedName, 'Display name, 1 to 32 bytes of UTF-8 without control characters.'),
      argument(
        'maxPassAgeSeconds',
        u64,
        'Longest life of a pass in seconds, minPassAgeSeconds to maxPassAgeLimitSeconds.',
      ),
      argument(
        'clauses',
        shortList(definedTypeLinkNode('clause')),
        'One to eight clauses. None may be empty.',
      ),
      optionalArgument(
        'terms',
        definedTypeLinkNode('ruleSetTerms'),
        'What it fixes beside its clauses. Without them, its creator has no powers, and any verifier will do.',
      ),
    ],
  }),
  programInstruction({
    name: 'withdrawPassFunds',
    number: 9,
    docs: [
      'Moves pass funds of a rule set to an account that its creator chooses. Works while the protocol is paused.',
    ],
    accounts: [
      account('creator', ['signer'], 'Creator of the rule set.'),
      account('ruleSet', ['writable'], 'RuleSet.'),
      account('recipient', ['writable'], 'The account that receives the lamports.'),
    ],
    arguments: [
      argument('lamports', u64, 'Lamports to move. Not zero, at most the lamports above rent and fees.'),
    ],
  }),
  programInstruction({
    name: 'setMaxPassFee',
    number: 21,
    docs: [
      'Sets the highest pass fee that the pass funds of a rule set pay. Works while the protocol is paused.',
    ],
    accounts: [
      account('creator', ['signer'], 'Creator of the rule set.'),
      account('ruleSet', ['writable'], 'RuleSet.'),
    ],
    arguments: [argument('lamports', u64, 'Lamports per prove.')],
  }),
  programInstruction({
    name: 'collectFees',
    number: 14,
    docs: [
      'Moves the pass fees of a rule set to the treasury. Does nothing if there are none. Anyone may send it, also while the protocol is paused.',
    ],
    accounts: [account('ruleSet', ['writable'], 'RuleSet.'), account('treasury', ['writable'], 'Treasury.')],
    arguments: [],
  }),
];
