import { MAX_PASS_FEE } from '@service/protocol';
import { describe, expect, it } from 'vitest';
import { addressOf, programDataAddress } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at, configOf, initializedChain, PASS_FEE, setGovernance } from '../support/governance.ts';
import { expectDone, expectRefused } from '../support/outcome.ts';

const chain = chainPerTest(initializedChain);

describe('set-governance', () => {
  it('sets pause and pass fee and keeps the rest', async () => {
    const before = await configOf(chain);

    const outcome = expectDone(await chain.send(setGovernance({ paused: true, passFee: PASS_FEE })));

    expect(outcome.changed).toEqual([await at.config()]);
    expect(await configOf(chain)).toEqual({
      ...before,
      paused: true,
      passFee: { __option: 'Some', value: PASS_FEE },
    });
  });

  it('works while the protocol is paused, and unsets the pass fee', async () => {
    expectDone(await chain.send(setGovernance({ paused: true })));

    expectDone(await chain.send(setGovernance({ paused: false, passFee: null })));

    expect(await configOf(chain)).toMatchObject({ paused: false, passFee: { __option: 'None' } });
  });

  it('accepts a pass fee up to the cap, and zero', async () => {
    for (const passFee of [MAX_PASS_FEE, 0n]) {
      expectDone(await chain.send(setGovernance({ passFee })));
      expect((await configOf(chain)).passFee).toEqual({ __option: 'Some', value: passFee });
    }
  });

  it('hands governance to another authority, which signs too; the previous one loses its rights', async () => {
    expectDone(await chain.send(setGovernance({ nextAuthority: 'next governance' })));

    expect((await configOf(chain)).authority).toBe(await addressOf('next governance'));
    expectRefused(await chain.send(setGovernance()), 'NOT_AUTHORITY');
    expectDone(await chain.send(setGovernance({ authority: 'next governance' })));
  });

  it('refuses every other authority, including the upgrade authority', async () => {
    for (const authority of ['unrelated wallet', 'upgrade authority']) {
      expectRefused(await chain.send(setGovernance({ authority })), 'NOT_AUTHORITY');
      expectRefused(
        await chain.send(setGovernance({ authority, nextAuthority: 'governance' })),
        'NOT_AUTHORITY',
      );
    }
  });

  it('records the current upgrade authority from ProgramData', async () => {
    const next = await addressOf('next upgrade authority');

    await chain.setUpgradeAuthority(next);
    expectDone(await chain.send(setGovernance()));
    expect((await configOf(chain)).upgradeAuthority).toEqual({ __option: 'Some', value: next });

    await chain.setUpgradeAuthority(null);
    expectDone(await chain.send(setGovernance()));
    expect((await configOf(chain)).upgradeAuthority).toEqual({ __option: 'None' });
  });

  it('refuses the ProgramData of another program', async () => {
    const forged = await addressOf('forged program data');
    chain.write(forged, chain.account(await programDataAddress())!);
    expectRefused(await chain.send(setGovernance({ programData: forged })), 'WRONG_ADDRESS');
  });
});
