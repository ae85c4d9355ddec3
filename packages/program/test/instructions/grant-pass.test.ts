import type { Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, Chain, DAY, HOUR, NOW, SOL } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { discardCredential, issueCredential, revokeCredential } from '../support/credentials.ts';
import {
  CIRCUIT,
  endPasses,
  PASS_FEE,
  pause,
  setPassFee,
  unpause,
  verifierAt,
} from '../support/governance.ts';
import { withAddress } from '../support/instruction.ts';
import {
  addMarket,
  balanceOf,
  HOLDER_EXPIRY,
  holdersChain,
  issueTokens,
  transfer,
} from '../support/market.ts';
import {
  closePass,
  endGrant,
  grantPass,
  LATEST_EXPIRY,
  passOf,
  prove,
  suspendPass,
} from '../support/passes.ts';
import {
  addRuleSet,
  MAX_PASS_AGE,
  MAY_GRANT,
  MAY_SUSPEND,
  passAt,
  passFundsOf,
  RULE,
  ruleSetOf,
  setMaxPassFee,
  withdrawPassFunds,
} from '../support/rule-sets.ts';
import { tokens } from '../support/token-instructions.ts';

/** A mint that honours granted passes, one that does too and requires the source, and one that does not. */
const [HONOURING, BOTH_HONOURING, STRICT] = ['honouring', 'both honouring', 'strict'] as const;

const chain = chainPerTest(async () => {
  const ready = await holdersChain();
  await addMarket(ready, { mint: HONOURING, honoursGranted: true });
  await addMarket(ready, { mint: BOTH_HONOURING, honoursGranted: true, requireSource: true });
  await addMarket(ready, { mint: STRICT, requireSource: true });
  return ready;
});

const ISSUER = await addressOf('issuer');
const CUSTODIANS = await passAt('custodian');
/** The outsider holds token accounts of every mint. */
const OUTSIDERS = await passAt('outsider');

const closeAs = async (holder: string, on: Chain): Promise<Instruction> => {
  const { verifier, circuit } = await passOf(on, holder);
  const named = withAddress(await closePass({ holder }), await verifierAt('verifier'), verifier);
  return withAddress(named, CIRCUIT, circuit);
};

