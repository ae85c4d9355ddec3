import {
  CREDENTIAL_CLOCK_SKEW_SECONDS,
  MAX_CREDENTIAL_AGE_SECONDS,
  MAX_CREDENTIAL_DELAY_SECONDS,
} from '@service/protocol';
import { FIELD_ORDER } from '@service/protocol/eligibility';
import { type Chain, DAY, NOW } from '../../support/chain.ts';
import {
  type CredentialChange,
  discardCredential,
  issueCredential,
  revokeCredential,
} from '../../support/credentials.ts';
import { credentialAt, readyChain, verifierAt } from '../../support/governance.ts';
import { ANYONE_PAYS, casesOf, changedAfterSigning, U64_MAX, WHILE_PAUSED } from '../cases.ts';
import { OTHER_ADDRESS } from '../columns.ts';
import { type Accounts, allowed, each, notTested, type Ready, type Rows } from '../row.ts';

/** Returns a chain on which an instruction works after the signature of the verifier. */
async function signed(chain: Chain, instructions: ReturnType<typeof issueCredential>): Promise<Ready> {
  const [signature, instruction] = await instructions;
  return { chain, before: [signature!], instruction: instruction! };
}

/** Returns the credential of the outsider, which it issues first. */
const anotherCredential = async (chain: Chain, change: CredentialChange = {}) => {
  await chain.confirm(issueCredential({ wallet: 'outsider', ...change }));
  return credentialAt('outsider');
};

const secondVerifier = () => verifierAt('second verifier');
const revoking: Omit<Accounts<'revokeCredential'>, 'payer' | 'credential'> = {
  wallet: { otherWallet: 'CREDENTIAL_SIGNATURE_INVALID' },
  verifier: { another: secondVerifier, sameKind: 'CREDENTIAL_SIGNATURE_INVALID' },
  config: {},
  instructionsSysvar: {},
  systemProgram: {},
};

const issued = casesOf(issueCredential);
const revoked = casesOf((revokedAt: bigint) => revokeCredential({ revokedAt }));
const bytes = (value: bigint) => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
const LATEST = NOW + CREDENTIAL_CLOCK_SKEW_SECONDS;
const OLDEST = NOW - MAX_CREDENTIAL_DELAY_SECONDS;
const LIMIT = allowed('It is the limit.');
const SAME_ANYWAY = notTested('They are the same account in the valid instruction.');
/** The program has borrowed the verifier to read it when it changes the credential. */
const BORROWED = each('DUPLICATE_ACCOUNT', 'verifier', 'previousVerifier');

const accounts: Omit<Accounts<'issueCredential'>, 'payer' | 'credential'> = {
  wallet: { otherWallet: 'CREDENTIAL_SIGNATURE_INVALID' },
  verifier: {
    another: secondVerifier,
    sameKind: 'CREDENTIAL_SIGNATURE_INVALID',
    same: { previousVerifier: SAME_ANYWAY },
  },
  previousVerifier: {
    another: secondVerifier,
    ...each('VERIFIER_MISMATCH', ...OTHER_ADDRESS),
    same: { verifier: SAME_ANYWAY },
  },
  config: {},
  instructionsSysvar: {},
  systemProgram: {},
};

/** The accounts that follow those of the IDL are passes of the wallet. */
const PASSES_ONLY = {
  more: notTested(
    'The tests of both instructions cover it: they skip a closed pass, and reject any other account.',
  ),
};

