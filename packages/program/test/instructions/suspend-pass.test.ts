import type { Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, Chain, DAY, HOUR, NOW, SOL } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  ATTRIBUTES,
  commitmentBytes,
  discardCredential,
  issueCredential,
  revokeCredential,
} from '../support/credentials.ts';
import { endPasses, pause, retireCircuit, setVerifier, unpause } from '../support/governance.ts';
import { addMarket, HOLDER_EXPIRY, issueTokens, marketChain, transfer } from '../support/market.ts';
import {
  closePass,
  endGrant,
  grantPass,
  LATEST_EXPIRY,
  liftSuspension,
  passOf,
  prove,
  suspendPass,
  UNTIL_LIFTED,
} from '../support/passes.ts';
import { addRuleSet, MAX_PASS_AGE, MAY_GRANT, MAY_SUSPEND, passAt, RULE } from '../support/rule-sets.ts';
import { BOTH, ONE } from '../support/token-instructions.ts';

const chain = chainPerTest(marketChain);

const ISSUER = await addressOf('issuer');
const PASS = await passAt('holder');
const OUTSIDERS = await passAt('outsider');
const UNTIL = NOW + 400n * DAY;

/** A transfer to the holder, which needs its pass. */
const toHolder = () => transfer({ mint: ONE, from: 'other holder', to: 'holder', amount: 1n });

/** Checks that the holder cannot receive tokens, because its pass is suspended. */
async function expectSuspended(on: Chain = chain): Promise<void> {
  await on.reject('DESTINATION_PASS_SUSPENDED', issueTokens({ mint: ONE }));
  expect(await passOf(on)).toMatchObject({ suspendedUntil: expect.any(BigInt) });
  expect((await passOf(on)).suspendedUntil).toBeGreaterThan(on.time);
}

