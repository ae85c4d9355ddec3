/** `prove` in a rule set that limits the wallets of each person. */
import { FIELD_ORDER } from '@service/protocol/eligibility';
import { describe, expect, it } from 'vitest';
import { addressOf, Chain, DAY, HOUR, NOW, PROGRAM, SOL } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  ATTRIBUTES,
  commitmentBytes,
  discardCredential,
  issueCredential,
  revokeCredential,
} from '../support/credentials.ts';
import { eventsOf } from '../support/events.ts';
import { endPasses, PASS_FEE, retireCircuit, rotateCircuit, setVerifier } from '../support/governance.ts';
import { MEMO, withAddress } from '../support/instruction.ts';
import {
  closePass,
  eligibleChain,
  endGrant,
  grantPass,
  LATEST_EXPIRY,
  liftSuspension,
  passOf,
  proofOf,
  prove,
  suspendPass,
  tagBytes,
} from '../support/passes.ts';
import {
  addLimitedRuleSet,
  heldForAnHour,
  LIMITED_RULE,
  LIMITED_TERMS,
  placeAt,
  placeOf,
  proveInPlace,
} from '../support/places.ts';
import { addRuleSet, CLAUSES, MAX_PASS_AGE, passAt, passFundsOf } from '../support/rule-sets.ts';

const WALLETS = ['holder', 'other holder', 'outsider'] as const;
const [FIRST, SECOND, THIRD] = WALLETS;

async function placesChain(): Promise<Chain> {
  const chain = await eligibleChain({ wallets: [...WALLETS] });
  await addLimitedRuleSet(chain);
  return chain;
}

const chain = chainPerTest(placesChain);
const rule = LIMITED_RULE;
/** The pass of the wallet that is replaced. */
const PASS = await passAt(FIRST, rule);

/** `prove` by a wallet in the place of another one. */
const takeOver = (change: Parameters<typeof proveInPlace>[0] = {}) =>
  proveInPlace({ wallet: SECOND, replaces: FIRST, ...change });

/** Returns whether a wallet has a live proved pass for the rule set. */
async function isLive(wallet: string): Promise<boolean> {
  const account = chain.account(await passAt(wallet, rule));
  if (!account) return false;
  const { expiresAt, commitment } = await passOf(chain, wallet, rule);
  return expiresAt > chain.time && commitment.some((byte) => byte !== 0);
}

describe('a free place', () => {
  it('is created by the first wallet that proves in it, which pays its rent', async () => {
    const wallet = await addressOf(FIRST);
    const before = chain.lamports(wallet);
    const outcome = await chain.confirm(proveInPlace());

    const [place, pass] = [await placeAt(), await passAt(FIRST, rule)];
    expect([...outcome.changed].sort()).toEqual([place, pass, rule].sort());
    expect(chain.account(place)?.owner).toBe(PROGRAM);
    expect(await placeOf(chain)).toMatchObject({
      accountType: 9,
      version: 1,
      rule,
      tag: await tagBytes(0, { rule }),
      wallet,
      pass,
      since: NOW,
    });
    const rents = [place, pass].map((account) => chain.rentOf(chain.data(account).length));
    expect([place, pass].map((account) => chain.lamports(account))).toEqual(rents);
    expect(before - chain.lamports(wallet)).toBe(rents[0]! + rents[1]!);
    expect(passFundsOf(chain, rule)).toBe(9n * PASS_FEE);
    expect(eventsOf(outcome).map(({ event }) => event)).toEqual(['passProved']);
  });

  it('is one of as many as the rule set has, for all wallets of the person together', async () => {
    await chain.confirm(proveInPlace());
    await chain.confirm(proveInPlace({ wallet: SECOND, place: 1 }));
    for (const place of [2, 3, 254]) {
      await chain.reject('PLACE_NOT_IN_RULE_SET', proveInPlace({ wallet: THIRD, place }));
    }
    for (const place of [0, 1]) await chain.reject('PLACE_TAKEN', proveInPlace({ wallet: THIRD, place }));
    expect(await Promise.all(WALLETS.map(isLive))).toEqual([true, true, false]);
  });

  it('of another person is another account', async () => {
    const attributes = { ...ATTRIBUTES, person: 77n };
    const commitment = commitmentBytes(attributes);
    await chain.confirm(issueCredential({ wallet: SECOND, issuedAt: NOW + 1n, commitment }));
    await chain.confirm(proveInPlace());
    await chain.confirm(proveInPlace({ wallet: SECOND, attributes }));
    expect((await placeOf(chain)).wallet).toBe(await addressOf(FIRST));
    expect((await placeOf(chain, 0, { person: 77n })).wallet).toBe(await addressOf(SECOND));
  });

  it('is created where somebody sent lamports, also in the same transaction', async () => {
    for (const lamports of [1n, SOL]) {
      const at = Chain.from(chain.save());
      at.fund(await placeAt(), lamports);
      await at.confirm(proveInPlace());
      expect((await placeOf(at)).wallet).toBe(await addressOf(FIRST));
    }
  });

  it('can be the one of the sixth clause, the last one that a limited rule set has', async () => {
    const nobody = { regionMask: 1n << 200n, statusMask: 1, minAge: 99 };
    const clauses = [nobody, nobody, nobody, nobody, nobody, CLAUSES[0]!];
    const six = await addRuleSet(chain, { nonce: 3n, passFunds: PASS_FEE, clauses, terms: LIMITED_TERMS });
    await chain.confirm(prove({ rule: six, clauses, place: 1 }));
  });
});