describe('grant-pass', () => {
  it('opens a granted pass without the wallet, takes the fee from the pass funds and the rent from the creator', async () => {
    const before = {
      issuer: chain.lamports(ISSUER),
      rule: chain.lamports(RULE),
      funds: passFundsOf(chain, RULE),
    };
    const outcome = await chain.confirm(grantPass());
    expect([...outcome.changed].sort()).toEqual([CUSTODIANS, RULE].sort());
    expect(await passOf(chain, 'custodian')).toMatchObject({
      version: 2,
      rule: RULE,
      wallet: await addressOf('custodian'),
      expiresAt: NOW + DAY,
      issuedAt: NOW,
      commitment: new Uint8Array(32),
      suspendedUntil: 0n,
      granted: true,
    });
    expect(chain.aboveRent(CUSTODIANS)).toBe(0n);
    expect(before.issuer - chain.lamports(ISSUER)).toBe(chain.lamports(CUSTODIANS));
    expect(chain.lamports(RULE)).toBe(before.rule);
    expect(before.funds - passFundsOf(chain, RULE)).toBe(PASS_FEE);
  });

  it('refuses everybody but the creator, and a rule set that did not give the power', async () => {
    for (const creator of ['governance', 'custodian', 'holder', 'unrelated wallet']) {
      await chain.reject('NOT_CREATOR', grantPass({ creator }));
    }
    for (const [nonce, terms] of [
      [2n, null],
      [3n, { powers: MAY_SUSPEND, verifier: null }],
    ] as const) {
      const rule = await addRuleSet(chain, { nonce, terms, passFunds: SOL });
      await chain.reject('POWER_NOT_GIVEN', grantPass({ rule }));
    }
    const terms = { powers: MAY_GRANT, verifier: null };
    const rule = await addRuleSet(chain, { nonce: 4n, terms, passFunds: SOL });
    await chain.confirm(grantPass({ rule }));
  });

  it('lets a grant live for the longest pass life at most', async () => {
    for (const expiresAt of [0n, NOW, LATEST_EXPIRY + 1n, 2n ** 64n - 1n]) {
      await chain.reject('PASS_EXPIRY_INVALID', grantPass({ expiresAt }));
    }
    for (const expiresAt of [NOW + 1n, LATEST_EXPIRY]) await chain.confirm(grantPass({ expiresAt }));
  });

  it('is rejected while the protocol is paused, and in the second in which governance ends all passes', async () => {
    await chain.confirm(pause());
    await chain.reject('PROTOCOL_PAUSED', grantPass());
    await chain.confirm(unpause());
    await chain.confirm(endPasses());
    await chain.reject('PASSES_JUST_ENDED', grantPass());
    chain.setTime(NOW + 1n);
    await chain.confirm(grantPass());
  });

  it('has the limits of the fee that prove has', async () => {
    const rule = await addRuleSet(chain, { nonce: 2n, passFunds: 2n * PASS_FEE - 1n });
    await chain.confirm(grantPass({ rule }));
    await chain.reject('PASS_FUNDS_TOO_LOW', grantPass({ rule }));
    await chain.reject('WITHDRAWAL_TOO_HIGH', withdrawPassFunds({ rule, lamports: PASS_FEE }));
    expect(ruleSetOf(chain, rule).fees).toBe(PASS_FEE);
    await chain.confirm(setMaxPassFee({ lamports: PASS_FEE - 1n }));
    await chain.reject('PASS_FEE_ABOVE_LIMIT', grantPass());
    await chain.confirm(setPassFee({ passFee: null }));
    await chain.reject('PASS_FEE_UNSET', grantPass());
  });

  it('renews a granted pass at once, each time for one fee', async () => {
    await chain.confirm(grantPass());
    const { lamports } = chain.account(CUSTODIANS)!;
    const had = chain.lamports(ISSUER);
    chain.setTime(NOW + 5n);
    await chain.confirm(grantPass({ expiresAt: NOW + 2n * DAY }));
    expect(await passOf(chain, 'custodian')).toMatchObject({
      issuedAt: NOW + 5n,
      expiresAt: NOW + 2n * DAY,
      granted: true,
    });
    expect([chain.lamports(CUSTODIANS), chain.lamports(ISSUER)]).toEqual([lamports, had]);
    expect(ruleSetOf(chain, RULE).fees).toBe(4n * PASS_FEE);
  });

  it('never replaces a proved pass that is live, to the second', async () => {
    const grant = (expiresAt: bigint) => grantPass({ holder: 'holder', expiresAt });
    await chain.reject('PASS_LIVE', grant(NOW + DAY));
    // Nobody has ended it yet.
    await chain.confirm(revokeCredential());
    chain.setTime(HOLDER_EXPIRY - 1n);
    await chain.reject('PASS_LIVE', grant(HOLDER_EXPIRY));
    chain.setTime(HOLDER_EXPIRY);
    await chain.confirm(grant(HOLDER_EXPIRY + DAY));
  });

  it('replaces a proved pass that was ended, by governance too, and pays the wallet its rent', async () => {
    const pass = await passAt('holder');
    const wallet = await addressOf('holder');
    const saved = chain.save();
    for (const end of [
      () => chain.confirm(endPasses()),
      () => chain.confirm(revokeCredential({ passes: [pass] })),
      () => chain.setTime(HOLDER_EXPIRY),
    ]) {
      chain.load(saved);
      chain.fund(pass, 7n);
      await end();
      if (chain.time === NOW) chain.setTime(NOW + 1n);
      const [had, paid, held] = [chain.lamports(wallet), chain.lamports(ISSUER), chain.lamports(pass)];
      await chain.confirm(grantPass({ holder: 'holder', expiresAt: chain.time + DAY }));
      expect(chain.lamports(wallet) - had).toBe(held);
      // The creator pays for the rent, and not for lamports that anyone sent there.
      expect(paid - chain.lamports(ISSUER)).toBe(held - 7n);
      expect(chain.lamports(pass)).toBe(held - 7n);
      expect(await passOf(chain)).toMatchObject({ granted: true, commitment: new Uint8Array(32) });
      await chain.confirm(endGrant({ holder: 'holder' }));
      expect([chain.lamports(wallet) - had, paid - chain.lamports(ISSUER)]).toEqual([held, 0n]);
    }
  });

  it('does not let a wallet take more than the rent of the creator by sending lamports to its pass', async () => {
    const pass = await passAt('holder');
    const wallet = await addressOf('holder');
    chain.setTime(HOLDER_EXPIRY);
    const before = chain.lamports(wallet) + chain.lamports(pass);
    const rent = chain.rentOf(chain.data(pass).length);
    chain.fund(pass, 10n * SOL);
    const paid = chain.lamports(ISSUER);
    await chain.confirm(grantPass({ holder: 'holder', expiresAt: HOLDER_EXPIRY + DAY }));
    await chain.confirm(prove({ expiresAt: HOLDER_EXPIRY + DAY }));
    expect(paid - chain.lamports(ISSUER)).toBe(rent);
    expect(chain.lamports(wallet) + chain.lamports(pass) - before).toBe(10n * SOL + rent);
  });

  it('does not replace the pass of another wallet or rule set', async () => {
    const rule = await addRuleSet(chain, { nonce: 2n, passFunds: SOL });
    await chain.confirm(grantPass({ rule }));
    await chain.confirm(grantPass({ holder: 'outsider' }));
    for (const other of [await passAt('custodian', rule), OUTSIDERS, await passAt('holder')]) {
      const error = other === (await passAt('holder')) ? 'PASS_LIVE' : 'WRONG_ADDRESS';
      await chain.reject(error, withAddress(await grantPass(), CUSTODIANS, other));
    }
  });
});

