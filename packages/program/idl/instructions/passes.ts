/** The instructions on passes. */
import { definedTypeLinkNode } from 'codama';
import {
  account,
  argument,
  bytes,
  config,
  optionalArgument,
  programInstruction,
  system,
  u32,
  u64,
} from '../types.ts';

const creator = (docs: string) => account('creator', ['signer', 'writable'], docs);

export const passInstructions = [
  programInstruction({
    name: 'prove',
    number: 11,
    docs: [
      'Verifies an eligibility proof, takes the pass fee from the pass funds, and creates or renews the pass. The fee stays with the rule set until collectFees. It replaces a granted pass at any time, and a suspended one never.',
      'If the rule set limits the wallets of each person, the proof takes a place of the person, too. Another wallet keeps a place that it holds, unless the proof names it and it has held the place for an hour. Then its pass ends. A suspended pass keeps its place.',
    ],
    omits: true,
    accounts: [
      account(
        'wallet',
        ['signer', 'writable'],
        'The wallet that proves. It holds the pass and pays its rent.',
      ),
      config,
      account('ruleSet', ['writable'], 'RuleSet.'),
      account('credential', [], 'Credential of the wallet.'),
      account('verifier', [], 'Verifier of the credential.'),
      account('circuit', [], 'Circuit of the proof.'),
      account('pass', ['writable'], 'Pass, created or renewed.'),
      system,
      account(
        'place',
        ['writable', 'optional'],
        'Place, created or held. Only if the rule set limits the wallets of each person.',
      ),
      account(
        'replacedWallet',
        ['writable', 'optional'],
        'The wallet to replace, which holds the place. It receives the rent of its pass. Only to replace it.',
      ),
      account('replacedPass', ['writable', 'optional'], 'Pass of the wallet to replace, ended or closed.'),
    ],
    arguments: [
      argument('expiresAt', u64, 'Unix seconds at which the pass ends.'),
      argument(
        'asOf',
        u32,
        'Date code of the day on which age is counted, at most that of today. A day before today is only stricter.',
      ),
      argument('proof', bytes(256), '-A | B | C, big-endian points as the alt_bn128 syscalls take them.'),
      optionalArgument(
        'claim',
        definedTypeLinkNode('placeClaim'),
        'The place that the proof takes. Only if the rule set limits the wallets of each person.',
      ),
    ],
  }),
  programInstruction({
    name: 'closePass',
    number: 12,
    docs: [
      'Closes a pass when one of these holds: it has expired and half of the longest pass life has passed since it was issued; its credential was revoked; its credential has another commitment or verifier now, or expires before the pass; its verifier is not active; its circuit is unsound; governance ended it. Anyone may send it, also while the protocol is paused. The wallet receives the rent. For any reason but the first, the pass only ends in the first hour after its proof, and its account can be closed after that hour.',
    ],
    accounts: [
      account('pass', ['writable'], 'Pass, closed or ended.'),
      account('wallet', ['writable'], 'The wallet of the pass. It receives the rent.'),
      account('ruleSet', [], 'RuleSet of the pass.'),
      account('credential', [], 'Credential of the wallet.'),
      account('verifier', [], 'Verifier that the pass names.'),
      account('circuit', [], 'Circuit that the pass names.'),
      config,
    ],
    arguments: [],
  }),
  programInstruction({
    name: 'suspendPass',
    number: 29,
    docs: [
      'Suspends the pass of a wallet until a time, or lifts its suspension. While it is suspended, the pass is not live, the wallet cannot prove, and nothing closes the account. If the wallet has no pass, the account is opened, ended. Lifting the suspension of a pass that was neither proved nor granted closes it. Works while the protocol is paused.',
    ],
    accounts: [
      creator(
        'Creator of the rule set. It pays the rent of a pass that is opened, and receives it when that is closed.',
      ),
      account('ruleSet', [], 'RuleSet. It must have given its creator this power.'),
      account('wallet', [], 'The wallet of the pass.'),
      account('pass', ['writable'], 'Pass, opened if it is missing.'),
      system,
    ],
    arguments: [
      argument(
        'until',
        u64,
        'Unix seconds, later than the chain time. The largest number: until it is lifted. 0: lifts it.',
      ),
    ],
  }),
  programInstruction({
    name: 'grantPass',
    number: 30,
    docs: [
      'Grants a pass to a wallet that need not prove or sign, and takes the pass fee from the pass funds. It renews a granted pass, and replaces one that has expired or was ended. It replaces neither a proved pass that is live nor a suspended one.',
    ],
    accounts: [
      creator('Creator of the rule set. It pays the rent.'),
      config,
      account('ruleSet', ['writable'], 'RuleSet. It must have given its creator this power.'),
      account('wallet', ['writable'], 'The wallet. It receives the rent of a proved pass that is replaced.'),
      account('pass', ['writable'], 'Pass, created or replaced.'),
      system,
    ],
    arguments: [
      argument('expiresAt', u64, 'Unix seconds at which the pass ends, at most maxPassAgeSeconds from now.'),
    ],
  }),
  programInstruction({
    name: 'endGrant',
    number: 31,
    docs: [
      'Closes a granted pass. The creator of the rule set may do so at any time, and anyone once it has expired or governance has ended it. It closes no suspended pass. Works while the protocol is paused.',
    ],
    accounts: [
      account('sender', ['signer'], 'The creator of the rule set, or anyone once the pass is over.'),
      account('pass', ['writable'], 'Pass, closed.'),
      account('ruleSet', [], 'RuleSet of the pass.'),
      account('creator', ['writable'], 'Creator of the rule set. It receives the rent.'),
      config,
    ],
    arguments: [],
  }),
];