describe('the rule set, not the prover, decides whether a proof takes a place', () => {
  it('a proof without a place is refused where each person has places', async () => {
    await chain.reject('PLACE_NOT_IN_RULE_SET', prove({ rule }));
    const claim = { number: 0, tag: await tagBytes(0, { rule }) };
    const place = await placeAt();
    const proving = await proveInPlace({ proof: await proofOf({ rule }), claim });
    expect(proving.accounts!.map(({ address }) => address)).toContain(place);
    await chain.reject('PROOF_INVALID', proving);
  });

  it('a proof with a place is refused where there is no limit', async () => {
    await chain.reject('PLACE_NOT_IN_RULE_SET', prove({ place: 0 }));
    await chain.reject('PROOF_INVALID', prove({ proof: await proofOf({ place: 0 }) }));
  });

  it('the accounts of a place are refused where there is no limit', async () => {
    const { accounts } = await proveInPlace();
    const proving = await prove();
    const more = { ...proving, accounts: [...proving.accounts!, accounts!.at(-1)!] };
    await chain.reject('WRONG_ACCOUNT_COUNT', more);
  });

  it('a limit of more or fewer places does not change the proofs of the others', async () => {
    const most = { nonce: 3n, passFunds: PASS_FEE, terms: { ...LIMITED_TERMS, walletsPerPerson: 255 } };
    const many = await addRuleSet(chain, most);
    await chain.confirm(prove({ rule: many, place: 254 }));
    const one = { nonce: 4n, passFunds: PASS_FEE, terms: { ...LIMITED_TERMS, walletsPerPerson: 1 } };
    const single = await addRuleSet(chain, one);
    await chain.reject('PLACE_NOT_IN_RULE_SET', prove({ rule: single, place: 1 }));
    await chain.confirm(prove({ rule: single, place: 0 }));
  });
});

