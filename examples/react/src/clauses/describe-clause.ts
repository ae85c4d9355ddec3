/** Says in plain words who meets a rule set. */
import {
  type Clause,
  REGION_GROUPS,
  REGIONS,
  type RegionCode,
  STATUSES,
  type StatusCode,
} from '@service/sdk';

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });
const regionNames = new Map<string, string>(REGIONS.map(({ code, name }) => [code, name]));

/** More names than this make a sentence too long. */
const MOST_NAMES = 4;

type ReadClause = { readonly [F in keyof Clause]: Readonly<Clause[F]> };

export function regionName(code: string): string {
  return regionNames.get(code) ?? code;
}

/** Returns for example "Adults (18+) from the EU who are professional or institutional investors". */
export function describeClause({ regions, statuses, minAge }: ReadClause): string {
  if (regions.length === 0 || statuses.length === 0) return 'Nobody';
  const where = describeRegions(regions);
  const who = describeStatuses(statuses);
  return `${describeAge(minAge)} ${where}${who && ` who are ${who}`}`;
}

/** Returns one sentence for all clauses: a person who meets one of them meets the rule set. */
export function describeClauses(clauses: readonly ReadClause[]): string {
  const [first = 'Nobody', ...rest] = clauses.map(describeClause);
  return `${[first, ...rest.map((text) => text[0]!.toLowerCase() + text.slice(1))].join('; or ')}.`;
}

function describeAge(minAge: number): string {
  if (minAge === 0) return 'People of any age';
  return minAge === 18 ? 'Adults (18+)' : `People aged ${minAge} or older`;
}

function describeRegions(regions: readonly RegionCode[]): string {
  if (regions.length === REGIONS.length) return 'from anywhere';
  for (const name of ['EEA', 'EU'] as const) {
    const group: readonly RegionCode[] = REGION_GROUPS[name];
    if (!group.every((code) => regions.includes(code))) continue;
    const others = regions.filter((code) => !group.includes(code));
    return `from ${alternatives.format([`the ${name}`, ...(others.length > 0 ? [namesOf(others)] : [])])}`;
  }
  return `from ${namesOf(regions)}`;
}

function namesOf(regions: readonly RegionCode[]): string {
  if (regions.length > MOST_NAMES) return `${regions.length} regions`;
  return alternatives.format(regions.map(regionName).toSorted((a, b) => a.localeCompare(b, 'en')));
}

/** Statuses that read as "… investors". The others are nouns of their own. */
const NOUNS: Partial<Record<StatusCode, string>> = {
  'qualified-purchaser': 'qualified purchasers',
  employee: 'employees',
};

function describeStatuses(statuses: readonly StatusCode[]): string {
  if (statuses.length === STATUSES.length) return '';
  const investors = STATUSES.filter(({ code }) => statuses.includes(code) && !NOUNS[code]);
  const others = statuses.flatMap((code) => NOUNS[code] ?? []);
  const names = investors.map(({ name }, index) =>
    index === investors.length - 1 ? `${name.toLowerCase()} investors` : name.toLowerCase(),
  );
  return alternatives.format([...names, ...others]);
}
