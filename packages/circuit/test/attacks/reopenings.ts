import { divide, mod } from '../support/constraint-system.ts';
import { ALL_REGIONS, ALL_STATUSES, attackOn, day, type NamedAttack, scenario } from '../support/scenario.ts';
import {
  attributesOf,
  type Claim,
  clauseHashOf,
  commitmentOf,
  contextHashOf,
  type Signals,
} from '../support/statement.ts';

/** Yields other numbers with the same clause hash, or with the same commitment. */
export function* reopenings(): Generator<NamedAttack> {
  const honest = scenario();
  const reopened = (name: string, person: Partial<Signals>, refusedBy: [Claim, ...Claim[]]): NamedAttack => {
    const signals = { ...honest, ...person };
    return attackOn({ ...signals, contextHash: contextHashOf(signals) }, name, {}, ...refusedBy);
  };

  // The clause packs statusMask + minAge * 2^32. Any other statusMask has a minAge in the field that fits.
  const clause = (
    name: string,
    statusMask: bigint,
    person: Partial<Signals>,
    ...refusedBy: [Claim, ...Claim[]]
  ) => {
    const packed = honest.statusMask + (honest.minAge << 32n);
    const minAge = divide(packed - statusMask, 1n << 32n);
    const opening = { ...honest, statusMask: mod(statusMask), minAge };
    if (clauseHashOf(opening) !== clauseHashOf(honest)) throw new Error(`${name}: the clause hash differs.`);
    return reopened(name, { ...opening, ...person }, refusedBy);
  };
  const own = honest.statusMask;
  const minor = { birthDate: day(2020, 1, 1) };
  yield clause('the age limit moved into the mask', own + (18n << 32n), minor, 'statusMask');
  const infant = { birthDate: day(2024, 1, 1) };
  yield clause('17 years moved into the mask', own + (17n << 32n), infant, 'statusMask');
  yield clause('an all-ones mask', ALL_STATUSES, { status: 31n }, 'minAgeRange', 'age');
  const wide = 2n ** 253n - 1n;
  yield clause('an all-ones mask of 253 bits', wide, { status: 31n }, 'minAgeRange', 'statusMask', 'age');
  yield clause('status 31 paid for with half a year', own + (1n << 31n), { status: 31n }, 'minAgeRange');
  yield clause('status 23 paid for with a day', own + (1n << 23n), { status: 23n }, 'minAgeRange');
  const borrowed = own - (300n << 32n);
  yield clause('300 years borrowed from the mask', borrowed, {}, 'minAgeRange', 'statusMask', 'age');

  // The credential packs region + status * 2^8 + birthDate * 2^13 + 2^253.
  const credential = (
    name: string,
    changes: { region?: bigint; status?: bigint; birthDate?: bigint },
    masks: Partial<Signals>,
    ...refusedBy: [Claim, ...Claim[]]
  ) => {
    const { region = honest.region, status = honest.status } = changes;
    const rest = attributesOf(honest) - (1n << 253n) - region - (status << 8n);
    const birthDate = changes.birthDate ?? divide(rest, 1n << 13n);
    const clauseHashes = scenario(masks).clauseHashes;
    const person = { region: mod(region), status: mod(status), birthDate: mod(birthDate) };
    const opening = { ...honest, ...masks, clauseHashes, ...person };
    if (commitmentOf(opening) !== commitmentOf(honest)) throw new Error(`${name}: the commitment differs.`);
    return reopened(name, opening, refusedBy);
  };
  const only41 = { regionMask: 1n << 41n };
  yield credential('region 41 of the same sum', { region: 41n }, only41, 'birthDateRange', 'age');
  yield credential('status 2 of the same sum', { status: 2n }, {}, 'birthDateRange', 'age');
  const all = { regionMask: ALL_REGIONS, statusMask: ALL_STATUSES };
  const { region, status, birthDate: born } = honest;
  for (const [name, by, changes] of [
    ['region that pays for a status', 'region', { region: region + 256n, status: 0n, birthDate: born }],
    ['status that pays for an earlier birth', 'status', { status: status + 32n, birthDate: born - 1n }],
    ['region that pays for an earlier birth', 'region', { region: region + 8192n, birthDate: born - 1n }],
    ['region below zero for a status', 'region', { region: region - 256n, status: 2n, birthDate: born }],
  ] as const) {
    yield credential(`a ${name}`, changes, all, `${by}Range`, `${by}Mask`);
  }

  // A clause hash used as a commitment, and a commitment used as a clause hash.
  const asCredential = { region: 40n, status: 1n, salt: honest.statusMask + (honest.minAge << 32n) };
  const birthDate = divide(honest.regionMask - (1n << 253n) - 40n - 256n, 1n << 13n);
  yield reopened('a clause hash in place of a credential', { ...asCredential, birthDate }, [
    'birthDateRange',
    'age',
  ]);
  const person = { ...honest, salt: honest.statusMask + (honest.minAge << 32n) };
  const asClause = { regionMask: attributesOf(person) };
  yield {
    ...reopened('a credential in place of a clause hash', { ...person, ...asClause }, ['regionMask']),
    signals: scenario({ ...asClause, salt: person.salt }),
  };
}
