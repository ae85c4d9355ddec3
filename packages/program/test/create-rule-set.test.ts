import { MAX_PASS_AGE_LIMIT_SECONDS, MIN_PASS_AGE_SECONDS } from '@service/protocol';
import { type ClauseMasks, clauseHashes, fieldToBytes, ruleHash } from '@service/protocol/eligibility';
import {
  RULE_SET_PASS_ERROR__CLAUSE_COUNT_INVALID as CLAUSE_COUNT_INVALID,
  RULE_SET_PASS_ERROR__CLAUSE_INVALID as CLAUSE_INVALID,
  RULE_SET_PASS_ERROR__INVALID_INSTRUCTION_DATA as INVALID_INSTRUCTION_DATA,
  RULE_SET_PASS_ERROR__MAX_PASS_AGE_INVALID as MAX_PASS_AGE_INVALID,
  RULE_SET_PASS_ERROR__NAME_INVALID as NAME_INVALID,
  RULE_SET_PASS_ERROR__PROTOCOL_PAUSED as PROTOCOL_PAUSED,
  RULE_SET_PASS_ERROR__WRONG_ADDRESS as WRONG_ADDRESS,
} from '@service/protocol/generated';
import { getBase16Encoder, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { describeAccounts } from './_account-checks.ts';
import { at, initializedChain, pause } from './_governance.ts';
import { placeOf, withAccount, withData } from './_instruction.ts';
import { badNames } from './_names.ts';
import { expectDone, expectRefused } from './_outcome.ts';
import { CLAUSES, createRuleSet, MAX_PASS_AGE, passFundsOf, ruleSetOf } from './_rule-sets.ts';
import { addressOf, PROGRAM } from './_setup.ts';

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

/** The instruction with other bytes in its one clause, and with what follows it. */
function withClause(instruction: Instruction, clause: Uint8Array): Instruction {
  return withData(instruction, (data) => [...data.slice(0, -CLAUSE_BYTES), ...clause]);
}

describe('create-rule-set', () => {
  it('creates a rule set of one clause, of the size of one clause, without pass funds', async () => {
    const chain = await initializedChain();

    const outcome = expectDone(await chain.send(await createRuleSet()));

    const creator = await addressOf('issuer');
    const rule = await at.ruleSet(creator, 1n);
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
    expect(chain.data(rule).length).toBe(372 + CLAUSE_BYTES);
    expect(passFundsOf(chain, rule)).toBe(0n);
  });

  it('hashes eight clauses at the ends of their ranges as the circuit does, within the default budget', async () => {
    const chain = await initializedChain();

    const outcome = expectDone(
      await chain.send(await createRuleSet({ clauses: EIGHT, nonce: 2n ** 64n - 1n })),
    );

    const rule = ruleSetOf(chain, await at.ruleSet(await addressOf('issuer'), 2n ** 64n - 1n));
    expect(rule).toMatchObject(await hashesOf(EIGHT));
    expect(rule.clauses).toHaveLength(8);
    expect(outcome.units).toBeLessThan(200_000);
  });

  it.each([2, 3, 4, 5, 6, 7])(
    'hashes %i clauses and fills the other slots with the empty one',
    async (count) => {
      const chain = await initializedChain();
      const clauses = EIGHT.slice(8 - count);
      expectDone(await chain.send(await createRuleSet({ clauses })));
      const rule = ruleSetOf(chain, await at.ruleSet(await addressOf('issuer'), 1n));
      expect(rule).toMatchObject(await hashesOf(clauses));
    },
  );

  it('keeps what was sent to its address before as pass funds', async () => {
    const chain = await initializedChain();
    const rule = await at.ruleSet(await addressOf('issuer'), 1n);
    chain.fund(rule, 1_000_000_000n);
    expectDone(await chain.send(await createRuleSet()));
    expect(chain.lamports(rule)).toBe(1_000_000_000n);
  });

  it('refuses no clause and nine clauses', async () => {
    const chain = await initializedChain();
    const nine = [...EIGHT, ...CLAUSES];
    expectRefused(await chain.send(await createRuleSet({ clauses: [] })), CLAUSE_COUNT_INVALID);
    expectRefused(await chain.send(await createRuleSet({ clauses: nine })), CLAUSE_COUNT_INVALID);
  });

  it.each([
    ['no region', { regionMask: 0n, statusMask: 1, minAge: 18 }],
    ['no status', { regionMask: 1n, statusMask: 0, minAge: 18 }],
    ['nothing at all', { regionMask: 0n, statusMask: 0, minAge: 0 }],
    ['region 253', { regionMask: 2n ** 253n, statusMask: 1, minAge: 18 }],
    ['region 253 among others', { regionMask: 2n ** 253n + 1n, statusMask: 1, minAge: 18 }],
  ])('refuses a clause with %s, in any slot', async (_, clause) => {
    const chain = await initializedChain();
    for (const clauses of [[clause], [...EIGHT.slice(1), clause], [clause, ...CLAUSES]]) {
      expectRefused(await chain.send(await createRuleSet({ clauses })), CLAUSE_INVALID);
    }
  });

  it.each([
    ['of all 256 regions', 0xff],
    ['with region 255', 0x80],
    ['with region 254', 0x40],
  ])('refuses a mask %s, which is not below the field order', async (_, first) => {
    const chain = await initializedChain();
    const clause = new Uint8Array(CLAUSE_BYTES).fill(0xff, 0, 36).fill(first, 0, 1);
    expectRefused(await chain.send(withClause(await createRuleSet(), clause)), CLAUSE_INVALID);
  });

  it('takes the longest pass life at both ends of its range', async () => {
    const chain = await initializedChain();
    for (const [nonce, maxPassAgeSeconds] of [
      [1n, MIN_PASS_AGE_SECONDS],
      [2n, MAX_PASS_AGE_LIMIT_SECONDS],
    ] as const) {
      expectDone(await chain.send(await createRuleSet({ nonce, maxPassAgeSeconds })));
    }
  });

  it.each([0n, MIN_PASS_AGE_SECONDS - 1n, MAX_PASS_AGE_LIMIT_SECONDS + 1n, 2n ** 64n - 1n])(
    'refuses a longest pass life of %i seconds',
    async (maxPassAgeSeconds) => {
      const chain = await initializedChain();
      expectRefused(await chain.send(await createRuleSet({ maxPassAgeSeconds })), MAX_PASS_AGE_INVALID);
    },
  );

  it('takes a name of 32 bytes', async () => {
    const chain = await initializedChain();
    expectDone(await chain.send(await createRuleSet({ name: 'ü'.repeat(16) })));
    expect(ruleSetOf(chain, await at.ruleSet(await addressOf('issuer'), 1n)).name).toBe('ü'.repeat(16));
  });

  it.each(badNames)('refuses a name that is %s', async (_, name) => {
    const chain = await initializedChain();
    const nameless = await createRuleSet({ name: '' });
    const named = withData(nameless, (data) => [
      ...data.slice(0, 9),
      name.length,
      ...name,
      ...data.slice(10),
    ]);
    expectRefused(await chain.send(named), NAME_INVALID);
  });

  it('refuses while the protocol is paused', async () => {
    const chain = await initializedChain();
    await pause(chain);
    expectRefused(await chain.send(await createRuleSet()), PROTOCOL_PAUSED);
  });

  it('refuses the address of another nonce or of another creator', async () => {
    const chain = await initializedChain();
    const place = placeOf('createRuleSet', 'ruleSet');
    for (const address of [
      await at.ruleSet(await addressOf('issuer'), 2n),
      await at.ruleSet(await addressOf('stranger'), 1n),
    ]) {
      expectRefused(await chain.send(withAccount(await createRuleSet(), place, { address })), WRONG_ADDRESS);
    }
  });

  it('refuses a clause count that the data does not have', async () => {
    const chain = await initializedChain();
    const instruction = await createRuleSet();
    const count = instruction.data!.length - CLAUSE_BYTES - 1;
    const more = withData(instruction, (data) => data.with(count, 2));
    const none = withData(instruction, (data) => data.with(count, 255));
    expectRefused(await chain.send(more), INVALID_INSTRUCTION_DATA);
    expectRefused(await chain.send(none), CLAUSE_COUNT_INVALID);
  });

  describeAccounts('createRuleSet', {
    ready: async () => ({ chain: await initializedChain(), instruction: await createRuleSet() }),
    created: ['ruleSet'],
    existing: ['config'],
  });
});
