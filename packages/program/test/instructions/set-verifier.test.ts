import { getVerifierDecoder } from '@service/protocol/generated';
import { describe, expect, it } from 'vitest';
import { addressOf } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at, initializedChain, pause, setVerifier, verifierAt } from '../support/governance.ts';

const verifierOf = async () => getVerifierDecoder().decode(chain.data(await verifierAt('verifier')));

const chain = chainPerTest(initializedChain);

describe('set-verifier', () => {
  it('creates a verifier', async () => {
    const outcome = await chain.confirm(setVerifier({ name: 'Zürich KYC' }));

    const authority = await addressOf('verifier');
    expect(outcome.changed).toEqual([await at.verifier(authority)]);
    expect(await verifierOf()).toMatchObject({ authority, active: true, name: 'Zürich KYC' });
  });

  it('changes name and activity of a verifier, also while paused', async () => {
    await chain.confirm(setVerifier({ name: 'exactly thirty-two bytes of name' }));
    await chain.confirm(pause());

    await chain.confirm(setVerifier({ active: false, name: 'B' }));

    expect(await verifierOf()).toMatchObject({ active: false, name: 'B' });
  });

  it('refuses every other authority, for a new and for an existing verifier', async () => {
    await chain.reject('NOT_AUTHORITY', setVerifier({ authority: 'unrelated wallet' }));
    await chain.confirm(setVerifier());
    for (const authority of ['unrelated wallet', 'verifier', 'upgrade authority']) {
      await chain.reject('NOT_AUTHORITY', setVerifier({ authority, active: false }));
    }
  });
});
