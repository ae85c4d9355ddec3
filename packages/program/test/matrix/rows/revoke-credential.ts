import { CREDENTIAL_CLOCK_SKEW_SECONDS } from '@service/protocol';
import { addressOf, NOW } from '../../support/chain.ts';
import { addCredential, revokeCredential } from '../../support/credentials.ts';
import { at, readyChain } from '../../support/governance.ts';
import { casesOf, changedAfterSigning, U64_MAX, WHILE_PAUSED } from '../cases.ts';
import { works } from '../expectation.ts';
import type { Row } from '../row.ts';

const LATEST = NOW + CREDENTIAL_CLOCK_SKEW_SECONDS;

const revoked = casesOf((revokedAt: bigint) => revokeCredential({ revokedAt }));

/** The row of `revoke-credential`. */
export const row: Row<'revokeCredential'> = {
  scenes: {
    'of a live one': {
      ready: async () => {
        const chain = await readyChain();
        await addCredential(chain);
        const [signature, instruction] = await revokeCredential();
        return { chain, before: [signature!], instruction: instruction! };
      },
      accounts: {
        verifier: {
          other: async () => at.verifier(await addressOf('second verifier')),
          cells: { other: 'VERIFIER_MISMATCH' },
          // The program has borrowed the credential to change it when it reads these.
          same: { credential: 'DUPLICATE_ACCOUNT' },
        },
        credential: {
          other: async (chain) => {
            await addCredential(chain, { wallet: 'outsider' });
            return at.credential(await addressOf('outsider'));
          },
          cells: { other: 'CREDENTIAL_SIGNATURE_INVALID' },
        },
        config: { same: { credential: 'DUPLICATE_ACCOUNT' } },
        instructionsSysvar: {},
      },
      whole: { paused: WHILE_PAUSED, twice: 'CREDENTIAL_REVOKED' },
    },
  },
  data: {
    revokedAt: [
      revoked('is as far ahead as clocks may differ', LATEST, works('It is the limit.')),
      revoked('is a second further', LATEST + 1n, 'CREDENTIAL_TIMES_INVALID'),
      revoked('is the largest number', U64_MAX, 'CREDENTIAL_TIMES_INVALID'),
      revoked('is before the time of issue', NOW - 1n, 'CREDENTIAL_NOT_NEWER'),
      revoked('is zero', 0n, 'CREDENTIAL_NOT_NEWER'),
      changedAfterSigning(1),
    ],
  },
};