describe('suspend-pass', () => {
  it('suspends a live pass to the second, changes nothing else of it, and takes no lamports', async () => {
    const before = await passOf(chain);
    const lamports = chain.lamports(ISSUER);
    const outcome = await chain.confirm(suspendPass({ until: NOW + HOUR }));
    expect(outcome.changed).toEqual([PASS]);
    expect(await passOf(chain)).toEqual({ ...before, suspendedUntil: NOW + HOUR });
    expect(chain.lamports(ISSUER)).toBe(lamports);
    for (const time of [NOW, NOW + HOUR - 1n]) {
      chain.setTime(time);
      await expectSuspended();
    }
    chain.setTime(NOW + HOUR);
    await chain.confirm(issueTokens({ mint: ONE }));
  });

  it('stops transfers to the wallet, and from it where the binding requires the source', async () => {
    await chain.confirm(transfer({ mint: BOTH }));
    await chain.confirm(transfer({ mint: ONE }));
    await chain.confirm(suspendPass());
    await chain.reject('SOURCE_PASS_SUSPENDED', transfer({ mint: BOTH }));
    await chain.confirm(transfer({ mint: ONE }));
    await chain.reject('DESTINATION_PASS_SUSPENDED', toHolder());
    await chain.reject(
      'DESTINATION_PASS_SUSPENDED',
      transfer({ mint: BOTH, from: 'other holder', to: 'holder', amount: 1n }),
    );
    await chain.confirm(liftSuspension());
    await chain.confirm(transfer({ mint: BOTH }));
    await chain.confirm(toHolder());
  });

  it('says that the pass is suspended also when it has expired: its holder could not renew it', async () => {
    await chain.confirm(suspendPass());
    chain.setTime(LATEST_EXPIRY + DAY);
    await chain.reject('DESTINATION_PASS_SUSPENDED', issueTokens({ mint: ONE }));
  });

  it('works while the protocol is paused', async () => {
    await chain.confirm(pause());
    await chain.confirm(suspendPass());
    await chain.confirm(liftSuspension());
    await chain.confirm(suspendPass());
    await chain.confirm(unpause());
    await expectSuspended();
  });

  it('refuses everybody but the creator, and a rule set that did not give the power', async () => {
    for (const creator of ['governance', 'holder', 'unrelated wallet']) {
      await chain.reject('NOT_CREATOR', suspendPass({ creator }));
    }
    for (const [nonce, terms] of [
      [2n, null],
      [3n, { powers: 0, verifier: null }],
      [4n, { powers: MAY_GRANT, verifier: null }],
    ] as const) {
      const rule = await addRuleSet(chain, { nonce, terms });
      await chain.reject('POWER_NOT_GIVEN', suspendPass({ rule }));
      await chain.reject('POWER_NOT_GIVEN', liftSuspension({ rule }));
    }
    const rule = await addRuleSet(chain, { nonce: 5n, terms: { powers: MAY_SUSPEND, verifier: null } });
    await chain.confirm(suspendPass({ rule }));
  });

  it('refuses a time that is not later than now, and shortens or extends a suspension', async () => {
    for (const until of [1n, NOW - 1n, NOW]) await chain.reject('SUSPENSION_INVALID', suspendPass({ until }));
    for (const until of [UNTIL_LIFTED, NOW + 1n, NOW + DAY]) {
      await chain.confirm(suspendPass({ until }));
      expect((await passOf(chain)).suspendedUntil).toBe(until);
    }
  });

  it('refuses to lift a suspension where there is none, and opens no account for that', async () => {
    await chain.reject('PASS_NOT_SUSPENDED', liftSuspension());
    await chain.reject('PASS_NOT_SUSPENDED', liftSuspension({ holder: 'outsider' }));
    await chain.confirm(suspendPass(), liftSuspension());
    await chain.reject('PASS_NOT_SUSPENDED', liftSuspension());
  });

  it('refuses the pass of another wallet or rule set', async () => {
    const rule = await addRuleSet(chain, { nonce: 2n });
    const own = await suspendPass();
    for (const other of [await passAt('other holder'), await passAt('holder', rule)]) {
      const accounts = own.accounts.map((account) =>
        account.address === PASS ? { ...account, address: other } : account,
      );
      await chain.reject('WRONG_ADDRESS', { ...own, accounts } as Instruction);
    }
  });

  describe('of a wallet without a pass', () => {
    it('opens an ended, suspended one, whose rent the creator pays and gets back with the lifting', async () => {
      const had = chain.lamports(ISSUER);
      const outcome = await chain.confirm(suspendPass({ holder: 'outsider', until: UNTIL }));
      expect(outcome.changed).toEqual([OUTSIDERS]);
      expect(await passOf(chain, 'outsider')).toMatchObject({
        version: 2,
        rule: RULE,
        wallet: await addressOf('outsider'),
        expiresAt: 0n,
        issuedAt: 0n,
        commitment: new Uint8Array(32),
        suspendedUntil: UNTIL,
        granted: false,
      });
      expect(chain.aboveRent(OUTSIDERS)).toBe(0n);
      expect(chain.lamports(ISSUER)).toBe(had - chain.lamports(OUTSIDERS));
      await chain.reject('DESTINATION_PASS_SUSPENDED', issueTokens({ mint: ONE, holder: 'outsider' }));

      chain.fund(OUTSIDERS, 5n);
      await chain.confirm(liftSuspension({ holder: 'outsider' }));
      expect(chain.account(OUTSIDERS)).toBeNull();
      expect(chain.lamports(ISSUER)).toBe(had + 5n);
    });

    it('opens it also at an address that holds lamports', async () => {
      chain.fund(OUTSIDERS, 1n);
      await chain.confirm(suspendPass({ holder: 'outsider' }));
      expect((await passOf(chain, 'outsider')).suspendedUntil).toBe(UNTIL_LIFTED);
    });

    it('keeps it from proving until the suspension lapses; then the pass and its rent are its own', async () => {
      chain.fund(await addressOf('outsider'), SOL);
      await chain.confirm(issueCredential({ wallet: 'outsider' }));
      await chain.confirm(suspendPass({ holder: 'outsider', until: NOW + HOUR }));
      await chain.reject('PASS_SUSPENDED', prove({ wallet: 'outsider' }));
      chain.setTime(NOW + HOUR);
      await chain.confirm(prove({ wallet: 'outsider' }));
      expect(await passOf(chain, 'outsider')).toMatchObject({ expiresAt: LATEST_EXPIRY, suspendedUntil: 0n });
      await chain.reject('PASS_NOT_SUSPENDED', liftSuspension({ holder: 'outsider' }));
    });

    it('gives its rent to nobody else once it has lapsed: only lifting closes it', async () => {
      await chain.confirm(issueCredential({ wallet: 'outsider' }));
      await chain.confirm(suspendPass({ holder: 'outsider', until: NOW + HOUR }));
      const close = await closePass({ holder: 'outsider' });
      const named = (await passOf(chain, 'outsider')).verifier;
      const [verifier, circuit] = close.accounts.slice(4, 6).map(({ address }) => address);
      const accounts = close.accounts.map((account) =>
        account.address === verifier || account.address === circuit
          ? { ...account, address: named }
          : account,
      );
      for (const time of [NOW, NOW + HOUR, LATEST_EXPIRY]) {
        chain.setTime(time);
        await chain.reject('PASS_NOT_PROVED', { ...close, accounts } as Instruction);
        await chain.reject('PASS_NOT_GRANTED', endGrant({ holder: 'outsider' }));
      }
      const ending = { wallet: 'outsider', passes: [OUTSIDERS] };
      await chain.confirm(revokeCredential({ ...ending, revokedAt: chain.time }));
      await chain.confirm(discardCredential(ending));
      expect(chain.account(OUTSIDERS)).not.toBeNull();
      const had = chain.lamports(ISSUER) + chain.lamports(OUTSIDERS);
      await chain.confirm(liftSuspension({ holder: 'outsider' }));
      expect(chain.lamports(ISSUER)).toBe(had);
    });
  });
});