/** The rows of the instructions that change a credential. */
export const CREDENTIALS: Rows<'issueCredential' | 'revokeCredential' | 'discardCredential'> = {
  issueCredential: {
    scenes: {
      'of a new one': {
        ready: async () => signed(await readyChain(), issueCredential()),
        accounts: {
          ...accounts,
          payer: { otherWallet: ANYONE_PAYS },
          credential: { is: 'made if missing', same: BORROWED },
        },
        paused: WHILE_PAUSED,
        twice: 'CREDENTIAL_NOT_NEWER',
      },
      'in place of another': {
        ready: async () => {
          const chain = await readyChain();
          await chain.confirm(issueCredential({ issuedAt: NOW - DAY }));
          return signed(chain, issueCredential());
        },
        accounts: {
          ...accounts,
          payer: { otherWallet: allowed('It pays nothing here.') },
          credential: {
            another: (chain) => anotherCredential(chain, { issuedAt: NOW - DAY }),
            is: 'changed',
            sameKind: 'WRONG_ADDRESS',
            same: BORROWED,
          },
        },
        paused: WHILE_PAUSED,
        twice: 'CREDENTIAL_NOT_NEWER',
      },
    },
    data: {
      commitment: [
        issued('is one', { commitment: bytes(1n) }, allowed('It is the smallest.')),
        issued(
          'is the field order less one',
          { commitment: bytes(FIELD_ORDER - 1n) },
          allowed('It is the largest.'),
        ),
        issued('is zero', { commitment: bytes(0n) }, 'COMMITMENT_INVALID'),
        issued('is the field order', { commitment: bytes(FIELD_ORDER) }, 'COMMITMENT_INVALID'),
        issued('is one more', { commitment: bytes(FIELD_ORDER + 1n) }, 'COMMITMENT_INVALID'),
        issued('is all ones', { commitment: bytes(2n ** 256n - 1n) }, 'COMMITMENT_INVALID'),
        changedAfterSigning(32),
      ],
      issuedAt: [
        issued('is as far ahead as clocks may differ', { issuedAt: LATEST }, LIMIT),
        issued('is as long ago as it may be', { issuedAt: OLDEST }, LIMIT),
        issued('is a second longer ago', { issuedAt: OLDEST - 1n }, 'CREDENTIAL_TIMES_INVALID'),
        ...(
          [
            ['is a second further', { issuedAt: LATEST + 1n }],
            ['is the largest number', { issuedAt: U64_MAX, expiresAt: U64_MAX }],
            ['is zero', { issuedAt: 0n }],
          ] as const
        ).map(([what, times]) => issued(what, times, 'CREDENTIAL_TIMES_INVALID')),
        changedAfterSigning(33),
      ],
      expiresAt: [
        issued(
          'is a second ahead',
          { issuedAt: NOW - DAY, expiresAt: NOW + 1n },
          allowed('It is the smallest.'),
        ),
        issued('is at the longest life', { expiresAt: NOW + MAX_CREDENTIAL_AGE_SECONDS }, LIMIT),
        ...(
          [
            ['is now', { issuedAt: NOW - DAY, expiresAt: NOW }],
            ['is in the past', { issuedAt: NOW - DAY, expiresAt: NOW - 1n }],
            ['is the time of issue', { issuedAt: LATEST, expiresAt: LATEST }],
            ['is before it', { issuedAt: LATEST, expiresAt: LATEST - 1n }],
            ['is a second later', { expiresAt: NOW + MAX_CREDENTIAL_AGE_SECONDS + 1n }],
            ['is the largest number', { expiresAt: U64_MAX }],
          ] as const
        ).map(([what, times]) => issued(what, times, 'CREDENTIAL_TIMES_INVALID')),
        changedAfterSigning(41),
      ],
    },
  },

  discardCredential: {
    scenes: {
      'of a live one': {
        ready: async () => {
          const chain = await readyChain();
          await chain.confirm(issueCredential());
          return { chain, instruction: await discardCredential() };
        },
        accounts: {
          wallet: { otherWallet: 'WRONG_ADDRESS' },
          credential: { another: anotherCredential, sameKind: 'WRONG_ADDRESS' },
        },
        paused: WHILE_PAUSED,
        twice: allowed('It is discarded already.'),
        ...PASSES_ONLY,
      },
    },
    data: {},
  },

  revokeCredential: {
    scenes: {
      'of a live one': {
        ready: async () => {
          const chain = await readyChain();
          await chain.confirm(issueCredential());
          return signed(chain, revokeCredential());
        },
        accounts: {
          ...revoking,
          payer: { otherWallet: allowed('It pays nothing here.') },
          credential: {
            another: anotherCredential,
            is: 'changed',
            sameKind: 'WRONG_ADDRESS',
            same: BORROWED,
          },
        },
        paused: WHILE_PAUSED,
        twice: 'CREDENTIAL_REVOKED',
        ...PASSES_ONLY,
      },
      'before there is one': {
        ready: async () => signed(await readyChain(), revokeCredential()),
        accounts: {
          ...revoking,
          payer: { otherWallet: ANYONE_PAYS },
          credential: { is: 'made if missing', same: BORROWED },
        },
        paused: WHILE_PAUSED,
        twice: 'CREDENTIAL_REVOKED',
        ...PASSES_ONLY,
      },
    },
    data: {
      revokedAt: [
        revoked('is as far ahead as clocks may differ', LATEST, LIMIT),
        revoked('is a second further', LATEST + 1n, 'CREDENTIAL_TIMES_INVALID'),
        revoked('is the largest number', U64_MAX, 'CREDENTIAL_TIMES_INVALID'),
        revoked('is before the time of issue', NOW - 1n, 'CREDENTIAL_NOT_NEWER'),
        revoked('is zero', 0n, 'CREDENTIAL_NOT_NEWER'),
        changedAfterSigning(1),
      ],
    },
  },
};
