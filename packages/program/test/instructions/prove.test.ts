import { PASS_FEE_RAISE_DELAY_SECONDS, SYSTEM_PROGRAM } from '@service/protocol';
import { dateCodeAt } from '@service/protocol/eligibility';
import { type Instruction, isWritableRole } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf, Chain, DAY, HOUR, NOW, PROGRAM } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  ATTRIBUTES,
  commitmentBytes,
  issueCredential,
  revoke,
  revokeCredential,
} from '../support/credentials.ts';
import {
  at,
  CIRCUIT,
  CONFIG,
  endPasses,
  PASS_FEE,
  rotateCircuit,
  setPassFee,
  setVerifier,
  VERIFYING_KEY,
  verifierAt,
} from '../support/governance.ts';
import { MEMO, withAddress } from '../support/instruction.ts';
import { eligibleChain, LATEST_EXPIRY, passOf, proofOf, prove, TODAY } from '../support/passes.ts';
import {
  addRuleSet,
  CLAUSES,
  collectFees,
  MAX_PASS_AGE,
  passAt,
  passFundsOf,
  RULE,
  ruleSetOf,
  setMaxPassFee,
  TERMS,
  withdrawPassFunds,
} from '../support/rule-sets.ts';

const FEES = 10n;

const chain = chainPerTest(eligibleChain);

