/** Messages that arrive while the index has read no verifier, because the set-up of the protocol is not final yet. */
import { randomUUID } from 'node:crypto';
import { deployByTransactions } from '@service/server/test-service';
import { generateKeyPairSigner } from '@solana/kit';
import { expect, it } from 'vitest';
import { serviceOnChain } from '../../../test/support/service-on-chain.ts';
import {
  completedData,
  deliver,
  RECEIVED,
  revokedData,
} from '../../../test/support/verification/deliveries.ts';
import { addSession } from '../../../test/support/verification/sessions.ts';

const on = serviceOnChain({ bare: true });
const { clock } = on;

it('are rejected as too early, and accepted when they come again', async () => {
  const { verifier } = on.chain.keys;
  const wallet = (await generateKeyPairSigner()).address;
  const id = await addSession(on.database.db, wallet, clock.now());
  const statement = on.chain.statement(wallet, {
    issuedAt: clock.seconds,
    expiresAt: clock.seconds + 1_000n,
  });
  const ids = [randomUUID(), randomUUID()] as const;
  const completed = await completedData(id, statement, verifier);
  const revoked = await revokedData(id, { ...statement, revokedAt: clock.seconds - 1n }, verifier);
  const send = async () => [
    await deliver(on.service.app, {
      id: ids[0],
      now: clock.now(),
      type: 'credential.revoked',
      data: revoked,
    }),
    await deliver(on.service.app, { id: ids[1], now: clock.now(), data: completed }),
  ];
  const early = [1, 2].map(() => expect.objectContaining({ status: 503, code: 'INDEX_STALE' }));

  expect(await send(), 'before the first reading').toEqual(early);
  await on.service.follow();
  expect(await send(), 'before the protocol is set up').toEqual(early);
  await deployByTransactions(on.chain.net, on.chain.keys, on.chain.artifacts);
  expect(await send(), 'before the set-up is indexed').toEqual(early);
  await on.service.follow();
  expect(await send()).toEqual([RECEIVED, RECEIVED]);
  expect(await on.session(id)).toMatchObject({ state: 'ISSUING', verifier_authority: verifier.address });
});
