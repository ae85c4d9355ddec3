/** Clauses on the wire name regions and statuses by code; on chain they are bit masks. This is the one place that maps them. */
import * as z from 'zod/mini';
import { REGIONS } from './regions.ts';
import { STATUSES } from './statuses.ts';

const regionIndex = new Map(REGIONS.map(({ code, index }) => [code, index]));
const statusIndex = new Map(STATUSES.map(({ code, index }) => [code, index]));

/** ISO 3166-1 alpha-2 code of a region. */
export const regionCodeField = codeField(regionIndex, 'region');
/** Code of an investor status. */
export const statusCodeField = codeField(statusIndex, 'status');

function codeField(known: ReadonlyMap<string, number>, what: string) {
  return z.string().check(z.refine((code) => known.has(code), `must be a known ${what} code`));
}

const codes = (field: typeof regionCodeField, { least, most }: { least: number; most: number }) =>
  z.array(field).check(
    z.minLength(least),
    z.maxLength(most),
    z.refine((list) => new Set(list).size === list.length, 'must not name a code twice'),
  );

const clauseShape = (least: number) => ({
  /** Region codes of REGIONS, ISO 3166-1 alpha-2, none twice. */
  regions: codes(regionCodeField, { least, most: REGIONS.length }),
  /** Status codes of STATUSES, none twice. */
  statuses: codes(statusCodeField, { least, most: STATUSES.length }),
  /** Whole years, 0 to 255. */
  minAge: z.int().check(z.gte(0), z.lte(255)),
});

/** A clause in a request: strict. */
export const clauseRequest = z.strictObject(clauseShape(1));
/** A clause in a response. Its lists may be empty: whoever writes to the chain directly can allow only bits that have no name. */
export const clauseRecord = z.object(clauseShape(0));
/**
 * A clause: holds for one of the regions, one of the statuses and an age of at least minAge whole years (SPEC.md
 * section 2).
 *
 * @interface
 */
export type Clause = z.infer<typeof clauseRecord>;

/** Index of a region code, or undefined. */
export function regionIndexOf(code: string): number | undefined {
  return regionIndex.get(code);
}

/** Index of a status code, or undefined. */
export function statusIndexOf(code: string): number | undefined {
  return statusIndex.get(code);
}

/** The clause as masks: bit i of regionMask allows region i, bit i of statusMask allows status i. Throws RangeError on an unknown code. */
export function clauseMasks(clause: Clause): { regionMask: bigint; statusMask: number; minAge: number } {
  let regionMask = 0n;
  for (const code of clause.regions) regionMask |= 1n << BigInt(known(regionIndex, code, 'region'));
  let statusMask = 0;
  for (const code of clause.statuses)
    statusMask = (statusMask | (1 << known(statusIndex, code, 'status'))) >>> 0;
  return { regionMask, statusMask, minAge: clause.minAge };
}

/** The clause that masks on chain stand for, codes in index order; bits without a name are left out (nobody can hold them). */
export function clauseFromMasks(masks: { regionMask: bigint; statusMask: number; minAge: number }): Clause {
  return {
    regions: REGIONS.filter(({ index }) => (masks.regionMask >> BigInt(index)) & 1n).map(({ code }) => code),
    statuses: STATUSES.filter(({ index }) => (masks.statusMask >>> index) & 1).map(({ code }) => code),
    minAge: masks.minAge,
  };
}

function known(table: ReadonlyMap<string, number>, code: string, what: string): number {
  const index = table.get(code);
  if (index === undefined) throw new RangeError(`unknown ${what} code ${JSON.stringify(code)}`);
  return index;
}
