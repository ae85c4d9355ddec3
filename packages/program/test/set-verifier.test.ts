import {
  getVerifierDecoder,
  RULE_SET_PASS_ERROR__INVALID_INSTRUCTION_DATA as INVALID_INSTRUCTION_DATA,
  RULE_SET_PASS_ERROR__NAME_INVALID as NAME_INVALID,
  RULE_SET_PASS_ERROR__NOT_AUTHORITY as NOT_AUTHORITY,
  RULE_SET_PASS_ERROR__WRONG_ADDRESS as WRONG_ADDRESS,
} from '@service/protocol/generated';
import { describe, expect, it } from 'vitest';
import { describeAccounts } from './_account-checks.ts';
import { at, initializedChain, pause, setVerifier } from './_governance.ts';
import { placeOf, withAccount, withData } from './_instruction.ts';
import { badNames } from './_names.ts';
import { expectDone, expectRefused } from './_outcome.ts';
import { addressOf, type Chain } from './_setup.ts';

const verifierOf = async (chain: Chain) =>
  getVerifierDecoder().decode(chain.data(await at.verifier(await addressOf('verifier'))));

describe('set-verifier', () => {
  it('creates a verifier', async () => {
    const chain = await initializedChain();

    const outcome = expectDone(await chain.send(await setVerifier({ name: 'Zürich KYC' })));

    const authority = await addressOf('verifier');
    expect(outcome.changed).toEqual([await at.verifier(authority)]);
    expect(await verifierOf(chain)).toMatchObject({ authority, active: true, name: 'Zürich KYC' });
  });

  it('changes name and activity of a verifier, also while paused', async () => {
    const chain = await initializedChain();
    expectDone(await chain.send(await setVerifier({ name: 'exactly thirty-two bytes of name' })));
    await pause(chain);

    expectDone(await chain.send(await setVerifier({ active: false, name: 'B' })));

    expect(await verifierOf(chain)).toMatchObject({ active: false, name: 'B' });
  });

  it('refuses who is not the governance authority, for a new verifier and for one that is there', async () => {
    const chain = await initializedChain();
    expectRefused(await chain.send(await setVerifier({ authority: 'stranger' })), NOT_AUTHORITY);
    expectDone(await chain.send(await setVerifier()));
    for (const authority of ['stranger', 'verifier', 'upgrade authority']) {
      expectRefused(await chain.send(await setVerifier({ authority, active: false })), NOT_AUTHORITY);
    }
  });

  it('refuses to change a verifier in the name of another key', async () => {
    const chain = await initializedChain();
    expectDone(await chain.send(await setVerifier()));
    const other = await setVerifier({ verifier: 'second verifier', active: false });
    const verifier = await at.verifier(await addressOf('verifier'));
    const mixed = withAccount(other, placeOf('setVerifier', 'verifier'), { address: verifier });
    expectRefused(await chain.send(mixed), WRONG_ADDRESS);
  });

  it.each(badNames)('refuses a name that is %s', async (_, name) => {
    const chain = await initializedChain();
    const named = withData(await setVerifier(), (data) => [...data.slice(0, 2), name.length, ...name]);
    expectRefused(await chain.send(named), NAME_INVALID);
  });

  it('refuses a truth value that is neither 0 nor 1', async () => {
    const chain = await initializedChain();
    const changed = withData(await setVerifier(), (data) => data.with(1, 2));
    expectRefused(await chain.send(changed), INVALID_INSTRUCTION_DATA);
  });

  describeAccounts('setVerifier', {
    ready: async () => ({ chain: await initializedChain(), instruction: await setVerifier() }),
    existing: ['config'],
  });

  describe('of a verifier that is there', () => {
    describeAccounts('setVerifier', {
      ready: async () => {
        const chain = await initializedChain();
        expectDone(await chain.send(await setVerifier()));
        return { chain, instruction: await setVerifier({ active: false }) };
      },
    });
  });
});
