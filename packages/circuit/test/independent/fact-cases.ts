import {
  type CalendarDate,
  type CircuitInputFacts,
  type ClauseMasks,
  dateCode,
  FIELD_ORDER,
} from '@service/protocol/eligibility';
import fc from 'fast-check';
import { ALL_REGIONS, ALL_STATUSES } from '../support/scenario.ts';

/** A person, a rule set and a pass, each within what the protocol allows. */
export interface FactCase {
  readonly name: string;
  readonly facts: CircuitInputFacts;
}

const SEED = 1393;
const ALL_STATUS_PLACES = Number(ALL_STATUSES);

const element = fc.oneof(
  fc.bigInt({ min: 0n, max: FIELD_ORDER - 1n }),
  fc.constantFrom(0n, 1n, FIELD_ORDER - 1n),
);
const address = fc.uint8Array({ minLength: 32, maxLength: 32 });
const date = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2155-12-31'), noInvalidDate: true })
  .map((at) => codeOf({ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() }));

/** Facts of which a clause holds often, and fails often by one place of a mask or by one day. */
const randomFacts: fc.Arbitrary<CircuitInputFacts> = fc
  .record({
    region: fc.nat(252),
    status: fc.nat(31),
    birthDate: date,
    salt: element,
    person: element,
    place: fc.option(fc.oneof(fc.constantFrom(0, 254), fc.nat(254)), { nil: undefined }),
    asOf: date,
    rule: address,
    wallet: address,
    expiresAt: fc.oneof(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), fc.constantFrom(0n, (1n << 64n) - 1n)),
    clauses: fc.array(
      fc.record({
        regions: fc.oneof(fc.bigInt({ min: 1n, max: ALL_REGIONS }), fc.constantFrom(1n, ALL_REGIONS)),
        statuses: fc.oneof(fc.integer({ min: 1, max: ALL_STATUS_PLACES }), fc.constant(ALL_STATUS_PLACES)),
        ownRegion: fc.constantFrom('any', 'with', 'with', 'without'),
        ownStatus: fc.constantFrom('any', 'with', 'with', 'without'),
        minAge: fc.oneof(fc.nat(255), fc.constantFrom(0, 18, 255)),
        ages: fc.constantFrom('random', 'birthday'),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    daysOld: fc.constantFrom(-1, 0, 1),
  })
  .map(({ clauses, region, status, birthDate, salt, person, place, asOf, daysOld, ...pass }) => {
    const years = Math.floor(asOf / 512) - Math.floor(birthDate / 512);
    const birthday = clauses.some(({ ages }) => ages === 'birthday') && years >= 0 && years <= 255;
    return {
      ...pass,
      attributes: { region, status, birthDate, salt, person },
      asOf: birthday ? nearBirthday(birthDate, years, daysOld) : asOf,
      place,
      clauses: clauses.slice(0, place === undefined ? 8 : 6).map(
        (clause): ClauseMasks => ({
          regionMask: withOwn(clause.regions, region, clause.ownRegion) || ALL_REGIONS,
          statusMask: Number(withOwn(BigInt(clause.statuses), status, clause.ownStatus)) || ALL_STATUS_PLACES,
          minAge: birthday && clause.ages === 'birthday' ? years : clause.minAge,
        }),
      ),
    };
  });

/** Returns facts at the limits of each number, then random ones. */
export function factCases(random: number): FactCase[] {
  const sampled = fc.sample(randomFacts, { seed: SEED, numRuns: random });
  return [...limits(), ...sampled.map((facts, index) => ({ name: `random facts ${index}`, facts }))];
}

function* limits(): Generator<FactCase> {
  const clause: ClauseMasks = { regionMask: 1n << 40n, statusMask: 2, minAge: 18 };
  const never: ClauseMasks = { regionMask: 1n, statusMask: 2, minAge: 0 };
  const attributes = { region: 40, status: 1, birthDate: codeOf(dateOf('2008-06-15')), salt: 7n, person: 9n };
  const base: CircuitInputFacts = {
    attributes,
    clauses: [clause],
    asOf: codeOf(dateOf('2026-06-15')),
    rule: new Uint8Array(32).fill(1),
    wallet: new Uint8Array(32).fill(2),
    expiresAt: 1_800_000_000n,
  };
  for (const place of [undefined, 0, 254]) {
    const one = (name: string, changes: Partial<CircuitInputFacts>) => ({
      name: `${name}, place ${place}`,
      facts: { ...base, place, ...changes },
    });
    const person = (changes: Partial<CircuitInputFacts['attributes']>) => ({
      attributes: { ...attributes, ...changes },
    });
    yield one('one clause', {});
    for (const secret of [0n, FIELD_ORDER - 1n]) {
      yield one(`person ${secret}`, person({ person: secret }));
      yield one(`salt ${secret}`, person({ salt: secret }));
    }
    for (const [born, days] of [
      ['2008-06-15', ['2026-06-14', '2026-06-15', '2026-06-16']],
      ['2008-02-29', ['2026-02-28', '2026-03-01', '2028-02-28', '2028-02-29']],
      ['2008-12-31', ['2026-12-30', '2026-12-31', '2027-01-01']],
      ['2009-01-01', ['2026-12-31', '2027-01-01']],
      ['1900-01-01', ['1900-01-01', '2155-12-31']],
    ] as const) {
      for (const at of days) {
        const asOf = codeOf(dateOf(at));
        yield one(`born ${born}, on ${at}`, { asOf, ...person({ birthDate: codeOf(dateOf(born)) }) });
      }
    }
    for (const region of [0, 252]) {
      const clauses = [ALL_REGIONS, 1n << BigInt(region), ALL_REGIONS ^ (1n << BigInt(region))].map(
        (regionMask) => ({ ...clause, regionMask }),
      );
      yield one(`region ${region}`, { clauses, ...person({ region }) });
    }
    for (const status of [0, 31]) {
      const clauses = [ALL_STATUS_PLACES, 2 ** status, ALL_STATUS_PLACES - 2 ** status].map((statusMask) => ({
        ...clause,
        statusMask,
      }));
      yield one(`status ${status}`, { clauses, ...person({ status }) });
    }
    const slots = place === undefined ? 8 : 6;
    for (let slot = 0; slot < slots; slot += 1) {
      yield one(`only clause ${slot} holds`, { clauses: Array(slots).fill(never).with(slot, clause) });
    }
    for (const expiresAt of [0n, (1n << 64n) - 1n]) yield one(`expiry ${expiresAt}`, { expiresAt });
    const last = new Uint8Array(32).fill(255);
    yield one('the highest addresses', { rule: last, wallet: last });
  }
}

/** Returns the mask with a member, without it, or as it is. */
function withOwn(mask: bigint, member: number, how: string): bigint {
  const bit = 1n << BigInt(member);
  return how === 'with' ? mask | bit : how === 'without' ? mask & ~bit : mask;
}

/** Returns a day at most a day from the birthday of so many years, or 1 March if that is a 29 February that does not exist. */
function nearBirthday(birthDate: number, years: number, days: number): number {
  const at = new Date(
    Date.UTC(1900 + (birthDate >> 9) + years, ((birthDate >> 5) & 15) - 1, (birthDate & 31) + days),
  );
  return codeOf({ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() });
}

/** Returns the date code, or that of the nearest year that has one. */
function codeOf({ year, month, day }: CalendarDate): number {
  return dateCode({ year: Math.min(Math.max(year, 1900), 2155), month, day });
}

function dateOf(text: string): CalendarDate {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  return { year, month, day };
}
