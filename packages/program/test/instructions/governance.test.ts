import { MAX_PASS_FEE, nextPassFeeAt, PASS_FEE_RAISE_DELAY_SECONDS, passFeeAt } from '@service/protocol';
import { none, some } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, DAY, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  acceptAuthority,
  CONFIG,
  configOf,
  endPasses,
  initializedChain,
  nominateAuthority,
  PASS_FEE,
  pause,
  setGuardian,
  setPassFee,
  unpause,
} from '../support/governance.ts';

const chain = chainPerTest(initializedChain);

/** Every instruction that changes one field of Config, except accept-authority. */
const CHANGES = { pause, unpause, setPassFee, nominateAuthority, setGuardian, endPasses };

const fee = () => passFeeAt(configOf(chain), chain.time);
const nextFee = () => nextPassFeeAt(configOf(chain), chain.time);

const NEXT = await addressOf('next governance');
const GUARDIAN = await addressOf('guardian');

describe('each instruction of governance', () => {
  it.each([
    ['pause', pause, { paused: true }],
    ['set-pass-fee', setPassFee, { passFee: some(PASS_FEE) }],
    ['nominate-authority', nominateAuthority, { nominee: some(NEXT) }],
    ['set-guardian', setGuardian, { guardian: some(GUARDIAN) }],
    ['end-passes', endPasses, { passesValidFrom: NOW + 1n }],
  ])('%s changes only its own field', async (_, change, fields) => {
    const before = configOf(chain);
    const outcome = await chain.confirm(change());
    expect(outcome.changed).toEqual([CONFIG]);
    expect(configOf(chain)).toEqual({ ...before, ...fields });
  });

  it('does not end a pause that came after it was prepared', async () => {
    const prepared = [await setPassFee(), await nominateAuthority(), await setGuardian(), await endPasses()];
    await chain.confirm(pause());
    for (const change of prepared) {
      await chain.confirm(change);
      expect(configOf(chain).paused).toBe(true);
    }
    await chain.confirm(acceptAuthority());
    expect(configOf(chain).paused).toBe(true);
  });

  it('refuses everyone else, including the upgrade authority', async () => {
    await chain.confirm(setGuardian());
    await chain.confirm(nominateAuthority());
    for (const change of Object.values(CHANGES)) {
      for (const authority of ['unrelated wallet', 'upgrade authority', 'next governance']) {
        await chain.reject('NOT_AUTHORITY', change({ authority }));
      }
    }
  });
});

describe('the guardian', () => {
  it('may pause, and nothing else', async () => {
    await chain.confirm(setGuardian());
    await chain.confirm(pause({ authority: 'guardian' }));
    expect(configOf(chain).paused).toBe(true);
    for (const change of [unpause, setPassFee, nominateAuthority, setGuardian, endPasses]) {
      await chain.reject('NOT_AUTHORITY', change({ authority: 'guardian' }));
    }
    await chain.confirm(unpause());
    expect(configOf(chain).paused).toBe(false);
  });

  it('loses its right when it is replaced or removed', async () => {
    const other = await addressOf('unrelated wallet');
    await chain.confirm(setGuardian());
    await chain.confirm(setGuardian({ guardian: other }));
    await chain.reject('NOT_AUTHORITY', pause({ authority: 'guardian' }));
    await chain.confirm(setGuardian({ guardian: null }));
    expect(configOf(chain).guardian).toEqual(none());
    await chain.reject('NOT_AUTHORITY', pause({ authority: 'unrelated wallet' }));
  });
});

