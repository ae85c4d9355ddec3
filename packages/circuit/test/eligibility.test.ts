import { FIELD_ORDER } from '@service/protocol/eligibility';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contextOf, endProver, hashClause, refusalOf, witnessOf } from './prover.ts';
import { clause, day, eligible, onlyClause, REFUSED_BY, slotsOf } from './signals.ts';

// Room for a machine that is busy with other things.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

// The witness calculator reports each refusal on the console as well.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterAll(endProver);

const ALL_REGIONS = 2n ** 253n - 1n;
const ALL_STATUSES = 2n ** 32n - 1n;

describe('the clause that holds', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('may be in slot %i', async (slot) => {
    const clauseHashes = Array.from({ length: 8 }, (_, index) =>
      hashClause(1n << 200n, BigInt(index + 1), 0n),
    );
    clauseHashes[slot] = hashClause(clause.regionMask, clause.statusMask, clause.minAge);
    await witnessOf({ ...eligible, clauseHashes });
  });

  it('must be one of the rule set', async () => {
    expect(await refusalOf({ ...eligible, minAge: 17n })).toBe(REFUSED_BY.slot);
    expect(await refusalOf({ ...eligible, regionMask: ALL_REGIONS })).toBe(REFUSED_BY.slot);
    expect(await refusalOf({ ...eligible, statusMask: ALL_STATUSES })).toBe(REFUSED_BY.slot);
  });

  it('must hold alone: the region of one clause and the status of another do not', async () => {
    const regionFits = { ...clause, statusMask: 1n };
    const statusFits = { ...clause, regionMask: 1n << 9n };
    const clauseHashes = slotsOf([regionFits, statusFits]);
    expect(await refusalOf({ ...eligible, ...regionFits, clauseHashes })).toBe(REFUSED_BY.statusMask);
    expect(await refusalOf({ ...eligible, ...statusFits, clauseHashes })).toBe(REFUSED_BY.regionMask);
    expect(await refusalOf({ ...eligible, ...clause, clauseHashes })).toBe(REFUSED_BY.slot);
  });

  it.each([0n, 40n, 252n])('is never the empty clause of an unused slot (region %i)', async (region) => {
    const empty = { regionMask: 0n, statusMask: 0n, minAge: 0n };
    expect(await refusalOf({ ...eligible, ...empty, region })).toBe(REFUSED_BY.regionMask);
  });

  it('is never a clause without statuses', async () => {
    expect(await refusalOf(onlyClause({ statusMask: 0n }))).toBe(REFUSED_BY.statusMask);
  });
});

describe('region', () => {
  const places = [0n, 15n, 16n, 127n, 128n, 239n, 240n, 252n];

  it.each(places)('%i is found in a mask that holds nothing else', async (region) => {
    await witnessOf({ ...onlyClause({ regionMask: 1n << region }), region });
  });

  it.each(places)('%i is not found in a mask that holds everything else', async (region) => {
    const signals = { ...onlyClause({ regionMask: ALL_REGIONS - (1n << region) }), region };
    expect(await refusalOf(signals)).toBe(REFUSED_BY.regionMask);
  });

  it.each([253n, 254n, 255n])('%i is in no mask', async (region) => {
    const signals = { ...onlyClause({ regionMask: ALL_REGIONS }), region };
    expect(await refusalOf(signals)).toBe(REFUSED_BY.regionMask);
  });

  it.each([256n, 256n + 40n, -1n, FIELD_ORDER - 216n])('%i is no region', async (region) => {
    const signals = { ...onlyClause({ regionMask: ALL_REGIONS }), region };
    expect(await refusalOf(signals)).toBe(REFUSED_BY.regionRange);
  });
});

describe('status', () => {
  const places = [0n, 3n, 4n, 27n, 28n, 31n];

  it.each(places)('%i is found in a mask that holds nothing else', async (status) => {
    await witnessOf({ ...onlyClause({ statusMask: 1n << status }), status });
  });

  it.each(places)('%i is not found in a mask that holds everything else', async (status) => {
    const signals = { ...onlyClause({ statusMask: ALL_STATUSES - (1n << status) }), status };
    expect(await refusalOf(signals)).toBe(REFUSED_BY.statusMask);
  });

  it.each([32n, 32n + 1n, -1n])('%i is no status', async (status) => {
    const signals = { ...onlyClause({ statusMask: ALL_STATUSES }), status };
    expect(await refusalOf(signals)).toBe(REFUSED_BY.statusRange);
  });
});

