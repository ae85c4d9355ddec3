/** The instructions that carry out what a verifier signed. */
import { account, argument, bytes, config, programInstruction, system, u64 } from '../types.ts';

export const credentialInstructions = [
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
];
