import { nameField } from '@service/contract';
import { type ClauseMasks, clauseHashes, fieldToBytes, ruleHash } from '@service/protocol/eligibility';
import { getBase16Encoder, none, some } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, Chain, PROGRAM } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at, initializedChain } from '../support/governance.ts';
import { CLAUSES, createRuleSet, MAX_PASS_AGE, RULE, ruleSetOf, TERMS } from '../support/rule-sets.ts';

/** Eight different clauses that reach the ends of every range. */
const EIGHT: readonly ClauseMasks[] = [
  { regionMask: 1n, statusMask: 1, minAge: 0 },
  { regionMask: 2n ** 253n - 1n, statusMask: 2 ** 32 - 1, minAge: 255 },
  { regionMask: 2n ** 252n, statusMask: 2 ** 31, minAge: 18 },
  { regionMask: 3n << 100n, statusMask: 5, minAge: 21 },
  { regionMask: 0xffffn, statusMask: 6, minAge: 65 },
  { regionMask: 1n << 8n, statusMask: 1 << 8, minAge: 1 },
  { regionMask: 1n << 16n, statusMask: 1 << 16, minAge: 2 },
  { regionMask: 1n << 128n, statusMask: 1 << 24, minAge: 3 },
];

/** Bytes of an encoded clause, its region mask first. */
const CLAUSE_BYTES = 37;

/** What an account of some clauses says of their hashes. */
async function hashesOf(clauses: readonly ClauseMasks[]) {
  return {
    ruleHash: new Uint8Array(getBase16Encoder().encode(await ruleHash(clauses))),
    clauseHashes: clauseHashes(clauses).map(fieldToBytes),
  };
}

const chain = chainPerTest(initializedChain);
const rule = RULE;

/** The code points of every plane that has invisible characters, without halves of surrogate pairs. */
const CODE_POINTS = [
  [0, 0xd7ff],
  [0xe000, 0x1ffff],
  [0xe0000, 0xe1000],
].flatMap(([first, last]) => Array.from({ length: last! - first! + 1 }, (_, index) => first! + index));