describe('the proof', () => {
  it('is of the place of the data', async () => {
    const tag = await tagBytes(1, { rule });
    for (const claim of [
      { number: 1, tag: await tagBytes(0, { rule }) },
      { number: 1, tag },
      { number: 0, tag },
    ])
      await chain.reject('PROOF_INVALID', proveInPlace({ claim, proof: await proofOf({ rule, place: 0 }) }));
  });

  it('is of the person of the tag', async () => {
    const claim = { number: 0, tag: await tagBytes(0, { rule, person: 77n }) };
    await chain.reject('PROOF_INVALID', proveInPlace({ claim }));
    // A commitment of another person is that of another credential.
    const attributes = { ...ATTRIBUTES, person: 77n };
    await chain.reject('PROOF_INVALID', proveInPlace({ attributes }));
  });

  it('of another rule set with a limit is refused', async () => {
    const other = await addRuleSet(chain, { nonce: 3n, passFunds: PASS_FEE, terms: LIMITED_TERMS });
    const proof = await proofOf({ rule: other, place: 0 });
    await chain.reject('PROOF_INVALID', proveInPlace({ proof }));
  });

  it('gives a tag only one account: the same field element in another form is refused', async () => {
    const tag = BigInt(`0x${Buffer.from(await tagBytes(0, { rule })).toString('hex')}`);
    const bytesOf = (value: bigint) =>
      Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
    await chain.confirm(proveInPlace());
    let forms = 0;
    for (let form = tag + FIELD_ORDER; form < 2n ** 256n; form += FIELD_ORDER) {
      const claim = { number: 0, tag: bytesOf(form) };
      await chain.reject('HASH_FAILED', proveInPlace({ wallet: SECOND, claim }));
      forms += 1;
    }
    expect(forms).toBeGreaterThan(3);
  });

  it('needs a credential of the only verifier of the rule set', async () => {
    await chain.confirm(revokeCredential({ wallet: SECOND }));
    const newer = { wallet: SECOND, verifier: 'second verifier', previousVerifier: 'verifier' };
    await chain.confirm(issueCredential({ ...newer, issuedAt: NOW + 1n }));
    const proving = proveInPlace({ wallet: SECOND, verifier: 'second verifier' });
    await chain.reject('VERIFIER_NOT_ACCEPTED', proving);
  });
});

describe('the account of the place', () => {
  it('is that of the rule set and the tag, whether it exists or not', async () => {
    const other = await addRuleSet(chain, { nonce: 3n, passFunds: 2n * PASS_FEE, terms: LIMITED_TERMS });
    const others = [await placeAt(1), await placeAt(0, { rule: other }), await placeAt(0, { person: 77n })];
    for (const place of others) {
      await chain.reject('WRONG_ADDRESS', withAddress(await proveInPlace(), await placeAt(), place));
    }
    await chain.confirm(proveInPlace({ wallet: SECOND, place: 1 }));
    await chain.confirm(prove({ rule: other, place: 0 }));
    for (const place of others.slice(0, 2)) {
      await chain.reject('WRONG_ADDRESS', withAddress(await proveInPlace(), await placeAt(), place));
    }
  });
});

describe('the wallet that holds the place', () => {
  it('renews its pass in it, and holds it since the first time', async () => {
    await chain.confirm(proveInPlace());
    await chain.reject('PASS_RENEWAL_TOO_EARLY', proveInPlace());
    chain.setTime(NOW + MAX_PASS_AGE / 2n);
    const expiresAt = chain.time + MAX_PASS_AGE;
    const outcome = await chain.confirm(MEMO, proveInPlace({ expiresAt }));
    expect(outcome.changed).not.toContain(await placeAt());
    expect(await placeOf(chain)).toMatchObject({ wallet: await addressOf(FIRST), since: NOW });
    expect((await passOf(chain, FIRST, rule)).expiresAt).toBe(expiresAt);
    expect(outcome.units).toBeLessThan(95_000);
  });

  it('proves in it with a new credential of the person, also after the pass was closed', async () => {
    await chain.confirm(proveInPlace({ expiresAt: NOW + DAY }));
    const attributes = { ...ATTRIBUTES, salt: 99n };
    const commitment = commitmentBytes(attributes);
    chain.setTime(NOW + HOUR);
    await chain.confirm(issueCredential({ issuedAt: NOW + HOUR, commitment }));
    await chain.confirm(closePass({ rule }));
    expect(chain.account(await passAt(FIRST, rule))).toBeNull();
    await chain.confirm(proveInPlace({ attributes }));
    expect(await placeOf(chain)).toMatchObject({ wallet: await addressOf(FIRST), since: NOW });
  });

  it('cannot replace itself, nor name another wallet', async () => {
    await chain.confirm(proveInPlace());
    await chain.confirm(endPasses());
    chain.setTime(NOW + 2n * HOUR);
    for (const replaces of [FIRST, SECOND]) await chain.reject('PLACE_NOT_HELD', proveInPlace({ replaces }));
    await chain.confirm(proveInPlace());
  });

  it('can hold a second place of the person, which is then taken too', async () => {
    await chain.confirm(proveInPlace());
    chain.setTime(NOW + MAX_PASS_AGE / 2n);
    await chain.confirm(proveInPlace({ place: 1 }));
    await chain.reject('PLACE_TAKEN', proveInPlace({ wallet: SECOND, place: 1 }));
    chain.setTime(chain.time + HOUR);
    // Whoever takes one of them ends the only pass of the wallet. The second time, nothing is left to end.
    await chain.confirm(takeOver({ wallet: SECOND, place: 0 }));
    await chain.confirm(takeOver({ wallet: THIRD, place: 1 }));
    expect(await Promise.all(WALLETS.map(isLive))).toEqual([false, true, true]);
  });
});

