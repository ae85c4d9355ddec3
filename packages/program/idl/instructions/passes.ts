/** The instructions on passes. */
import { account, argument, bytes, config, programInstruction, system, u32, u64 } from '../types.ts';

export const passInstructions = [
  programInstruction({
    name: 'prove',
    number: 11,
    docs: [
      'Verifies an eligibility proof, takes the pass fee from the pass funds, and creates or renews the pass. The fee stays with the rule set until collectFees.',
    ],
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
    ],
    arguments: [
      argument('expiresAt', u64, 'Unix seconds at which the pass ends.'),
      argument(
        'asOf',
        u32,
        'Date code of the day on which age is counted, at most that of today. A day before today is only stricter.',
      ),
      argument('proof', bytes(256), '-A | B | C, big-endian points as the alt_bn128 syscalls take them.'),
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
];