describe('age', () => {
  it('is reached on the birthday, not on the day before', async () => {
    await witnessOf(eligible);
    expect(await refusalOf({ ...eligible, asOf: day(2026, 6, 14) })).toBe(REFUSED_BY.age);
    expect(await refusalOf({ ...eligible, birthDate: day(2008, 6, 16) })).toBe(REFUSED_BY.age);
  });

  it('of someone born on 29 February is reached on 1 March of a common year', async () => {
    const leapling = { ...eligible, birthDate: day(2004, 2, 29) };
    await witnessOf({ ...leapling, asOf: day(2022, 3, 1) });
    expect(await refusalOf({ ...leapling, asOf: day(2022, 2, 28) })).toBe(REFUSED_BY.age);
  });

  it('of someone born on 29 February is reached on that day of a leap year', async () => {
    const leapling = { ...onlyClause({ minAge: 20n }), birthDate: day(2004, 2, 29) };
    await witnessOf({ ...leapling, asOf: day(2024, 2, 29) });
    expect(await refusalOf({ ...leapling, asOf: day(2024, 2, 28) })).toBe(REFUSED_BY.age);
  });

  it('may be anything from 0 on the day of birth to 255 over the whole range', async () => {
    await witnessOf({ ...onlyClause({ minAge: 0n }), birthDate: day(2026, 6, 15) });
    await witnessOf({ ...onlyClause({ minAge: 255n }), birthDate: day(1900, 1, 1), asOf: day(2155, 1, 1) });
    await witnessOf({ ...onlyClause({ minAge: 0n }), birthDate: day(1900, 1, 1), asOf: day(2155, 12, 31) });
  });

  it('is not reached by the youngest before the highest limit, the least difference there is', async () => {
    const signals = { ...onlyClause({ minAge: 255n }), birthDate: day(2155, 12, 31), asOf: day(1900, 1, 1) };
    expect(await refusalOf(signals)).toBe(REFUSED_BY.age);
  });

  it('is not reached by a birth date beyond the range, which would count as long before 1900', async () => {
    const young = { ...eligible, ...onlyClause({ minAge: 255n }) };
    expect(await refusalOf({ ...young, birthDate: FIELD_ORDER - 100_000n })).toBe(REFUSED_BY.birthDateRange);
    expect(await refusalOf({ ...eligible, birthDate: 2n ** 17n })).toBe(REFUSED_BY.birthDateRange);
  });
});

describe('an opening of the same clause hash by other numbers', () => {
  const minor = { ...eligible, birthDate: day(2020, 1, 1), status: 31n };

  /** Opens with a status mask of the cheat's choice and the minAge that makes the packed sum come out. */
  function repacked(statusMask: bigint) {
    const packed = clause.statusMask + (clause.minAge << 32n);
    const minAge = divide(packed - statusMask, 1n << 32n);
    expect(hashClause(clause.regionMask, statusMask, minAge)).toBe(eligible.clauseHashes[2]);
    return { ...minor, statusMask, minAge };
  }

  it('with the age limit moved up into the mask is refused', async () => {
    const signals = repacked(clause.statusMask + (clause.minAge << 32n));
    expect(signals.minAge).toBe(0n);
    expect(await refusalOf({ ...signals, status: 1n })).toBe(REFUSED_BY.statusMask);
  });

  it('with an all-ones mask is refused', async () => {
    expect(await refusalOf(repacked(ALL_STATUSES))).toBe(REFUSED_BY.minAgeRange);
  });

  it('with an all-ones mask of more bits is refused', async () => {
    expect(await refusalOf(repacked(2n ** 253n - 1n))).toBe(REFUSED_BY.minAgeRange);
  });

  it('with years borrowed from the mask is refused', async () => {
    expect(await refusalOf(repacked(clause.statusMask + (17n << 32n)))).toBe(REFUSED_BY.statusMask);
    expect(await refusalOf(repacked(clause.statusMask - (300n << 32n)))).toBe(REFUSED_BY.minAgeRange);
  });

  it('is refused even where the rule set itself holds a clause out of range', async () => {
    expect(await refusalOf({ ...onlyClause({ minAge: 256n }), birthDate: day(1900, 1, 1) })).toBe(
      REFUSED_BY.minAgeRange,
    );
    expect(await refusalOf(onlyClause({ statusMask: 2n ** 32n + 2n }))).toBe(REFUSED_BY.statusMask);
    expect(await refusalOf(onlyClause({ regionMask: 2n ** 253n + clause.regionMask }))).toBe(
      REFUSED_BY.regionMask,
    );
  });
});

describe('the context hash', () => {
  it.each([
    ['region', { region: 0n }],
    ['status', { status: 2n }],
    ['birth date', { birthDate: day(2000, 1, 1) }],
    ['salt', { salt: 1n }],
    ['rule set', { clauseHashes: slotsOf([clause]) }],
    ['day', { asOf: day(2026, 6, 16) }],
    ['pass', { passHash: eligible.passHash + 1n }],
  ])('does not fit another %s, though that would be eligible too', async (_, change) => {
    const signals = { ...eligible, ...change };
    await witnessOf(signals);
    expect(await refusalOf(signals, contextOf(eligible))).toBe(REFUSED_BY.context);
  });
});

/** a / b in the scalar field: b's inverse is b^(r-2). */
function divide(a: bigint, b: bigint): bigint {
  let inverse = 1n;
  let square = b;
  for (let exponent = FIELD_ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) inverse = (inverse * square) % FIELD_ORDER;
    square = (square * square) % FIELD_ORDER;
  }
  return ((((a % FIELD_ORDER) + FIELD_ORDER) % FIELD_ORDER) * inverse) % FIELD_ORDER;
}
