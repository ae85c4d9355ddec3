import { getVerifierDecoder } from '@service/protocol/generated';
import { describe, expect, it } from 'vitest';
import { addressOf } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at, initializedChain, pause, setVerifier } from '../support/governance.ts';
import { expectDone, expectRefused } from '../support/outcome.ts';

const verifierOf = async () =>
  getVerifierDecoder().decode(chain.data(await at.verifier(await addressOf('verifier'))));

const chain = chainPerTest(initializedChain);

describe('set-verifier', () => {
  it('creates a verifier', async () => {
    const outcome = expectDone(await chain.send(setVerifier({ name: 'Zürich KYC' })));

    const authority = await addressOf('verifier');
    expect(outcome.changed).toEqual([await at.verifier(authority)]);
    expect(await verifierOf()).toMatchObject({ authority, active: true, name: 'Zürich KYC' });
  });

  it('changes name and activity of a verifier, also while paused', async () => {
    expectDone(await chain.send(setVerifier({ name: 'exactly thirty-two bytes of name' })));
    await pause(chain);

    expectDone(await chain.send(setVerifier({ active: false, name: 'B' })));

    expect(await verifierOf()).toMatchObject({ active: false, name: 'B' });
  });

  it('refuses every other authority, for a new and for an existing verifier', async () => {
    expectRefused(await chain.send(setVerifier({ authority: 'unrelated wallet' })), 'NOT_AUTHORITY');
    expectDone(await chain.send(setVerifier()));
    for (const authority of ['unrelated wallet', 'verifier', 'upgrade authority']) {
      expectRefused(await chain.send(setVerifier({ authority, active: false })), 'NOT_AUTHORITY');
    }
  });
});
