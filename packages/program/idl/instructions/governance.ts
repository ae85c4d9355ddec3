/** The instructions of governance. */
import {
  account,
  argument,
  bool,
  bytes,
  config,
  fixedOption,
  paddedName,
  prefixedName,
  programInstruction,
  system,
  u64,
} from '../types.ts';

export const governanceInstructions = [
  programInstruction({
    name: 'initialize',
    number: 0,
    docs: [
      'Creates Config and Treasury, once. Only the upgrade authority that ProgramData names can call it.',
    ],
    accounts: [
      account('payer', ['signer', 'writable'], 'Pays rent.'),
      account('upgradeAuthority', ['signer'], 'Upgrade authority of ProgramData. Config records it.'),
      account('authority', ['signer'], 'The first governance authority.'),
      account('config', ['writable'], 'Config, created.'),
      account('treasury', ['writable'], 'Treasury, created.'),
      account('programData', [], 'ProgramData of this program.'),
      system,
    ],
    arguments: [argument('genesisHash', bytes(32), 'Genesis hash of this cluster.')],
  }),
  programInstruction({
    name: 'setGovernance',
    number: 1,
    docs: ['Sets authority, pause and pass fee. Records the current upgrade authority from ProgramData.'],
    accounts: [
      account('authority', ['signer'], 'The governance authority.'),
      account(
        'nextAuthority',
        ['signer'],
        'The next governance authority. Pass the current authority to keep it.',
      ),
      account('config', ['writable'], 'Config.'),
      account('programData', [], 'ProgramData of this program.'),
    ],
    arguments: [
      argument('paused', bool, 'Whether the protocol is paused.'),
      argument('passFee', fixedOption(u64), 'Lamports per prove, at most maxPassFee. None unsets it.'),
    ],
  }),
  programInstruction({
    name: 'setVerifier',
    number: 2,
    docs: ['Creates a verifier, or changes its name and whether it is active.'],
    accounts: [
      account('authority', ['signer'], 'The governance authority.'),
      account('payer', ['signer', 'writable'], 'Pays rent.'),
      config,
      account('verifierAuthority', [], 'The key that signs its credentials.'),
      account('verifier', ['writable'], 'Verifier, created or changed.'),
      system,
    ],
    arguments: [
      argument('active', bool, 'Whether it is active.'),
      argument('name', prefixedName, 'Display name, 1 to 32 bytes of UTF-8 without control characters.'),
    ],
  }),
  programInstruction({
    name: 'setCircuit',
    number: 3,
    docs: [
      'Creates a circuit and makes it the active one. The previous circuit retires after a grace period.',
    ],
    accounts: [
      account('authority', ['signer'], 'The governance authority.'),
      account('payer', ['signer', 'writable'], 'Pays rent.'),
      account('config', ['writable'], 'Config.'),
      account('circuit', ['writable'], 'Circuit, created.'),
      account(
        'previousCircuit',
        ['writable', 'optional'],
        'The circuit that is active so far. Omit it when no circuit is active.',
      ),
      system,
    ],
    arguments: [
      argument('id', paddedName, 'Circuit id, 1 to 32 bytes of UTF-8, padded with zeros.'),
      argument('artifactsDigest', bytes(32), 'SHA-256 of the canonical artifact manifest.'),
      argument(
        'graceSeconds',
        u64,
        'Seconds for which proofs of the previous circuit stay valid, at most maxCircuitGraceSeconds.',
      ),
      argument('verifyingKey', bytes(576), 'Packed verifying key.'),
    ],
  }),
  programInstruction({
    name: 'retireCircuit',
    number: 4,
    docs: [
      'Retires a circuit after a grace period, or at once as unsound. Anyone may close the passes of an unsound circuit. A time of retirement only moves to an earlier one. An unsound circuit stays unsound.',
    ],
    accounts: [
      account('authority', ['signer'], 'The governance authority.'),
      config,
      account('circuit', ['writable'], 'Circuit.'),
    ],
    arguments: [
      argument(
        'graceSeconds',
        u64,
        'Seconds for which its proofs stay valid, at most maxCircuitGraceSeconds. 0 for an unsound circuit.',
      ),
      argument('unsound', bool, 'Whether its proofs cannot be trusted.'),
    ],
  }),
  programInstruction({
    name: 'withdrawFees',
    number: 5,
    docs: [
      'Moves pass fees from the treasury to an account that governance chooses. Works while the protocol is paused.',
    ],
    accounts: [
      account('authority', ['signer'], 'The governance authority.'),
      config,
      account('treasury', ['writable'], 'Treasury.'),
      account('recipient', ['writable'], 'The account that receives the lamports.'),
    ],
    arguments: [argument('lamports', u64, 'Lamports to move. Not zero, at most the lamports above rent.')],
  }),
];