describe('another wallet of the person', () => {
  it('replaces the wallet from an hour later on, to the second, and ends its pass', async () => {
    await chain.confirm(proveInPlace());
    for (const time of [NOW, NOW + HOUR - 1n]) {
      chain.setTime(time);
      await chain.reject('PLACE_TAKEN_TOO_SOON', takeOver());
    }
    chain.setTime(NOW + HOUR);
    await chain.reject('PLACE_TAKEN', proveInPlace({ wallet: SECOND }));
    const [old, wallet] = [await addressOf(FIRST), await addressOf(SECOND)];
    const before = chain.lamports(old);
    const outcome = await chain.confirm(MEMO, takeOver());

    const pass = await passAt(SECOND, rule);
    expect(await placeOf(chain)).toMatchObject({ wallet, pass, since: NOW + HOUR });
    expect(chain.account(await passAt(FIRST, rule))).toBeNull();
    expect(chain.lamports(old) - before).toBe(chain.rentOf(chain.data(pass).length));
    const tag = await tagBytes(0, { rule });
    expect(eventsOf(outcome)).toEqual([
      { event: 'passClosed', pass: await passAt(FIRST, rule), rule, wallet: old },
      { event: 'placeTaken', rule, tag, oldWallet: old, newWallet: wallet },
      { event: 'passProved', pass, rule, wallet, expiresAt: LATEST_EXPIRY, fee: PASS_FEE },
    ]);
    expect(outcome.units).toBeLessThan(95_000);
  });

  it('is not replaced by the old one without its name, nor within another hour', async () => {
    await heldForAnHour(chain);
    const taking = await takeOver();
    await chain.confirm(taking);
    // The same instruction again does nothing, now and when the pass could be renewed.
    await chain.reject('PASS_RENEWAL_TOO_EARLY', taking);
    const later = Chain.from(chain.save());
    later.setTime(NOW + MAX_PASS_AGE / 2n);
    await later.reject('PLACE_NOT_HELD', taking);
    await chain.reject('PLACE_TAKEN', proveInPlace());
    const back = { wallet: FIRST, replaces: SECOND };
    await chain.reject('PLACE_TAKEN_TOO_SOON', takeOver(back));
    await chain.reject('PLACE_TAKEN_TOO_SOON', takeOver({ wallet: THIRD, replaces: SECOND }));
    chain.setTime(NOW + HOUR - 1n);
    await chain.reject('PLACE_TAKEN_TOO_SOON', takeOver(back));
    chain.setTime(NOW + HOUR);
    await chain.confirm(takeOver(back));
    expect(await Promise.all(WALLETS.map(isLive))).toEqual([true, false, false]);
  });

  it('names the wallet that holds the place, and its pass', async () => {
    await heldForAnHour(chain);
    await chain.reject('PLACE_NOT_HELD', takeOver({ replaces: THIRD }));
    await chain.reject('PLACE_NOT_HELD', takeOver({ place: 1 }));
    for (const pass of [await passAt(THIRD, rule), await passAt(FIRST), await passAt(SECOND, rule)]) {
      const named = await takeOver();
      const accounts = named.accounts!.map((account, index) =>
        index === named.accounts!.length - 1 ? { ...account, address: pass } : account,
      );
      await chain.reject('WRONG_ADDRESS', { ...named, accounts });
    }
    expect(await isLive(FIRST)).toBe(true);
  });

  it('of another person never gets the place', async () => {
    await heldForAnHour(chain);
    const attributes = { ...ATTRIBUTES, person: 77n };
    const commitment = commitmentBytes(attributes);
    await chain.confirm(issueCredential({ wallet: SECOND, issuedAt: NOW + 1n, commitment }));
    // Its own place is free, so nobody is to be replaced there.
    await chain.reject('PLACE_NOT_HELD', takeOver({ attributes }));
    const claim = { number: 0, tag: await tagBytes(0, { rule }) };
    await chain.reject('PROOF_INVALID', takeOver({ attributes, claim }));
    expect((await placeOf(chain)).wallet).toBe(await addressOf(FIRST));
  });

  it('gets the place of a wallet that proves for another person since, and ends that pass once', async () => {
    await heldForAnHour(chain);
    const attributes = { ...ATTRIBUTES, person: 77n };
    await chain.confirm(issueCredential({ issuedAt: NOW + 1n, commitment: commitmentBytes(attributes) }));
    await chain.confirm(proveInPlace({ attributes }));
    await chain.confirm(takeOver());
    expect(await isLive(FIRST)).toBe(false);
    await chain.confirm(proveInPlace({ attributes }));
    expect(passFundsOf(chain, rule)).toBe(7n * PASS_FEE);
    await chain.reject('PLACE_NOT_HELD', takeOver({ wallet: THIRD, replaces: FIRST }));
  });
});

