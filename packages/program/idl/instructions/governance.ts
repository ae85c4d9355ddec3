/** The instructions of governance. */
import {
  account,
  address,
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

const authority = account('authority', ['signer'], 'The governance authority.');
const writableConfig = account('config', ['writable'], 'Config.');

export const governanceInstructions = [
  programInstruction({
    name: 'initialize',
    number: 0,
    docs: [
      'Creates Config and Treasury, once. Only the upgrade authority that ProgramData names can call it.',
    ],
    accounts: [
      account('payer', ['signer', 'writable'], 'Pays rent.'),
      account('upgradeAuthority', ['signer'], 'Upgrade authority of ProgramData.'),
      account('authority', ['signer'], 'The first governance authority.'),
      account('config', ['writable'], 'Config, created.'),
      account('treasury', ['writable'], 'Treasury, created.'),
      account('programData', [], 'ProgramData of this program.'),
      system,
    ],
    arguments: [argument('genesisHash', bytes(32), 'Genesis hash of this cluster.')],
  }),
  programInstruction({
    name: 'pause',
    number: 1,
    docs: ['Pauses the protocol. The guardian may send it too.'],
    accounts: [account('authority', ['signer'], 'The governance authority or the guardian.'), writableConfig],
    arguments: [],
  }),
  programInstruction({
    name: 'unpause',
    number: 15,
    docs: ['Ends the pause.'],
    accounts: [authority, writableConfig],
    arguments: [],
  }),
  programInstruction({
    name: 'setPassFee',
    number: 16,
    docs: [
      'Sets or unsets the pass fee. A raise takes effect after passFeeRaiseDelaySeconds, also above a fee that was unset. Any other change takes effect at once and replaces a raise that waits.',
    ],
    accounts: [authority, writableConfig],
    arguments: [
      argument('passFee', fixedOption(u64), 'Lamports per prove, at most maxPassFee. None unsets it.'),
    ],
  }),
  programInstruction({
    name: 'nominateAuthority',
    number: 17,
    docs: ['Nominates the next governance authority. It replaces the nomination before.'],
    accounts: [authority, writableConfig],
    arguments: [argument('nominee', fixedOption(address), 'The nominee. None withdraws the nomination.')],
  }),
  programInstruction({
    name: 'acceptAuthority',
    number: 18,
    docs: ['Makes the nominee the governance authority, and clears the nomination.'],
    accounts: [account('nominee', ['signer'], 'The nominee of Config.'), writableConfig],
    arguments: [],
  }),
  programInstruction({
    name: 'setGuardian',
    number: 19,
    docs: ['Sets the guardian, which may only pause the protocol.'],
    accounts: [authority, writableConfig],
    arguments: [argument('guardian', fixedOption(address), 'The guardian. None removes it.')],
  }),
  programInstruction({
    name: 'endPasses',
    number: 20,
    docs: [
      'Ends every pass that was issued until now, the current second included. Their holders can renew them from the next second on.',
    ],
    accounts: [authority, writableConfig],
    arguments: [],
  }),
  programInstruction({
    name: 'setVerifier',
    number: 2,
    docs: ['Creates a verifier, or changes its name and whether it is active.'],
    accounts: [
      authority,
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
      authority,
      account('payer', ['signer', 'writable'], 'Pays rent.'),
      writableConfig,
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
    accounts: [authority, config, account('circuit', ['writable'], 'Circuit.')],
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
      authority,
      config,
      account('treasury', ['writable'], 'Treasury.'),
      account('recipient', ['writable'], 'The account that receives the lamports.'),
    ],
    arguments: [argument('lamports', u64, 'Lamports to move. Not zero, at most the lamports above rent.')],
  }),
];
