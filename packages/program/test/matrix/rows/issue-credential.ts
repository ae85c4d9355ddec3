import { CREDENTIAL_CLOCK_SKEW_SECONDS, MAX_CREDENTIAL_AGE_SECONDS } from '@service/protocol';
import { FIELD_ORDER, fieldToBytes } from '@service/protocol/eligibility';
import { addressOf, type Chain, DAY, NOW } from '../../support/chain.ts';
import {
  addCredential,
  CREDENTIAL_EXPIRY,
  type CredentialChange,
  issueCredential,
} from '../../support/credentials.ts';
import { at, readyChain } from '../../support/governance.ts';
import { ANYONE_PAYS, casesOf, changedAfterSigning, U64_MAX, WHILE_PAUSED } from '../cases.ts';
import { each, notTested, works } from '../expectation.ts';
import type { Ready, Row, Scene } from '../row.ts';

async function ready(chain: Chain, change: CredentialChange = {}): Promise<Ready> {
  const [signature, instruction] = await issueCredential(change);
  return { chain, before: [signature!], instruction: instruction! };
}

const issued = casesOf(issueCredential);

const bytes = (value: bigint) => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
const secondVerifier = async () => at.verifier(await addressOf('second verifier'));
const LATEST = NOW + CREDENTIAL_CLOCK_SKEW_SECONDS;
const SAME_ANYWAY = notTested('They are the same account in the valid instruction.');
/** The program has borrowed the verifier to read it when it changes the credential. */
const BORROWED = each('DUPLICATE_ACCOUNT', 'verifier', 'previousVerifier');

const accounts: Omit<Scene<'issueCredential'>['accounts'], 'payer' | 'credential'> = {
  wallet: { cells: { otherWallet: 'CREDENTIAL_SIGNATURE_INVALID' } },
  verifier: {
    other: secondVerifier,
    cells: { other: 'CREDENTIAL_SIGNATURE_INVALID' },
    same: { previousVerifier: SAME_ANYWAY },
  },
  previousVerifier: {
    other: secondVerifier,
    cells: {
      ...each('VERIFIER_MISMATCH', 'other', 'otherWallet', 'posing', 'posingToken'),
    },
    same: { verifier: SAME_ANYWAY },
  },
  config: {},
  instructionsSysvar: {},
  systemProgram: {},
};

/** The row of `issue-credential`. */
export const row: Row<'issueCredential'> = {
  scenes: {
    'of a new one': {
      ready: async () => ready(await readyChain()),
      accounts: {
        ...accounts,
        payer: { cells: { otherWallet: ANYONE_PAYS } },
        credential: { is: 'made if missing', same: BORROWED },
      },
      whole: { paused: WHILE_PAUSED, twice: 'CREDENTIAL_NOT_NEWER' },
    },
    'in place of another': {
      ready: async () => {
        const chain = await readyChain();
        await addCredential(chain, { issuedAt: NOW - DAY });
        return ready(chain);
      },
      accounts: {
        ...accounts,
        payer: { cells: { otherWallet: works('It pays nothing here.') } },
        credential: {
          other: async (chain) => {
            await addCredential(chain, { wallet: 'outsider', issuedAt: NOW - DAY });
            return at.credential(await addressOf('outsider'));
          },
          is: 'changed',
          cells: { other: 'WRONG_ADDRESS' },
          same: BORROWED,
        },
      },
      whole: { paused: WHILE_PAUSED, twice: 'CREDENTIAL_NOT_NEWER' },
    },
  },
  data: {
    commitment: [
      issued('is one', { commitment: fieldToBytes(1n) }, works('It is the smallest.')),
      issued(
        'is the field order less one',
        { commitment: fieldToBytes(FIELD_ORDER - 1n) },
        works('It is the largest.'),
      ),
      issued('is zero', { commitment: bytes(0n) }, 'COMMITMENT_INVALID'),
      issued('is the field order', { commitment: bytes(FIELD_ORDER) }, 'COMMITMENT_INVALID'),
      issued('is one more', { commitment: bytes(FIELD_ORDER + 1n) }, 'COMMITMENT_INVALID'),
      issued('is all ones', { commitment: bytes(2n ** 256n - 1n) }, 'COMMITMENT_INVALID'),
      changedAfterSigning(32),
    ],
    issuedAt: [
      issued('is as far ahead as clocks may differ', { issuedAt: LATEST }, works('It is the limit.')),
      issued('is a second further', { issuedAt: LATEST + 1n }, 'CREDENTIAL_TIMES_INVALID'),
      issued('is the largest number', { issuedAt: U64_MAX, expiresAt: U64_MAX }, 'CREDENTIAL_TIMES_INVALID'),
      issued(
        'is as early as the longest life allows',
        { issuedAt: CREDENTIAL_EXPIRY - MAX_CREDENTIAL_AGE_SECONDS },
        works('It is the limit.'),
      ),
      issued(
        'is a second earlier',
        { issuedAt: CREDENTIAL_EXPIRY - MAX_CREDENTIAL_AGE_SECONDS - 1n },
        'CREDENTIAL_TIMES_INVALID',
      ),
      issued('is zero', { issuedAt: 0n }, 'CREDENTIAL_TIMES_INVALID'),
      changedAfterSigning(33),
    ],
    expiresAt: [
      issued('is a second ahead', { issuedAt: NOW - DAY, expiresAt: NOW + 1n }, works('It is the smallest.')),
      issued('is now', { issuedAt: NOW - DAY, expiresAt: NOW }, 'CREDENTIAL_TIMES_INVALID'),
      issued('is in the past', { issuedAt: NOW - DAY, expiresAt: NOW - 1n }, 'CREDENTIAL_TIMES_INVALID'),
      issued('is the time of issue', { issuedAt: LATEST, expiresAt: LATEST }, 'CREDENTIAL_TIMES_INVALID'),
      issued('is before it', { issuedAt: LATEST, expiresAt: LATEST - 1n }, 'CREDENTIAL_TIMES_INVALID'),
      issued(
        'is at the longest life',
        { expiresAt: NOW + MAX_CREDENTIAL_AGE_SECONDS },
        works('It is the limit.'),
      ),
      issued(
        'is a second later',
        { expiresAt: NOW + MAX_CREDENTIAL_AGE_SECONDS + 1n },
        'CREDENTIAL_TIMES_INVALID',
      ),
      issued('is the largest number', { expiresAt: U64_MAX }, 'CREDENTIAL_TIMES_INVALID'),
      changedAfterSigning(41),
    ],
  },
};
