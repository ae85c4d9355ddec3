import { MAX_PASS_FEE } from '@service/protocol';
import { none, some } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, PROGRAM_DATA } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { CONFIG, configOf, initializedChain, PASS_FEE, setGovernance } from '../support/governance.ts';

const chain = chainPerTest(initializedChain);

describe('set-governance', () => {
  it('sets pause and pass fee and keeps the rest', async () => {
    const before = configOf(chain);

    const outcome = await chain.confirm(setGovernance({ paused: true, passFee: PASS_FEE }));

    expect(outcome.changed).toEqual([CONFIG]);
    expect(configOf(chain)).toEqual({
      ...before,
      paused: true,
      passFee: some(PASS_FEE),
    });
  });

  it('works while the protocol is paused, and unsets the pass fee', async () => {
    await chain.confirm(setGovernance({ paused: true }));

    await chain.confirm(setGovernance({ paused: false, passFee: null }));

    expect(configOf(chain)).toMatchObject({ paused: false, passFee: none() });
  });

  it('accepts a pass fee up to the cap, and zero', async () => {
    for (const passFee of [MAX_PASS_FEE, 0n]) {
      await chain.confirm(setGovernance({ passFee }));
      expect(configOf(chain).passFee).toEqual(some(passFee));
    }
  });

  it('hands governance to another authority, which signs too; the previous one loses its rights', async () => {
    await chain.confirm(setGovernance({ nextAuthority: 'next governance' }));

    expect(configOf(chain).authority).toBe(await addressOf('next governance'));
    await chain.reject('NOT_AUTHORITY', setGovernance());
    await chain.confirm(setGovernance({ authority: 'next governance' }));
  });

  it('refuses every other authority, including the upgrade authority', async () => {
    for (const authority of ['unrelated wallet', 'upgrade authority']) {
      await chain.reject('NOT_AUTHORITY', setGovernance({ authority }));
      await chain.reject('NOT_AUTHORITY', setGovernance({ authority, nextAuthority: 'governance' }));
    }
  });

  it('records the current upgrade authority from ProgramData', async () => {
    const next = await addressOf('next upgrade authority');

    chain.setUpgradeAuthority(next);
    await chain.confirm(setGovernance());
    expect(configOf(chain).upgradeAuthority).toEqual(some(next));

    chain.setUpgradeAuthority(null);
    await chain.confirm(setGovernance());
    expect(configOf(chain).upgradeAuthority).toEqual(none());
  });

  it('refuses the ProgramData of another program', async () => {
    const forged = await addressOf('forged program data');
    chain.write(forged, chain.account(PROGRAM_DATA)!);
    await chain.reject('WRONG_ADDRESS', setGovernance({ programData: forged }));
  });
});