describe('create-rule-set', () => {
  it('accepts and rejects the same characters in a name as the service', async () => {
    const nameOf = (code: number) => `a${String.fromCodePoint(code)}b`;
    const isValid = (code: number) => nameField.safeParse(nameOf(code)).success;
    const valid = CODE_POINTS.map(isValid);
    // Both sides of each place at which the service's answer changes.
    const edges = CODE_POINTS.filter(
      (_, index) =>
        valid[index] !== (valid[index - 1] ?? true) || valid[index] !== (valid[index + 1] ?? true),
    );
    expect(edges.length).toBeGreaterThan(80);
    for (const [index, code] of edges.entries()) {
      const creating = createRuleSet({ nonce: BigInt(index), name: nameOf(code) });
      if (isValid(code)) await chain.confirm(creating);
      else await chain.reject('NAME_INVALID', creating);
    }
  });

  it('creates a rule set of one clause, of the size of one clause, without pass funds', async () => {
    const outcome = await chain.confirm(createRuleSet());

    const creator = await addressOf('issuer');
    expect(outcome.changed).toEqual([rule]);
    expect(chain.account(rule)?.owner).toBe(PROGRAM);
    expect(ruleSetOf(chain, rule)).toMatchObject({
      creator,
      nonce: 1n,
      name: 'Example rule set',
      ...(await hashesOf(CLAUSES)),
      maxPassAgeSeconds: MAX_PASS_AGE,
      clauses: CLAUSES.map((clause) => ({ ...clause, regionMask: fieldToBytes(clause.regionMask) })),
    });
    expect(chain.data(rule).length).toBe(444 + CLAUSE_BYTES);
    expect(chain.aboveRent(rule)).toBe(0n);
  });

  it('hashes eight clauses at the ends of their ranges as the circuit does, within the default budget', async () => {
    const outcome = await chain.confirm(createRuleSet({ clauses: EIGHT, nonce: 2n ** 64n - 1n }));

    const largest = ruleSetOf(chain, await at.ruleSet(await addressOf('issuer'), 2n ** 64n - 1n));
    expect(largest).toMatchObject(await hashesOf(EIGHT));
    expect(largest.clauses).toHaveLength(8);
    expect(outcome.units).toBeLessThan(200_000);
  });

  it.each([2, 3, 4, 5, 6, 7])(
    'hashes %i clauses and fills the other slots with the empty one',
    async (count) => {
      const clauses = EIGHT.slice(8 - count);
      await chain.confirm(createRuleSet({ clauses }));
      expect(ruleSetOf(chain, rule)).toMatchObject(await hashesOf(clauses));
    },
  );

  it('keeps lamports that its address received before as pass funds', async () => {
    chain.fund(rule, 1_000_000_000n);
    await chain.confirm(createRuleSet());
    expect(chain.lamports(rule)).toBe(1_000_000_000n);
  });

  it('accepts a name of 32 bytes', async () => {
    await chain.confirm(createRuleSet({ name: 'ü'.repeat(16) }));
    expect(ruleSetOf(chain, rule).name).toBe('ü'.repeat(16));
  });

  it('fixes the powers of its creator and its only verifier', async () => {
    const verifier = await addressOf('unrelated wallet');
    for (const [nonce, terms] of [0, 1, 2, 3].flatMap((powers, index) => [
      [BigInt(2 * index), { powers, verifier: null }] as const,
      [BigInt(2 * index + 1), { powers, verifier }] as const,
    ])) {
      await chain.confirm(createRuleSet({ nonce, terms }));
      const created = ruleSetOf(chain, await at.ruleSet(await addressOf('issuer'), nonce));
      expect(created).toMatchObject({
        version: 2,
        powers: terms.powers,
        verifier: terms.verifier ? some(terms.verifier) : none(),
        clauses: [{ minAge: CLAUSES[0]!.minAge }],
      });
    }
  });

  it('fixes how many wallets of one person can prove it, with a verifier and at most six clauses', async () => {
    const terms = { ...TERMS, verifier: await addressOf('unrelated wallet') };
    for (const walletsPerPerson of [0, 1, 2, 255]) {
      const [nonce, limited] = [BigInt(walletsPerPerson), { ...terms, walletsPerPerson }];
      await chain.confirm(createRuleSet({ nonce, terms: limited, clauses: EIGHT.slice(2) }));
      const created = ruleSetOf(chain, await at.ruleSet(await addressOf('issuer'), nonce));
      expect(created).toMatchObject({ version: 2, walletsPerPerson, verifier: some(terms.verifier) });
      expect(created.clauses).toHaveLength(6);
    }
    const limited = { ...terms, walletsPerPerson: 1 };
    for (const count of [7, 8])
      await chain.reject(
        'WALLETS_PER_PERSON_INVALID',
        createRuleSet({ terms: limited, clauses: EIGHT.slice(8 - count) }),
      );
    await chain.reject(
      'WALLETS_PER_PERSON_INVALID',
      createRuleSet({ terms: { ...limited, verifier: null } }),
    );
    const unlimited = { ...terms, walletsPerPerson: 0 };
    await chain.confirm(createRuleSet({ nonce: 256n, terms: unlimited, clauses: EIGHT }));
  });

  it('sets no limit of wallets without one, and then the data are those of before', async () => {
    const [old, whole] = [
      await createRuleSet(),
      await createRuleSet({ terms: { ...TERMS, walletsPerPerson: 0 } }),
    ];
    expect(whole.data).toEqual(Uint8Array.of(...old.data, 0));
    for (const sent of [old, whole]) {
      const at = Chain.from(chain.save());
      await at.confirm(sent);
      expect(ruleSetOf(at, rule).walletsPerPerson).toBe(0);
    }
  });

  it('gives no powers and accepts any verifier without them, and then the data are those of the first version', async () => {
    const [old, whole] = [await createRuleSet({ terms: null }), await createRuleSet()];
    expect(whole.data.length - old.data.length).toBe(34);
    expect(whole.data.slice(0, old.data.length)).toEqual(old.data);
    await chain.confirm(old);
    expect(ruleSetOf(chain, rule)).toMatchObject({ powers: 0, verifier: none() });
  });

  it('rejects powers that do not exist', async () => {
    for (let powers = 4; powers < 256; powers += 1) {
      await chain.reject('POWERS_INVALID', createRuleSet({ terms: { ...TERMS, powers } }));
    }
  });
});
