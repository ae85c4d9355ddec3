/** The instructions that carry out what a verifier signed. */
import { account, argument, bytes, config, programInstruction, system, u64 } from '../types.ts';

export const credentialInstructions = [
  programInstruction({
    name: 'issueCredential',
    number: 6,
    docs: [
      'Creates or replaces the credential of a wallet, at most maxCredentialDelaySeconds after its time of issue. The instruction right before it must be an ed25519 precompile instruction with one signature, in which the verifier authority signs: "service:v1:credential" | program | genesis hash | wallet | commitment | issuedAt u64 LE | expiresAt u64 LE. Anyone may pay.',
    ],
    accounts: [
      account('payer', ['signer', 'writable'], 'Pays rent.'),
      account(
        'wallet',
        [],
        'The wallet of the credential. If it signs, a valid credential of another verifier can be replaced.',
      ),
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
      argument(
        'issuedAt',
        u64,
        'Unix seconds, later than the last statement of the verifier on the wallet, and than voidUntil of the credential.',
      ),
      argument('expiresAt', u64, 'Unix seconds.'),
    ],
  }),
  programInstruction({
    name: 'revokeCredential',
    number: 7,
    docs: [
      'Revokes everything that the verifier signed for a wallet up to a time, even if no credential is on chain yet, and ends passes of the wallet that its credential does not support. It skips other passes, and those that were closed. It is rejected only if no pass ends and there is nothing to revoke. The instruction right before it must be an ed25519 precompile instruction with one signature, in which the verifier authority signs: "service:v1:revocation" | program | genesis hash | wallet | revokedAt u64 LE. Anyone may send it, also while the protocol is paused.',
    ],
    accounts: [
      account('payer', ['signer', 'writable'], 'Pays rent.'),
      account('wallet', ['writable'], 'The wallet. It receives the rent of its passes.'),
      account(
        'verifier',
        [],
        'Verifier that signed. An active verifier can also revoke what is not on chain, and an inactive one only its own credential, once.',
      ),
      account('credential', ['writable'], 'Credential, created if it is missing.'),
      config,
      account('instructionsSysvar', [], 'The instructions sysvar.'),
      system,
    ],
    passes: true,
    arguments: [
      argument(
        'revokedAt',
        u64,
        'Unix seconds, not before the last statement of the verifier on the wallet. It becomes issuedAt of its credential, or is kept as otherVoidUntil.',
      ),
    ],
  }),
  programInstruction({
    name: 'discardCredential',
    number: 22,
    docs: [
      'Discards the credential of the wallet that signs, and ends passes of it. The account stays, revoked and without a commitment, so that no credential that any verifier signed earlier can follow. Works while the protocol is paused.',
    ],
    accounts: [
      account(
        'wallet',
        ['signer', 'writable'],
        'The wallet of the credential. It receives the rent of its passes.',
      ),
      account('credential', ['writable'], 'Credential.'),
    ],
    passes: true,
    arguments: [],
  }),
];
