/** The instructions, each with its accounts in order and then its data. */
import { definedTypeLinkNode } from 'codama';
import { execute } from './transfer-hook.ts';
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
  shortList,
  u64,
} from './types.ts';

const system = account('systemProgram', [], 'The system program.');
const token2022 = account('tokenProgram', [], 'The Token-2022 program.');

export const instructions = [
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
  programInstruction({
    name: 'issueCredential',
    number: 6,
    docs: [
      'Creates or replaces the credential of a wallet. The instruction right before it must be an ed25519 precompile instruction with one signature, in which the verifier authority signs: "service:v1:credential" | program | genesis hash | wallet | commitment | issuedAt u64 LE | expiresAt u64 LE. Anyone may pay.',
    ],
    accounts: [
      account('payer', ['signer', 'writable'], 'Pays rent.'),
      account('wallet', [], 'The wallet of the credential.'),
      account('verifier', [], 'Active verifier that issues it.'),
      account('credential', ['writable'], 'Credential, created or replaced.'),
      account(
        'previousVerifier',
        [],
        'Verifier of the credential that is replaced. The same as verifier when the wallet has no credential.',
      ),
      config,
      account('instructionsSysvar', [], 'The instructions sysvar.'),
      system,
    ],
    arguments: [
      argument('commitment', bytes(32), 'Field element, big-endian, below the field order.'),
      argument('issuedAt', u64, 'Unix seconds, later than issuedAt of the credential that is replaced.'),
      argument('expiresAt', u64, 'Unix seconds.'),
    ],
  }),
  programInstruction({
    name: 'revokeCredential',
    number: 7,
    docs: [
      'Revokes everything that the verifier signed for a wallet up to a time. The instruction right before it must be an ed25519 precompile instruction with one signature, in which the verifier authority signs: "service:v1:revocation" | program | genesis hash | wallet | revokedAt u64 LE. Anyone may send it, also while the protocol is paused.',
    ],
    accounts: [
      account('verifier', [], 'Verifier of the credential. An inactive verifier can revoke it once.'),
      account('credential', ['writable'], 'Credential.'),
      config,
      account('instructionsSysvar', [], 'The instructions sysvar.'),
    ],
    arguments: [
      argument(
        'revokedAt',
        u64,
        'Unix seconds, not before issuedAt of the credential. It becomes the new issuedAt.',
      ),
    ],
  }),
  programInstruction({
    name: 'createRuleSet',
    number: 8,
    docs: ['Creates a rule set and computes its rule hash.'],
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
    name: 'bindMint',
    number: 10,
    docs: ['Binds a mint of the binding profile to a rule set. The MintBinding becomes the mint authority.'],
    accounts: [
      account('issuer', ['signer', 'writable'], 'Mint authority so far. Becomes the issuer and pays rent.'),
      account('mint', ['writable'], 'The Token-2022 mint.'),
      account('ruleSet', [], 'RuleSet.'),
      account('mintBinding', ['writable'], 'MintBinding, created.'),
      account('extraAccountMetaList', ['writable'], 'ExtraAccountMetaList, created.'),
      config,
      token2022,
      system,
    ],
    arguments: [argument('requireSource', bool, 'Whether the owner of the source needs a live pass too.')],
  }),
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
      argument('proof', bytes(256), '-A | B | C, big-endian points as the alt_bn128 syscalls take them.'),
    ],
  }),
  programInstruction({
    name: 'closePass',
    number: 12,
    docs: [
      'Closes a pass when one of these holds: it has expired and half of the longest pass life has passed since it was issued; its credential was revoked; its credential has another commitment or verifier now, or expires before the pass; its verifier is not active; its circuit is unsound. Anyone may send it, also while the protocol is paused. The wallet receives the rent.',
    ],
    accounts: [
      account('pass', ['writable'], 'Pass, closed.'),
      account('wallet', ['writable'], 'The wallet of the pass. It receives the rent.'),
      account('ruleSet', [], 'RuleSet of the pass.'),
      account('credential', [], 'Credential of the wallet.'),
      account('verifier', [], 'Verifier that the pass names.'),
      account('circuit', [], 'Circuit that the pass names.'),
    ],
    arguments: [],
  }),
  programInstruction({
    name: 'issueTokens',
    number: 13,
    docs: ['Mints tokens of a bound mint to a token account whose owner has a live pass.'],
    accounts: [
      account('issuer', ['signer'], 'The issuer of the binding.'),
      config,
      account('mintBinding', [], 'MintBinding, the mint authority.'),
      account('mint', ['writable'], 'The bound mint.'),
      account('destination', ['writable'], 'Token account with the ImmutableOwner extension.'),
      account('pass', [], 'Pass of the owner of the destination.'),
      token2022,
    ],
    arguments: [argument('amount', u64, 'Base units, not zero.')],
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
  execute,
];