describe('a suspended wallet cannot escape', () => {
  /** The instructions with which an account of a pass can end. */
  const WAYS: Record<string, () => Promise<Instruction>> = {
    'close-pass': () => closePass(),
    'end-grant': () => endGrant({ holder: 'holder' }),
    prove: () => prove({ expiresAt: HOLDER_EXPIRY }),
    'grant-pass': () => grantPass({ holder: 'holder', expiresAt: chain.time + HOUR }),
  };

  it('by waiting until the pass expires and having it closed', async () => {
    await chain.confirm(suspendPass({ until: UNTIL }));
    for (const time of [NOW + HOUR, NOW + MAX_PASS_AGE / 2n, HOLDER_EXPIRY, LATEST_EXPIRY + DAY]) {
      chain.setTime(time);
      await chain.reject(time < HOLDER_EXPIRY ? 'PASS_LIVE' : 'PASS_SUSPENDED', closePass());
    }
    await chain.confirm(issueCredential({ issuedAt: chain.time }));
    await chain.reject('PASS_SUSPENDED', prove({ expiresAt: chain.time + DAY }));
    await expectSuspended();
    chain.setTime(UNTIL);
    await chain.confirm(closePass());
    expect(chain.account(PASS)).toBeNull();
  });

  it.each(Object.keys(WAYS))('by %s, whatever ended the pass', async (way) => {
    await chain.confirm(suspendPass({ until: UNTIL }));
    const endings: Record<string, () => Promise<unknown>> = {
      nothing: async () => {},
      'a revocation': () => chain.confirm(revokeCredential({ passes: [PASS] })),
      'a revocation without the pass': () => chain.confirm(revokeCredential()),
      'a discard': () => chain.confirm(discardCredential({ passes: [PASS] })),
      'governance, for all passes': () => chain.confirm(endPasses()),
      'an inactive verifier': () => chain.confirm(setVerifier({ active: false })),
      'an unsound circuit': () => chain.confirm(retireCircuit({ unsound: true })),
      'another credential': () =>
        chain.confirm(
          issueCredential({ issuedAt: NOW + 1n, commitment: commitmentBytes({ ...ATTRIBUTES, salt: 7n }) }),
        ),
    };
    const saved = chain.save();
    for (const [what, end] of Object.entries(endings)) {
      for (const wait of [0n, HOUR, 399n * DAY]) {
        chain.load(saved);
        await end();
        chain.setTime(NOW + wait);
        // Twice: the first may end the pass, and the second must not close its account.
        for (let time = 0; time < 2; time += 1) await chain.send(WAYS[way]!());
        expect(chain.account(PASS), `${what}, then ${wait} seconds`).not.toBeNull();
        await expectSuspended();
      }
    }
  });

  it('by having the pass ended twice in one revocation', async () => {
    await chain.confirm(suspendPass());
    await chain.confirm(revokeCredential({ passes: [PASS, PASS] }));
    await expectSuspended();
    chain.setTime(NOW + HOUR);
    await chain.reject('PASS_SUSPENDED', closePass());
  });

  it('and a reason to end the pass ends it all the same, so that it does not come back when the suspension lapses', async () => {
    await chain.confirm(suspendPass({ until: NOW + DAY }));
    await chain.confirm(revokeCredential());
    await chain.confirm(closePass());
    expect(await passOf(chain)).toMatchObject({ expiresAt: NOW, commitment: new Uint8Array(32) });
    chain.setTime(NOW + DAY);
    await chain.reject('DESTINATION_PASS_EXPIRED', issueTokens({ mint: ONE }));
    await chain.confirm(closePass());
    expect(chain.account(PASS)).toBeNull();
  });

  it('by a suspension that counts for another rule set only', async () => {
    const rule = await addRuleSet(chain, { nonce: 2n, passFunds: SOL });
    await chain.confirm(suspendPass({ rule }));
    await chain.confirm(issueTokens({ mint: ONE }));
    await chain.reject('PASS_SUSPENDED', prove({ rule, expiresAt: HOLDER_EXPIRY }));
  });
});

