/** The session changes to another wallet in the middle of a write, as by another tab: then nothing more is posted. */
import { expect, it } from 'vitest';
import { countingWallet } from '../support/counting-wallet.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { useStillChain } from '../support/still-chain.ts';
import { prepare, start } from './answers/actions.ts';

const chain = useStillChain();

/** Returns a stage whose session can change. `posted` counts the requests that prepare a proof. */
function startSession() {
  const stage = start(chain, {});
  const session = { wallet: chain.wallet.address as string, posted: 0 };
  stage.service.instead.set('/api/auth/session', () => Response.json({ wallet: session.wallet }));
  return { ...stage, session };
}

const mismatch = () => ({
  context: { expected: chain.wallet.address, received: chain.other.address },
  message: expect.stringContaining('sent nothing'),
});

it('before a proof is posted', async () => {
  const { service, session } = startSession();
  await service.client.session();
  session.wallet = chain.other.address;
  service.instead.set('/api/proofs', () => {
    session.posted += 1;
    return Response.json({});
  });
  await expectRefusal(chain.kinds.PROVE.prepare(service.client), 'WALLET_MISMATCH', mismatch());
  expect(session.posted).toBe(0);
});

it('before a write of the caller’s wallet is posted', async () => {
  const { service, session } = startSession();
  session.wallet = chain.other.address;
  service.instead.set('/api/transfers', () => {
    session.posted += 1;
    return Response.json({});
  });
  const wallet = countingWallet(chain.wallet);
  await expectRefusal(service.client.transfer(wallet, chain.transfer), 'WALLET_MISMATCH', mismatch());
  expect([session.posted, wallet.asked]).toEqual([0, 0]);
});

it('before signed bytes are submitted', async () => {
  const stage = startSession();
  const { service, session } = stage;
  const prepared = await prepare(chain, stage, chain.kinds.TRANSFER);
  const honest = countingWallet(chain.wallet);
  const signTransaction = (wire: Uint8Array) => {
    session.wallet = chain.other.address;
    return honest.signTransaction(wire);
  };
  const signing = service.client.signAndSubmit({ ...honest, signTransaction }, prepared);
  await expectRefusal(signing, 'WALLET_MISMATCH', mismatch());
  expect(service.submitted).toEqual([]);
});