describe('a granted pass', () => {
  const issue = (mint: string) => issueTokens({ mint, holder: 'outsider', amount: 10n });

  it('counts only for mints that honour it, as destination and as source', async () => {
    await chain.reject('DESTINATION_PASS_MISSING', issue(HONOURING));
    await chain.confirm(grantPass({ holder: 'outsider' }));
    // The outsider has no credential.
    await chain.confirm(issue(HONOURING));
    await chain.confirm(issue(BOTH_HONOURING));
    expect(balanceOf(chain, await tokens('outsider', HONOURING))).toBe(10n);
    await chain.reject('DESTINATION_PASS_GRANTED', issue(STRICT));
    for (const mint of [HONOURING, BOTH_HONOURING, STRICT]) {
      await chain.confirm(issueTokens({ mint, amount: 10n }));
      const to = { mint, from: 'holder', to: 'outsider', requireSource: mint !== HONOURING };
      if (mint === STRICT) await chain.reject('DESTINATION_PASS_GRANTED', transfer(to));
      else {
        await chain.confirm(transfer(to));
        await chain.confirm(transfer({ ...to, from: 'outsider', to: 'holder' }));
      }
    }
  });

  it('stops its wallet as the source of a mint that does not honour it', async () => {
    await chain.confirm(issueTokens({ mint: STRICT, amount: 10n }));
    chain.setTime(HOLDER_EXPIRY);
    await chain.confirm(grantPass({ holder: 'holder', expiresAt: HOLDER_EXPIRY + HOUR }));
    const moved = { mint: STRICT, from: 'holder', to: 'other holder', requireSource: true };
    await chain.reject('SOURCE_PASS_GRANTED', transfer(moved));
  });

  it('expires to the second, and ends with all passes of governance', async () => {
    await chain.confirm(grantPass({ holder: 'outsider' }));
    chain.setTime(NOW + DAY - 1n);
    await chain.confirm(issue(HONOURING));
    chain.setTime(NOW + DAY);
    await chain.reject('DESTINATION_PASS_EXPIRED', issue(HONOURING));
    chain.setTime(NOW + HOUR);
    await chain.confirm(endPasses());
    await chain.reject('DESTINATION_PASS_EXPIRED', issue(HONOURING));
  });

  it('skips only the check of the credential when tokens are issued: a proved one does not', async () => {
    await chain.confirm(revokeCredential());
    await chain.reject('CREDENTIAL_REVOKED', issueTokens({ mint: HONOURING }));
    chain.setTime(HOLDER_EXPIRY);
    await chain.confirm(grantPass({ holder: 'holder', expiresAt: HOLDER_EXPIRY + HOUR }));
    await chain.confirm(issueTokens({ mint: HONOURING }));
    await chain.reject('NOT_ISSUER', issueTokens({ mint: HONOURING, issuer: 'holder' }));
    await chain.confirm(endPasses());
    await chain.reject('DESTINATION_PASS_EXPIRED', issueTokens({ mint: HONOURING }));
  });

  it('is not ended by close-pass, a revocation or a discard', async () => {
    await chain.confirm(issueCredential({ wallet: 'outsider' }));
    await chain.confirm(grantPass({ holder: 'outsider' }));
    const before = await passOf(chain, 'outsider');
    const ending = { wallet: 'outsider', passes: [OUTSIDERS] };
    for (const time of [NOW, NOW + DAY, LATEST_EXPIRY]) {
      chain.setTime(time);
      await chain.reject('PASS_NOT_PROVED', closeAs('outsider', chain));
    }
    await chain.confirm(revokeCredential({ ...ending, revokedAt: chain.time }));
    // It revokes nothing again, and ends no pass.
    await chain.reject('CREDENTIAL_REVOKED', revokeCredential({ ...ending, revokedAt: chain.time }));
    await chain.confirm(discardCredential(ending));
    expect(await passOf(chain, 'outsider')).toEqual(before);
  });

  it('is replaced by a proof at any time, for a fee, and then its rent is the wallet’s', async () => {
    chain.fund(await addressOf('outsider'), SOL);
    await chain.confirm(issueCredential({ wallet: 'outsider' }));
    await chain.confirm(grantPass({ holder: 'outsider', expiresAt: LATEST_EXPIRY }));
    const { fees } = ruleSetOf(chain, RULE);
    await chain.confirm(prove({ wallet: 'outsider' }));
    expect(ruleSetOf(chain, RULE).fees - fees).toBe(PASS_FEE);
    expect(await passOf(chain, 'outsider')).toMatchObject({
      granted: false,
      circuit: CIRCUIT,
      verifier: await verifierAt('verifier'),
    });
    // From now on it is a proved pass in every way.
    await chain.reject('PASS_LIVE', grantPass({ holder: 'outsider' }));
    await chain.reject('PASS_NOT_GRANTED', endGrant({ holder: 'outsider' }));
    await chain.reject('PASS_RENEWAL_TOO_EARLY', prove({ wallet: 'outsider' }));
    await chain.confirm(issue(STRICT));
    const wallet = await addressOf('outsider');
    const had = chain.lamports(wallet) + chain.lamports(OUTSIDERS);
    chain.setTime(LATEST_EXPIRY);
    await chain.confirm(closePass({ holder: 'outsider' }));
    expect(chain.lamports(wallet)).toBe(had);
  });

  it('keeps no wallet from proving, however often it is renewed', async () => {
    chain.fund(await addressOf('outsider'), SOL);
    await chain.confirm(issueCredential({ wallet: 'outsider' }));
    for (const time of [NOW, NOW + 1n, NOW + 2n]) {
      chain.setTime(time);
      await chain.confirm(grantPass({ holder: 'outsider' }));
    }
    await chain.confirm(grantPass({ holder: 'outsider' }), prove({ wallet: 'outsider' }));
  });
});