describe('a nomination', () => {
  it('makes the nominee the authority when it accepts, and is cleared; the previous one loses its rights', async () => {
    await chain.confirm(nominateAuthority());
    expect(configOf(chain).authority).toBe(await addressOf('governance'));

    await chain.confirm(acceptAuthority());

    expect(configOf(chain)).toMatchObject({ authority: NEXT, nominee: none() });
    await chain.reject('NOT_AUTHORITY', setPassFee());
    await chain.confirm(setPassFee({ authority: 'next governance' }));
  });

  it('can be accepted by the nominee only, once, and not after it was replaced or withdrawn', async () => {
    await chain.reject('NOT_NOMINEE', acceptAuthority());
    await chain.confirm(nominateAuthority());
    await chain.reject('NOT_NOMINEE', acceptAuthority({ nominee: 'governance' }));
    await chain.confirm(nominateAuthority({ nominee: await addressOf('outsider') }));
    await chain.reject('NOT_NOMINEE', acceptAuthority());
    await chain.confirm(nominateAuthority({ nominee: null }));
    await chain.reject('NOT_NOMINEE', acceptAuthority({ nominee: 'outsider' }));
  });
});

describe('the pass fee', () => {
  it('can be any fee up to the cap, zero, or unset; the first fee holds at once', async () => {
    await chain.confirm(setPassFee({ passFee: MAX_PASS_FEE }));
    expect(fee()).toBe(MAX_PASS_FEE);
    await chain.confirm(setPassFee({ passFee: 0n }));
    expect(fee()).toBe(0n);
    await chain.confirm(setPassFee({ passFee: null }));
    expect(fee()).toBeNull();
  });

  it('holds after seven days when it is raised, to the second, and everybody can see when', async () => {
    await chain.confirm(setPassFee());
    await chain.confirm(setPassFee({ passFee: PASS_FEE + 1n }));

    const from = NOW + 7n * DAY;
    expect(PASS_FEE_RAISE_DELAY_SECONDS).toBe(7n * DAY);
    expect(configOf(chain)).toMatchObject({ nextPassFee: some(PASS_FEE + 1n), nextPassFeeFrom: from });
    chain.setTime(from - 1n);
    expect([fee(), nextFee()]).toEqual([PASS_FEE, { lamports: PASS_FEE + 1n, from }]);
    chain.setTime(from);
    expect([fee(), nextFee()]).toEqual([PASS_FEE + 1n, null]);
  });

  it('holds at once when it is lowered or unset, and replaces a raise that waits', async () => {
    for (const passFee of [PASS_FEE, PASS_FEE - 1n, null]) {
      await chain.confirm(setPassFee());
      await chain.confirm(setPassFee({ passFee: MAX_PASS_FEE }));
      await chain.confirm(setPassFee({ passFee }));
      expect([fee(), nextFee()]).toEqual([passFee, null]);
      chain.setTime(chain.time + 8n * DAY);
      expect(fee()).toBe(passFee);
      await chain.confirm(setPassFee({ passFee: 0n }));
      await chain.confirm(setPassFee());
      chain.setTime(chain.time + 8n * DAY);
    }
  });

  it('is compared with the raise that holds by now', async () => {
    await chain.confirm(setPassFee());
    await chain.confirm(setPassFee({ passFee: 2n * PASS_FEE }));
    chain.setTime(NOW + 7n * DAY);
    await chain.confirm(setPassFee({ passFee: 3n * PASS_FEE }));
    expect([fee(), nextFee()?.lamports]).toEqual([2n * PASS_FEE, 3n * PASS_FEE]);
  });

  it('waits also above a fee that was unset, so unsetting does not bypass the delay', async () => {
    await chain.confirm(setPassFee());
    await chain.confirm(setPassFee({ passFee: null }));
    await chain.confirm(setPassFee({ passFee: PASS_FEE + 1n }));
    expect([fee(), nextFee()?.lamports]).toEqual([null, PASS_FEE + 1n]);
    await chain.confirm(setPassFee({ passFee: null }));
    await chain.confirm(setPassFee({ passFee: PASS_FEE + 1n }));
    expect(fee()).toBeNull();
    await chain.confirm(setPassFee());
    expect([fee(), nextFee()]).toEqual([PASS_FEE, null]);
  });
});

describe('end-passes', () => {
  it('includes the current second, and the time never decreases', async () => {
    await chain.confirm(endPasses());
    chain.setTime(NOW + 10n);
    await chain.confirm(endPasses());
    expect(configOf(chain).passesValidFrom).toBe(NOW + 11n);
  });
});
