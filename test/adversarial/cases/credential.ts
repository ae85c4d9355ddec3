/** Credentials that waitForCredential must not return, and witnesses that belong to none. */
import { errorOf } from '@service/test-support';
import { expect } from 'vitest';
import { cast, pretend } from '../support/play.ts';
import { type Case, ready, rejecting } from './case.ts';

/** The cases; their ids begin with `credential-`. */
export const CREDENTIAL_CASES: readonly Case[] = [
  rejecting(
    'credential-for-a-witness-of-another-wallet',
    { code: 'WALLET_MISMATCH', retryable: false },
    ({ client }, { stage }) =>
      client.waitForCredential({ witness: { ...stage.witness, wallet: stage.mint }, timeoutMs: 1_500 }),
  ),
  rejecting('credential-that-is-not-new', 'TIMEOUT', async ({ client }) => {
    const { credential } = await ready(client.passport());
    return client.waitForCredential({ issuedAfter: credential!.issuedAt, timeoutMs: 800 });
  }),
  {
    id: 'credential-of-another-witness',
    code: 'WITNESS_INVALID',
    async play(players) {
      const { stage, secrets } = players;
      // Other cases leave a verification of the holder under way, for which the client would wait.
      const person = await stage.newcomer();
      const wallet = person.key.address;
      await stage.accredit(wallet);
      const { client } = cast(players, { person });
      const witness = { ...stage.witness, wallet, salt: `${BigInt(stage.witness.salt) - 1n}` };
      const error = await errorOf(
        pretend(stage, () => client.waitForCredential({ witness, timeoutMs: 60_000 })),
      );
      secrets.searchError(this.id, error);
      expect(error).toMatchObject({ name: 'ServiceError', code: 'WITNESS_INVALID' });
    },
  },
];