describe('end-grant', () => {
  it('by the creator closes the pass at any time, and pays all its lamports to the creator', async () => {
    await chain.confirm(grantPass());
    chain.fund(CUSTODIANS, 3n);
    const had = chain.lamports(ISSUER) + chain.lamports(CUSTODIANS);
    const outcome = await chain.confirm(endGrant());
    expect(outcome.changed).toEqual([CUSTODIANS]);
    expect(chain.account(CUSTODIANS)).toBeNull();
    expect(chain.lamports(ISSUER)).toBe(had);
    await chain.confirm(grantPass());
  });

  it('by anyone closes it once it is over, to the second, also while the protocol is paused', async () => {
    const byAnyone = () => endGrant({ sender: 'unrelated wallet' });
    await chain.confirm(grantPass());
    await chain.reject('NOT_CREATOR', byAnyone());
    await chain.reject('NOT_CREATOR', endGrant({ sender: 'custodian' }));
    chain.setTime(NOW + DAY - 1n);
    await chain.reject('NOT_CREATOR', byAnyone());
    await chain.confirm(pause());
    const ended = Chain.from(chain.save());
    chain.setTime(NOW + DAY);
    const had = chain.lamports(ISSUER) + chain.lamports(CUSTODIANS);
    await chain.confirm(byAnyone());
    expect(chain.lamports(ISSUER)).toBe(had);
    await ended.confirm(endPasses());
    await ended.confirm(byAnyone());
  });

  it('pays nobody but the creator of the rule set of the pass', async () => {
    await chain.confirm(grantPass());
    const rule = await addRuleSet(chain, { nonce: 2n, creator: 'unrelated wallet' });
    await chain.reject('WRONG_ADDRESS', endGrant({ creator: 'unrelated wallet' }));
    const own = { sender: 'unrelated wallet', creator: 'unrelated wallet' };
    await chain.reject('WRONG_ADDRESS', withAddress(await endGrant(own), RULE, rule));
  });

  it('refuses a proved pass, live or expired, and a pass that was never granted', async () => {
    await chain.reject('PASS_NOT_GRANTED', endGrant({ holder: 'holder' }));
    await chain.confirm(suspendPass({ holder: 'outsider' }));
    await chain.reject('PASS_NOT_GRANTED', endGrant({ holder: 'outsider' }));
    await chain.reject('WRONG_OWNER', endGrant());
    chain.setTime(NOW + 2n * MAX_PASS_AGE);
    await chain.reject('PASS_NOT_GRANTED', endGrant({ holder: 'holder' }));
  });
});