describe('a suspension that has lapsed', () => {
  it('behaves as none', async () => {
    await chain.confirm(suspendPass({ until: NOW + HOUR }));
    const lapsed = Chain.from(chain.save());
    lapsed.setTime(NOW + HOUR);
    await lapsed.confirm(issueTokens({ mint: ONE }));
    await lapsed.reject('PASS_LIVE', closePass());
    await lapsed.reject('PASS_LIVE', grantPass({ holder: 'holder', expiresAt: NOW + DAY }));
    await lapsed.confirm(liftSuspension());
    expect(await passOf(lapsed)).toMatchObject({ suspendedUntil: 0n, expiresAt: HOLDER_EXPIRY });
    lapsed.setTime(NOW + MAX_PASS_AGE / 2n);
    await lapsed.confirm(prove());
  });
});

describe('a suspended grant', () => {
  it('does not count, does not end, and is not renewed; lifting the suspension leaves it', async () => {
    await addMarket(chain, { mint: 'granting mint', honoursGranted: true });
    await chain.confirm(grantPass({ holder: 'outsider' }));
    const issue = () => issueTokens({ mint: 'granting mint', holder: 'outsider' });
    await chain.confirm(issue());
    await chain.confirm(suspendPass({ holder: 'outsider' }));
    await chain.reject('DESTINATION_PASS_SUSPENDED', issue());
    await chain.reject('PASS_SUSPENDED', endGrant({ holder: 'outsider' }));
    await chain.reject('PASS_SUSPENDED', grantPass({ holder: 'outsider', expiresAt: NOW + 2n * DAY }));
    await chain.confirm(liftSuspension({ holder: 'outsider' }));
    await chain.confirm(issue());
    await chain.confirm(suspendPass({ holder: 'outsider' }));
    chain.setTime(NOW + 2n * DAY);
    await chain.reject('PASS_SUSPENDED', endGrant({ sender: 'unrelated wallet', holder: 'outsider' }));
    await chain.confirm(liftSuspension({ holder: 'outsider' }));
    await chain.confirm(endGrant({ sender: 'unrelated wallet', holder: 'outsider' }));
  });
});