describe('the pass of the wallet that is replaced', () => {
  it('stays as an ended one in the hour after its last proof', async () => {
    await heldForAnHour(chain);
    const attributes = { ...ATTRIBUTES, salt: 99n };
    await chain.confirm(issueCredential({ issuedAt: NOW + 1n, commitment: commitmentBytes(attributes) }));
    await chain.confirm(proveInPlace({ attributes }));
    await chain.confirm(takeOver());
    expect(await passOf(chain, FIRST, rule)).toMatchObject({
      commitment: new Uint8Array(32),
      expiresAt: NOW,
      issuedAt: NOW,
      paidAt: Number(NOW),
    });
  });

  it('may be closed already', async () => {
    await heldForAnHour(chain);
    await chain.confirm(setVerifier({ active: false }), closePass({ rule }), setVerifier());
    expect(chain.account(PASS)).toBeNull();
    await chain.confirm(takeOver());
    expect((await placeOf(chain)).wallet).toBe(await addressOf(SECOND));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['its wallet discarded its credential', () => chain.confirm(discardCredential())],
    ['its wallet ended it with its credential', () => chain.confirm(discardCredential({ passes: [PASS] }))],
    ['its credential was revoked', () => chain.confirm(revokeCredential())],
    ['a revocation ended it', () => chain.confirm(revokeCredential({ passes: [PASS] }))],
    [
      'governance ended it',
      async () => {
        await chain.confirm(endPasses());
        chain.setTime(NOW + HOUR + 1n);
      },
    ],
    [
      'it has expired',
      async () => {
        chain.setTime(LATEST_EXPIRY - HOUR);
      },
    ],
  ])('is closed if %s', async (_what, end) => {
    await chain.confirm(proveInPlace({ expiresAt: LATEST_EXPIRY - HOUR }));
    chain.setTime(NOW + HOUR - 1n);
    await end();
    if (chain.time < NOW + HOUR) chain.setTime(NOW + HOUR);
    await chain.confirm(takeOver({ expiresAt: chain.time + DAY }));
    expect(await Promise.all(WALLETS.map(isLive))).toEqual([false, true, false]);
    expect(chain.account(PASS)).toBeNull();
  });

  it('of an unsound circuit is ended, and its place given with a proof of the next circuit', async () => {
    await heldForAnHour(chain);
    await rotateCircuit(chain, { graceSeconds: DAY });
    await chain.confirm(retireCircuit({ unsound: true }));
    await chain.confirm(takeOver({ circuitId: 'next' }));
    expect(chain.account(PASS)).toBeNull();
  });

  it('stays if it was granted: it takes no place, and its rent is the creator’s', async () => {
    await heldForAnHour(chain);
    chain.setTime(LATEST_EXPIRY - HOUR);
    const expiresAt = chain.time + DAY;
    await chain.confirm(grantPass({ rule, holder: FIRST, expiresAt }));
    // In the first hour, no pass is closed.
    chain.setTime(chain.time + HOUR);
    const before = [chain.account(PASS), chain.lamports(await addressOf(FIRST))];
    await chain.confirm(takeOver({ expiresAt }));
    expect([chain.account(PASS), chain.lamports(await addressOf(FIRST))]).toEqual(before);
    expect((await placeOf(chain)).wallet).toBe(await addressOf(SECOND));
    await chain.confirm(endGrant({ rule, holder: FIRST }));
  });
});

