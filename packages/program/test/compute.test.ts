/**
 * Compute units against the committed table. A wallet's transaction has the default budget; prove has to stay under
 * 100,000 with its memo, and the hook alone under 1,000. `npm run generate -- compute` measures again and rewrites the table,
 * and `npm run verify` compares all of it. This test measures a tenth of the pairs of addresses.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { MOST_BUMP_MISSES } from '@service/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../../../test/support/sample.ts';
import { addressOf, NOW, SOL } from './support/chain.ts';
import { type ComputeUnits, measureComputeUnits, PAIRS } from './support/compute-units.ts';
import { ATTRIBUTES, commitmentBytes, issueCredential } from './support/credentials.ts';
import { at } from './support/governance.ts';
import { tagBytes } from './support/passes.ts';
import { addLimitedRuleSet, LIMITED_RULE, proveInPlace } from './support/places.ts';
import { ruleSetChain } from './support/rule-sets.ts';

const TABLE = new URL('compute-units.json', import.meta.url);
/** The units of `prove` before rule sets could limit the wallets of each person. */
const BEFORE_PLACES = 90_070;
/** The most units of `prove` in a place, without its memo. */
const MOST_IN_PLACE = 97_000;
const DEFAULT_BUDGET = 200_000;
/** Units may grow by so much before the table has to be looked at again. */
const SLACK = 1.03;
const REWRITE = 'If that is meant, npm run generate -- compute rewrites the table.';

let measured: ComputeUnits;
let committed: ComputeUnits;

beforeAll(async () => {
  const isWriting = process.env.PROGRAM_COMPUTE === 'write';
  measured = await measureComputeUnits({ pairs: sampled(PAIRS, { all: isWriting }) });
  if (isWriting) {
    writeFileSync(TABLE, `${JSON.stringify(measured, null, 2)}\n`);
    console.table(measured.transactions);
    console.table(measured.added);
  }
  committed = JSON.parse(readFileSync(TABLE, 'utf8'));
}, 180_000);

describe('compute units', () => {
  it('of each transaction exceed the table by at most 3 %', () => {
    expect(Object.keys(measured.transactions)).toEqual(Object.keys(committed.transactions));
    for (const [name, units] of Object.entries(measured.transactions)) {
      expect(units, `${name}. ${REWRITE}`).toBeLessThanOrEqual(committed.transactions[name]! * SLACK);
    }
  });

  it('that the hook adds to a transfer are in the range of the table, and exceed it by at most 3 %', () => {
    expect(Object.keys(measured.added)).toEqual(Object.keys(committed.added));
    for (const kind of Object.keys(measured.added) as (keyof ComputeUnits['added'])[]) {
      const [{ min, max }, before] = [measured.added[kind], committed.added[kind]];
      expect(max, `${kind}. ${REWRITE}`).toBeLessThanOrEqual(before.max * SLACK);
      expect(min, `${kind}. ${REWRITE}`).toBeGreaterThanOrEqual(before.min / SLACK);
    }
  });

  it('are the same in the README and in the table', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rows = (pattern: RegExp) => [...readme.matchAll(pattern)].map((row) => row.slice(1));
    const listed = rows(/^\| ([^|]+) \| ([\d,]+) \|$/gm);
    const spreads = rows(/^\| [^|]+ \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$/gm);
    const written = (units: number) => units.toLocaleString('en');
    const { transactions, added } = committed;

    expect(listed.map(([name]) => name)).toEqual(expect.arrayContaining(['prove', 'hook, with the source']));
    expect(listed).toEqual(listed.map(([name]) => [name, written(transactions[name!] ?? Number.NaN)]));
    expect(spreads).toEqual(
      Object.values(added).map(({ min, median, p95, max }) => [min, median, p95, max].map(written)),
    );
  });

  it('of prove in a place are at most 97,000 without its memo, with the most misses that clients choose', async () => {
    const units = async (misses: number) => {
      const chain = await ruleSetChain();
      await addLimitedRuleSet(chain);
      const attributes = { ...ATTRIBUTES, person: await personWithMisses(misses) };
      chain.fund(await addressOf(WALLET), SOL);
      const commitment = commitmentBytes(attributes);
      await chain.confirm(issueCredential({ wallet: WALLET, issuedAt: NOW, commitment }));
      return (await chain.confirm(proveInPlace({ wallet: WALLET, attributes }))).units;
    };
    expect(await units(MOST_BUMP_MISSES)).toBeLessThanOrEqual(MOST_IN_PLACE);
    // The client could not choose one more.
    expect(await units(MOST_BUMP_MISSES + 1)).toBeGreaterThan(MOST_IN_PLACE);
  });

  it('fit the budget of a wallet, prove 100,000, and the hook itself 1,000', () => {
    const { transactions, added } = measured;
    for (const [name, units] of Object.entries(transactions))
      expect(units, name).toBeLessThan(DEFAULT_BUDGET);
    // One wallet in 4,000 needs twelve more bumps for its pass.
    expect(transactions.prove! + 12 * transactions['each bump that misses']!).toBeLessThan(100_000);
    expect(transactions.prove).toBeLessThanOrEqual(BEFORE_PLACES);
    const inPlace = [
      'prove, in a place',
      'prove, in its place again',
      'prove, in the place of another wallet',
    ];
    for (const name of inPlace) expect(transactions[name], name).toBeLessThanOrEqual(MOST_IN_PLACE);
    const hooks = Object.keys(transactions).filter((name) => name.startsWith('hook'));
    expect(hooks).toHaveLength(4);
    for (const name of hooks) expect(transactions[name], name).toBeLessThan(1_000);
    for (const { max } of Object.values(added)) expect(max).toBeLessThan(50_000);
  });
});

/** A wallet for whose pass some bumps miss, so that its person is found faster. */
const WALLET = 'stranger';

/** Returns a person for whom so many bumps miss, for the first place and the pass of the wallet together. */
async function personWithMisses(misses: number): Promise<bigint> {
  const ofPass = await at.passMisses(LIMITED_RULE, await addressOf(WALLET));
  for (let person = 1_000n; ; person += 1n) {
    const tag = await tagBytes(0, { rule: LIMITED_RULE, person });
    if (ofPass + (await at.placeMisses(LIMITED_RULE, tag)) === misses) return person;
  }
}
