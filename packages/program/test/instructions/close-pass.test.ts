import { describe, expect, it } from 'vitest';
import { addressOf, Chain, DAY, HOUR, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { ATTRIBUTES, commitmentBytes, issueCredential, revoke } from '../support/credentials.ts';
import { endPasses, PASS_FEE, retireCircuit, rotateCircuit, setVerifier } from '../support/governance.ts';
import { closePass, eligibleChain, passOf, prove } from '../support/passes.ts';
import { MAX_PASS_AGE, passAt, passFundsOf, RULE } from '../support/rule-sets.ts';

/** From then on the pass could be renewed. */
const HALF = NOW + MAX_PASS_AGE / 2n;
/** When the pass of the tests ends: later than it could be renewed. */
const END = HALF + DAY;

const chain = chainPerTest(async () => {
  const ready = await eligibleChain();
  await ready.confirm(prove({ expiresAt: END }));
  return ready;
});

const PASS = await passAt('holder');
/** Closes the pass at a time when its account need not stay. */
const closed = async () => {
  await chain.confirm(closePass());
  expect(chain.account(PASS)).toBeNull();
};
/** Ends the pass in the hour after its proof, and checks that its account stays until that hour is over. */
const ended = async () => {
  const { lamports } = chain.account(PASS)!;
  const before = await passOf(chain);
  await chain.confirm(closePass());
  const after = await passOf(chain);
  expect(after).toEqual({ ...before, expiresAt: chain.time, commitment: new Uint8Array(32) });
  expect(chain.lamports(PASS)).toBe(lamports);
  const now = Chain.from(chain.save());
  now.setTime(NOW + HOUR - 1n);
  await now.reject('PASS_LIVE', closePass());
  now.setTime(NOW + HOUR);
  await now.confirm(closePass());
  expect(now.account(PASS)).toBeNull();
};

describe('close-pass', () => {
  it('closes an expired pass without its wallet’s signature; the wallet receives all its lamports', async () => {
    const wallet = await addressOf('holder');
    chain.fund(PASS, 5n);
    const before = chain.lamports(wallet) + chain.lamports(PASS);
    chain.setTime(END);

    const outcome = await chain.confirm(closePass());

    expect(outcome.changed).toEqual([PASS]);
    expect(chain.account(PASS)).toBeNull();
    expect(chain.lamports(wallet)).toBe(before);
  });

  it('refuses while the pass is live, to the second', async () => {
    for (const time of [NOW, HALF, END - 1n]) {
      chain.setTime(time);
      await chain.reject('PASS_LIVE', closePass());
    }
    chain.setTime(END);
    await closed();
  });

  it('refuses an expired pass until it could be renewed, to the second', async () => {
    const short = { wallet: 'other holder', expiresAt: NOW + DAY };
    await chain.confirm(issueCredential({ wallet: short.wallet }));
    await chain.confirm(prove(short));
    for (const time of [NOW + DAY, HALF - 1n]) {
      chain.setTime(time);
      await chain.reject('PASS_LIVE', closePass({ holder: short.wallet }));
    }
    chain.setTime(HALF);
    await chain.confirm(closePass({ holder: short.wallet }));
  });

  it('ends a pass whose credential is revoked, and it cannot be proved again with that one', async () => {
    await revoke(chain);
    await ended();
    expect((await chain.send(prove({ expiresAt: END }))).refusal).not.toBeNull();
  });

  it('ends a pass whose credential was replaced by one with another commitment, not with the same', async () => {
    await chain.confirm(issueCredential({ issuedAt: NOW + 1n }));
    await chain.reject('PASS_LIVE', closePass());
    const commitment = commitmentBytes({ ...ATTRIBUTES, salt: 7n });
    await chain.confirm(issueCredential({ issuedAt: NOW + 2n, commitment }));
    await ended();
  });

  it('ends a pass that governance ended, not one that was renewed since', async () => {
    await chain.confirm(endPasses());
    const other = Chain.from(chain.save());
    await other.confirm(closePass());
    expect((await passOf(other)).expiresAt).toBe(NOW);
    chain.setTime(NOW + 1n);
    await chain.confirm(prove({ expiresAt: END }));
    await chain.reject('PASS_LIVE', closePass());
  });

  it('ends a pass only while its verifier is inactive', async () => {
    await chain.confirm(setVerifier({ active: false }));
    const inactive = Chain.from(chain.save());
    await chain.confirm(setVerifier({ active: true }));
    await chain.reject('PASS_LIVE', closePass());
    await inactive.confirm(closePass());
  });

  it('ends a pass whose circuit is unsound, and not one whose circuit is only retired', async () => {
    await chain.confirm(retireCircuit());
    await chain.reject('PASS_LIVE', closePass());
    await chain.confirm(retireCircuit({ unsound: true }));
    await ended();
  });

  it('checks the circuit and the verifier that the pass names, not others that are unsound or inactive', async () => {
    await rotateCircuit(chain, { graceSeconds: DAY });
    await chain.confirm(retireCircuit({ id: 'next', unsound: true }));
    await chain.confirm(setVerifier({ verifier: 'second verifier', active: false }));
    await chain.reject('PASS_LIVE', closePass());
    await chain.reject('WRONG_ADDRESS', closePass({ circuitId: 'next' }));
    await chain.reject('WRONG_ADDRESS', closePass({ verifier: 'second verifier' }));
  });

  it('ends a pass that expires after a newer credential, not one that expires with it', async () => {
    await chain.confirm(issueCredential({ issuedAt: NOW + 1n, expiresAt: END }));
    await chain.reject('PASS_LIVE', closePass());
    await chain.confirm(issueCredential({ issuedAt: NOW + 2n, expiresAt: END - 1n }));
    await ended();
  });

  it('ends a pass whose credential another verifier has replaced, even with the same commitment', async () => {
    await revoke(chain);
    const another = { verifier: 'second verifier', previousVerifier: 'verifier', issuedAt: NOW + 1n };
    await chain.confirm(issueCredential(another));
    await ended();
  });

  it('closes the account of a pass at once from an hour after its proof on, whatever the reason is', async () => {
    await revoke(chain);
    chain.setTime(NOW + HOUR);
    await closed();
  });

  it('lets the wallet prove again at once, for a fee from an hour after the last one on', async () => {
    await revoke(chain);
    await ended();
    await chain.confirm(issueCredential({ issuedAt: NOW + 1n }));
    const funds = passFundsOf(chain, RULE);
    for (const [seconds, fee] of [
      [1n, 0n],
      [HOUR - 1n, 0n],
      [HOUR, PASS_FEE],
    ] as const) {
      const at = Chain.from(chain.save());
      at.setTime(NOW + seconds);
      await at.confirm(prove({ expiresAt: END }));
      expect(await passOf(at)).toMatchObject({ expiresAt: END, commitment: commitmentBytes() });
      expect(funds - passFundsOf(at, RULE)).toBe(fee);
      await at.reject('PASS_RENEWAL_TOO_EARLY', prove({ expiresAt: END }));
    }
  });

  it('does not make the end of an ended pass later', async () => {
    const short = { wallet: 'other holder', expiresAt: NOW + 5n };
    await chain.confirm(issueCredential({ wallet: short.wallet }));
    await chain.confirm(prove(short));
    chain.setTime(NOW + 60n);
    await revoke(chain, short.wallet);
    await chain.confirm(closePass({ holder: short.wallet }));
    expect((await passOf(chain, short.wallet)).expiresAt).toBe(NOW + 5n);
  });

  it('lets the wallet prove again in the same transaction or later, for one fee', async () => {
    chain.setTime(END);
    const expiresAt = END + DAY;
    const funds = passFundsOf(chain, RULE);
    const later = Chain.from(chain.save());

    const outcome = await chain.confirm(closePass(), prove({ expiresAt }));
    expect(outcome.changed).toContain(PASS);
    await later.confirm(closePass());
    await later.confirm(prove({ expiresAt }));

    for (const on of [chain, later]) {
      expect(await passOf(on)).toMatchObject({ expiresAt, issuedAt: END });
      expect(on.aboveRent(PASS)).toBe(0n);
      expect(passFundsOf(on, RULE)).toBe(funds - PASS_FEE);
      await on.reject('PASS_LIVE', closePass());
      await on.reject('PASS_RENEWAL_TOO_EARLY', prove({ expiresAt }));
    }
  });
});

describe('the pass funds', () => {
  /** Closes and proves at each time, in one transaction or in two. Returns how many proofs were accepted. */
  async function provings(times: readonly bigint[], attributes = ATTRIBUTES, life?: bigint): Promise<number> {
    let taken = 0;
    for (const time of times) {
      chain.setTime(time);
      const proving = await prove({ expiresAt: life ? time + life : END, attributes });
      const together = await chain.send(closePass(), proving);
      if (together.refusal) await chain.send(closePass());
      const outcome = together.refusal ? await chain.send(proving) : together;
      if (!outcome.refusal) taken += 1;
    }
    return taken;
  }

  it('are not drained by passes of one second', async () => {
    chain.setTime(HALF);
    await chain.confirm(prove({ expiresAt: HALF + 1n }));
    expect(await provings([HALF + 1n, HALF + DAY], ATTRIBUTES, 1n)).toBe(0);
  });

  it('pay nothing for a credential of another commitment right after a fee, however often the pass is closed', async () => {
    const attributes = { ...ATTRIBUTES, salt: 7n };
    const funds = passFundsOf(chain, RULE);
    chain.setTime(NOW + 1n);
    await chain.confirm(issueCredential({ issuedAt: NOW + 1n, commitment: commitmentBytes(attributes) }));
    const times = [NOW + 1n, NOW + HOUR - 1n, NOW + HOUR, NOW + HOUR + 1n, NOW + 2n * HOUR, NOW + DAY];
    expect(await provings(times, attributes)).toBe(1);
    expect(passFundsOf(chain, RULE)).toBe(funds);
  });
});