describe('a suspension', () => {
  const suspended = { rule, holder: FIRST };

  it('keeps the place: nobody replaces the wallet, and it proves in no other place', async () => {
    await heldForAnHour(chain);
    await chain.confirm(suspendPass(suspended));
    for (const wallet of [SECOND, THIRD]) await chain.reject('PLACE_HELD_BY_SUSPENDED', takeOver({ wallet }));
    for (const place of [0, 1]) await chain.reject('PASS_SUSPENDED', proveInPlace({ place }));
    await chain.confirm(liftSuspension(suspended));
    await chain.confirm(takeOver());
  });

  it.each<[string, () => Promise<unknown>]>([
    ['has expired', async () => chain.setTime(LATEST_EXPIRY)],
    ['was ended by its wallet', async () => chain.confirm(discardCredential({ passes: [PASS] }))],
    [
      'was ended by governance',
      async () => {
        await chain.confirm(endPasses());
        chain.setTime(NOW + 1n);
      },
    ],
  ])('keeps the place also if the pass %s', async (_what, end) => {
    await heldForAnHour(chain);
    await chain.confirm(suspendPass(suspended));
    await end();
    await chain.reject('PLACE_HELD_BY_SUSPENDED', takeOver({ expiresAt: chain.time + DAY }));
  });

  it('keeps the place also if the pass was closed before', async () => {
    await heldForAnHour(chain);
    await chain.confirm(setVerifier({ active: false }), closePass({ rule }), setVerifier());
    await chain.confirm(suspendPass(suspended));
    await chain.reject('PLACE_HELD_BY_SUSPENDED', takeOver());
    // Once it has lapsed or is lifted, nothing is left. The creator gets its rent, not the wallet.
    const before = chain.lamports(await addressOf(FIRST));
    await chain.confirm(liftSuspension(suspended));
    await chain.confirm(takeOver());
    expect(chain.lamports(await addressOf(FIRST))).toBe(before);
  });

  it('of a granted pass keeps the place, too', async () => {
    await heldForAnHour(chain);
    chain.setTime(LATEST_EXPIRY - HOUR);
    const expiresAt = chain.time + DAY;
    await chain.confirm(grantPass({ rule, holder: FIRST, expiresAt }));
    await chain.confirm(suspendPass(suspended));
    await chain.reject('PLACE_HELD_BY_SUSPENDED', takeOver({ expiresAt }));
  });

  it('that has lapsed has no effect, and the pass that it opened stays the creator’s', async () => {
    await heldForAnHour(chain);
    await chain.confirm(suspendPass({ ...suspended, until: NOW + 1n }));
    await chain.reject('PLACE_HELD_BY_SUSPENDED', takeOver());
    chain.setTime(NOW + 1n);
    await chain.confirm(takeOver());

    await chain.confirm(suspendPass({ ...suspended, until: NOW + HOUR }));
    chain.setTime(NOW + HOUR + 1n);
    await chain.confirm(proveInPlace({ wallet: THIRD, place: 1 }));
    expect((await passOf(chain, FIRST, rule)).suspendedUntil).toBe(NOW + HOUR);
  });

  it('of the wallet that would take the place is refused', async () => {
    await heldForAnHour(chain);
    await chain.confirm(suspendPass({ rule, holder: SECOND }));
    await chain.reject('PASS_SUSPENDED', takeOver());
    expect((await placeOf(chain)).wallet).toBe(await addressOf(FIRST));
  });
});