describe('prove', () => {
  it('verifies the proof, creates the pass and takes the fee, in less than 95,000 units with its memo', async () => {
    const wallet = await addressOf('holder');
    const before = { wallet: chain.lamports(wallet), rule: chain.lamports(RULE) };

    const outcome = await chain.confirm(MEMO, prove());

    const pass = await passAt('holder');
    expect([...outcome.changed].sort()).toEqual([pass, RULE].sort());
    expect(chain.account(pass)?.owner).toBe(PROGRAM);
    expect(await passOf(chain)).toMatchObject({
      rule: RULE,
      wallet,
      expiresAt: LATEST_EXPIRY,
      issuedAt: NOW,
      circuit: CIRCUIT,
      verifier: await verifierAt('verifier'),
      commitment: commitmentBytes(),
    });
    const rent = chain.rentOf(chain.data(pass).length);
    expect(chain.lamports(pass)).toBe(rent);
    expect(before.wallet - chain.lamports(wallet)).toBe(rent);
    expect(chain.lamports(RULE)).toBe(before.rule);
    expect(ruleSetOf(chain, RULE).fees).toBe(PASS_FEE);
    expect(passFundsOf(chain, RULE)).toBe((FEES - 1n) * PASS_FEE);
    expect(outcome.units).toBeLessThan(95_000);
  });

  it('counts every fee', async () => {
    await chain.confirm(prove());
    await chain.confirm(issueCredential({ wallet: 'other holder' }));
    await chain.confirm(prove({ wallet: 'other holder' }));
    expect(ruleSetOf(chain, RULE).fees).toBe(2n * PASS_FEE);
    expect(passFundsOf(chain, RULE)).toBe((FEES - 2n) * PASS_FEE);
  });

  it('writes no account of another rule set or wallet, so that the runtime can execute two at once', async () => {
    const other = await addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE });
    await chain.confirm(issueCredential({ wallet: 'other holder' }));
    const written = (instruction: Instruction) =>
      (instruction.accounts ?? []).filter(({ role }) => isWritableRole(role)).map(({ address }) => address);
    const [one, two] = [await prove(), await prove({ wallet: 'other holder', rule: other })];
    const read = [...(one.accounts ?? []), ...(two.accounts ?? [])].map(({ address }) => address);
    expect(written(one)).toEqual([await addressOf('holder'), RULE, await passAt('holder')]);
    expect(new Set([...written(one), ...written(two)]).size).toBe(6);
    // What both read, neither writes.
    const shared = read.filter((address, index) => read.indexOf(address) !== index);
    expect(shared).toEqual([CONFIG, await verifierAt('verifier'), CIRCUIT, SYSTEM_PROGRAM]);
    await chain.confirm(one);
    await chain.confirm(two);
  });

  it('accepts only the credentials of the verifier that the rule set fixed', async () => {
    const [verifier, other] = [await verifierAt('verifier'), await verifierAt('second verifier')];
    const own = await addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE, terms: { ...TERMS, verifier } });
    const another = { ...TERMS, verifier: other };
    const foreign = await addRuleSet(chain, { nonce: 3n, passFunds: PASS_FEE, terms: another });
    await chain.confirm(prove({ rule: own }));
    await chain.reject('VERIFIER_NOT_ACCEPTED', prove({ rule: foreign }));
    await chain.confirm(revokeCredential());
    const newer = { verifier: 'second verifier', previousVerifier: 'verifier', issuedAt: NOW + 1n };
    await chain.confirm(issueCredential(newer));
    await chain.confirm(prove({ rule: foreign, verifier: 'second verifier' }));
    chain.setTime(NOW + MAX_PASS_AGE / 2n);
    await chain.reject('VERIFIER_NOT_ACCEPTED', prove({ rule: own, verifier: 'second verifier' }));
  });

  it('proves an account of the first version, which it makes one of the second', async () => {
    await chain.confirm(prove({ expiresAt: NOW + DAY }));
    const pass = await passAt('holder');
    for (const account of [pass, RULE]) chain.patch(account, 1, [1]);
    chain.setTime(NOW + MAX_PASS_AGE / 2n);
    await chain.confirm(prove());
    expect([chain.data(pass)[1], chain.data(RULE)[1]]).toEqual([2, 2]);
    expect(await passOf(chain)).toMatchObject({
      suspendedUntil: 0n,
      granted: false,
      expiresAt: LATEST_EXPIRY,
    });
  });

  describe('the proof', () => {
    it('is refused with parts of another proof, each valid on its own', async () => {
      // snarkjs blinds each proof: a second one of the same facts has other points and is as good.
      const other = await proofOf({ expiresAt: LATEST_EXPIRY - DAY });
      for (const [start, end] of Object.values({ A: [0, 64], B: [64, 192], C: [192, 256] })) {
        const proof = Uint8Array.from(await proofOf());
        proof.set(other.slice(start, end), start);
        await chain.reject('PROOF_INVALID', prove({ proof }));
      }
    });

    it('of another wallet is refused, though both have the same attributes', async () => {
      const proof = await proofOf({ wallet: 'other holder' });
      await chain.reject('PROOF_INVALID', prove({ proof }));
    });

    it('for another expiry is refused', async () => {
      const proof = await proofOf();
      for (const expiresAt of [LATEST_EXPIRY - 1n, LATEST_EXPIRY - DAY]) {
        await chain.reject('PROOF_INVALID', prove({ proof, expiresAt }));
      }
    });

    it('for other clauses is refused', async () => {
      const clauses = [{ ...CLAUSES[0]!, minAge: 19 }];
      const other = await addRuleSet(chain, { nonce: 2n, clauses, passFunds: PASS_FEE });
      await chain.reject('PROOF_INVALID', prove({ rule: other }));
      await chain.confirm(prove({ rule: other, clauses }));
    });

    it('of another credential of the wallet is refused', async () => {
      const commitment = commitmentBytes({ ...ATTRIBUTES, salt: 1n });
      await chain.confirm(issueCredential({ commitment, issuedAt: NOW + 1n }));
      await chain.reject('PROOF_INVALID', prove({ proof: await proofOf() }));
    });

    it('for another rule set of the same clauses and life is refused', async () => {
      const other = await addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE });
      await chain.reject('PROOF_INVALID', prove({ rule: other, proof: await proofOf() }));
      await chain.confirm(prove({ rule: other }));
    });
  });

  describe('the credential', () => {
    it('is revoked', async () => {
      await revoke(chain);
      await chain.reject('CREDENTIAL_REVOKED', prove());
    });

    it('has expired, to the second', async () => {
      await chain.confirm(issueCredential({ issuedAt: NOW + 1n, expiresAt: NOW + DAY }));
      const expiresAt = NOW + DAY;
      const proof = await proofOf({ expiresAt });
      chain.setTime(NOW + DAY);
      await chain.reject('CREDENTIAL_EXPIRED', prove({ expiresAt: NOW + 2n * DAY, proof }));
      chain.setTime(NOW + DAY - 1n);
      await chain.confirm(prove({ expiresAt, proof }));
    });

    it('bounds the pass: one that ends with it is allowed, a second longer is not', async () => {
      await chain.confirm(issueCredential({ issuedAt: NOW + 1n, expiresAt: LATEST_EXPIRY - 1n }));
      await chain.reject('PASS_OUTLIVES_CREDENTIAL', prove());
      await chain.confirm(issueCredential({ issuedAt: NOW + 2n, expiresAt: LATEST_EXPIRY }));
      await chain.confirm(prove());
    });

    it('has a deactivated verifier', async () => {
      await chain.confirm(setVerifier({ active: false }));
      await chain.reject('VERIFIER_INACTIVE', prove());
    });
  });

  describe('the circuit', () => {
    it('is retired: proofs are accepted until the end of the grace period, to the second', async () => {
      await rotateCircuit(chain, { graceSeconds: DAY });
      chain.setTime(NOW + DAY);
      await chain.reject('CIRCUIT_RETIRED', prove());
      chain.setTime(NOW + DAY - 1n);
      await chain.confirm(prove());
    });

    it('is retired at once without a grace period, and the next one accepts proofs', async () => {
      await rotateCircuit(chain);
      await chain.reject('CIRCUIT_RETIRED', prove());
      await chain.confirm(prove({ circuitId: 'next' }));
      expect((await passOf(chain)).circuit).toBe(await at.circuit('next'));
    });

    it('was retired as unsound, even during its grace period', async () => {
      await rotateCircuit(chain, { graceSeconds: DAY });
      const unsoundAt = 3 + 32 + 32 + 9;
      chain.patch(CIRCUIT, unsoundAt, [1]);
      await chain.reject('CIRCUIT_RETIRED', prove());
    });

    it('has another key', async () => {
      const key = VERIFYING_KEY;
      const swapped = Uint8Array.of(...key.slice(0, 448), ...key.slice(512), ...key.slice(448, 512));
      await rotateCircuit(chain, { verifyingKey: swapped });
      await chain.reject('PROOF_INVALID', prove({ circuitId: 'next' }));
    });
  });

  describe('the day on which age is counted', () => {
    const DATE = new Date(Number(NOW) * 1_000);
    /** The first second of the next day, in UTC. */
    const MIDNIGHT = BigInt(DATE.setUTCHours(24, 0, 0, 0) / 1_000);

    it('is today, however soon the credential ends: somebody is 18 since ten days', async () => {
      const expiresAt = NOW + 15n * DAY;
      // 512 in a date code is a year.
      const attributes = { ...ATTRIBUTES, birthDate: dateCodeAt(NOW - 10n * DAY) - 18 * 512 };
      const commitment = commitmentBytes(attributes);
      await chain.confirm(issueCredential({ commitment, issuedAt: NOW + 1n, expiresAt }));
      await chain.confirm(prove({ attributes, expiresAt }));
      expect((await passOf(chain)).expiresAt).toBe(expiresAt);
    });

    it('is not later than today, to the second', async () => {
      const asOf = dateCodeAt(MIDNIGHT);
      chain.setTime(MIDNIGHT - 1n);
      await chain.reject('AS_OF_INVALID', prove({ asOf }));
      chain.setTime(MIDNIGHT);
      await chain.confirm(prove({ asOf }));
    });

    it('may be any earlier one: a proof that is made before midnight is valid after it', async () => {
      chain.setTime(MIDNIGHT);
      await chain.confirm(prove());
      await chain.confirm(issueCredential({ wallet: 'other holder' }));
      await chain.confirm(prove({ wallet: 'other holder', asOf: dateCodeAt(NOW - 3_000n * DAY) }));
    });

    it('is that of the proof', async () => {
      await chain.reject('PROOF_INVALID', prove({ proof: await proofOf(), asOf: TODAY - 1 }));
    });
  });

  describe('the expiry', () => {
    it('is at most the longest pass life ahead', async () => {
      chain.setTime(NOW - 1n);
      await chain.reject('PASS_EXPIRY_INVALID', prove());
    });

    it('is later than now', async () => {
      chain.setTime(LATEST_EXPIRY);
      await chain.reject('PASS_EXPIRY_INVALID', prove());
      chain.setTime(LATEST_EXPIRY - 1n);
      await chain.confirm(prove());
    });
  });

  describe('the fee', () => {
    /** Withdraws all but these lamports of the pass funds. */
    const leave = (lamports: bigint) =>
      chain.confirm(withdrawPassFunds({ lamports: passFundsOf(chain, RULE) - lamports }));

    it('is not set', async () => {
      await chain.confirm(setPassFee({ passFee: null }));
      await chain.reject('PASS_FEE_UNSET', prove());
    });

    it('exceeds the pass funds by one lamport', async () => {
      await leave(PASS_FEE - 1n);
      await chain.reject('PASS_FUNDS_TOO_LOW', prove());
    });

    it('is all of the pass funds: the rent stays in the rule set', async () => {
      await leave(PASS_FEE);
      await chain.confirm(prove());
      expect(passFundsOf(chain, RULE)).toBe(0n);
      await chain.confirm(collectFees());
      expect(chain.lamports(RULE)).toBe(chain.rentOf(chain.data(RULE).length));
    });

    it('cannot be paid with the fees of earlier proofs', async () => {
      await leave(2n * PASS_FEE - 1n);
      await chain.confirm(prove());
      await chain.confirm(issueCredential({ wallet: 'other holder' }));
      await chain.reject('PASS_FUNDS_TOO_LOW', prove({ wallet: 'other holder' }));
    });

    it('is the one before a raise, until the raise holds, to the second', async () => {
      await chain.confirm(setMaxPassFee());
      await chain.confirm(setPassFee({ passFee: 2n * PASS_FEE }));
      const feeAt = async (time: bigint) => {
        const at = Chain.from(chain.save());
        at.setTime(time);
        await at.confirm(prove());
        return ruleSetOf(at, RULE).fees;
      };
      const from = NOW + PASS_FEE_RAISE_DELAY_SECONDS;
      expect([await feeAt(from - 1n), await feeAt(from)]).toEqual([PASS_FEE, 2n * PASS_FEE]);
    });

    it('is never more than the fee when the rule set was created, unless its creator agrees', async () => {
      await chain.confirm(setPassFee({ passFee: PASS_FEE + 1n }));
      chain.setTime(NOW + PASS_FEE_RAISE_DELAY_SECONDS);
      await chain.reject('PASS_FEE_ABOVE_LIMIT', prove());
      await chain.confirm(setMaxPassFee({ lamports: PASS_FEE + 1n }));
      await chain.confirm(prove());
    });

    it('is at most zero in a rule set that was created while none was set', async () => {
      await chain.confirm(setPassFee({ passFee: null }));
      const other = await addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE });
      await chain.confirm(setPassFee());
      await chain.reject('PASS_FEE_ABOVE_LIMIT', prove({ rule: other }));
      await chain.confirm(setMaxPassFee({ rule: other, lamports: PASS_FEE }));
      await chain.confirm(prove({ rule: other }));
    });

    it('cannot be paid from a rule set without funds, unless it is zero', async () => {
      const other = await addRuleSet(chain, { nonce: 2n });
      await chain.reject('PASS_FUNDS_TOO_LOW', prove({ rule: other }));
      await chain.confirm(setPassFee({ passFee: 0n }));
      await chain.confirm(prove({ rule: other }));
      expect(ruleSetOf(chain, other).fees).toBe(0n);
    });
  });

  describe('a pass that governance ended', () => {
    it('is renewed at once, from the next second on, and then not again', async () => {
      await chain.confirm(prove());
      await chain.confirm(endPasses());
      await chain.reject('PASSES_JUST_ENDED', prove());
      chain.setTime(NOW + 1n);
      await chain.confirm(prove());
      await chain.reject('PASS_RENEWAL_TOO_EARLY', prove());
    });
  });

  describe('a renewal', () => {
    const half = NOW + MAX_PASS_AGE / 2n;

    beforeEach(async () => {
      await chain.confirm(prove());
    });

    it('is refused before half of the longest pass life, the same proof and another one', async () => {
      for (const time of [NOW, NOW + 1n, half - 1n]) {
        chain.setTime(time);
        await chain.reject('PASS_RENEWAL_TOO_EARLY', prove());
      }
      const expiresAt = LATEST_EXPIRY - DAY;
      await chain.reject('PASS_RENEWAL_TOO_EARLY', prove({ expiresAt }));
    });

    it('is accepted at half of the longest pass life, for a fee, and not again right after', async () => {
      chain.setTime(half);
      const expiresAt = half + MAX_PASS_AGE;
      const outcome = await chain.confirm(MEMO, prove({ expiresAt }));
      expect(await passOf(chain)).toMatchObject({ issuedAt: half, expiresAt });
      expect(passFundsOf(chain, RULE)).toBe((FEES - 2n) * PASS_FEE);
      expect(outcome.units).toBeLessThan(95_000);
      await chain.reject('PASS_RENEWAL_TOO_EARLY', prove({ expiresAt }));
    });

    it('is accepted after the pass has expired', async () => {
      chain.setTime(LATEST_EXPIRY + DAY);
      const expiresAt = half + MAX_PASS_AGE;
      await chain.confirm(prove({ expiresAt }));
      expect((await passOf(chain)).expiresAt).toBe(expiresAt);
    });

    it('is not accepted earlier for a newer credential of the same commitment', async () => {
      chain.setTime(half - 1n);
      await chain.confirm(issueCredential({ issuedAt: half - 1n }));
      await chain.reject('PASS_RENEWAL_TOO_EARLY', prove());
    });

    it('is accepted an hour after the last proof for another commitment, to the second, once', async () => {
      const attributes = { ...ATTRIBUTES, salt: 99n };
      await chain.confirm(issueCredential({ issuedAt: NOW + 1n, commitment: commitmentBytes(attributes) }));
      chain.setTime(NOW + HOUR - 1n);
      await chain.reject('PASS_RENEWAL_TOO_EARLY', prove({ attributes }));
      chain.setTime(NOW + HOUR);
      await chain.confirm(prove({ attributes }));
      expect((await passOf(chain)).commitment).toEqual(commitmentBytes(attributes));
      chain.setTime(NOW + 2n * HOUR);
      await chain.reject('PASS_RENEWAL_TOO_EARLY', prove({ attributes }));
    });

    it('is accepted at half of a life of less than two hours, for any commitment', async () => {
      const short = { nonce: 2n, maxPassAgeSeconds: HOUR, passFunds: 2n * PASS_FEE };
      const rule = await addRuleSet(chain, short);
      const attributes = { ...ATTRIBUTES, salt: 99n };
      await chain.confirm(prove({ rule, expiresAt: NOW + HOUR }));
      await chain.confirm(issueCredential({ issuedAt: NOW + 1n, commitment: commitmentBytes(attributes) }));
      chain.setTime(NOW + HOUR / 2n - 1n);
      const renewal = { rule, attributes, expiresAt: NOW + HOUR };
      await chain.reject('PASS_RENEWAL_TOO_EARLY', prove(renewal));
      chain.setTime(NOW + HOUR / 2n);
      await chain.confirm(prove(renewal));
    });

    it('of the pass of another wallet or rule set is refused', async () => {
      await chain.confirm(issueCredential({ wallet: 'other holder' }));
      const other = await addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE });
      chain.setTime(half);
      for (const { wallet = 'holder', rule = RULE } of [{ wallet: 'other holder' }, { rule: other }]) {
        const proving = await prove({ wallet, rule });
        const disguised = withAddress(proving, await passAt(wallet, rule), await passAt('holder'));
        await chain.reject('WRONG_ADDRESS', disguised);
      }
    });
  });
});
