/** Clauses on the wire name regions and statuses by code; on chain they are bit masks. This is the one place that maps them. */
import * as z from 'zod/mini';
import { MAX_MIN_AGE } from './limits.ts';
import { REGIONS, type RegionCode } from './regions.ts';
import { STATUSES, type StatusCode } from './statuses.ts';

const regionIndex: ReadonlyMap<string, number> = new Map(REGIONS.map(({ code, index }) => [code, index]));
const statusIndex: ReadonlyMap<string, number> = new Map(STATUSES.map(({ code, index }) => [code, index]));

/** Whether a text is the code of a region: for what comes from a form or a file, before it stands in a clause (SPEC.md section 4). */
export function isRegionCode(text: string): text is RegionCode {
  return regionIndex.has(text);
}

/** Whether a text is the code of a status (SPEC.md section 4). */
export function isStatusCode(text: string): text is StatusCode {
  return statusIndex.has(text);
}

// As interfaces declarations name them; in their place would stand the 249 codes.
export interface RegionCodeField extends z.ZodMiniType<RegionCode, string> {}
export interface StatusCodeField extends z.ZodMiniType<StatusCode, string> {}

/** ISO 3166-1 alpha-2 code of a region. */
export const regionCodeField: RegionCodeField = codeField(
  isRegionCode,
  "must be a known region code, such as 'FR'",
);
/** Code of an investor status. */
export const statusCodeField: StatusCodeField = codeField(
  isStatusCode,
  "must be a known status code, such as 'retail'",
);

function codeField<C extends string>(
  isCode: (text: string) => text is C,
  what: string,
): z.ZodMiniType<C, string> {
  // A schema narrows no type by a check: the guard says what it leaves.
  return z.string().check(z.refine(isCode, what)) as unknown as z.ZodMiniType<C, string>;
}

const codes = <F extends z.ZodMiniType<string, string>>(
  field: F,
  { least, most }: { least: number; most: number },
) =>
  z.array(field).check(
    z.minLength(least),
    z.maxLength(most),
    z.refine((list) => new Set(list).size === list.length, 'must not name a code twice'),
  );

/**
 * A clause: holds for one of the regions, one of the statuses and an age of at least minAge whole years (SPEC.md
 * section 2).
 */
export interface Clause {
  /** Region codes of REGIONS, ISO 3166-1 alpha-2, none twice. */
  regions: RegionCode[];
  /** Status codes of STATUSES, none twice. */
  statuses: StatusCode[];
  /** Whole years. */
  minAge: number;
}

const clauseShape = (least: number, mostAge: number) => ({
  /** Region codes of REGIONS, ISO 3166-1 alpha-2, none twice. */
  regions: codes(regionCodeField, { least, most: REGIONS.length }),
  /** Status codes of STATUSES, none twice. */
  statuses: codes(statusCodeField, { least, most: STATUSES.length }),
  /** Whole years, 0 to 120 in a request. */
  minAge: z.int().check(z.gte(0), z.lte(mostAge)),
});

/** A clause in a request: strict, and of an age that somebody has. */
export const clauseRequest = z.strictObject(clauseShape(1, MAX_MIN_AGE));
/** A clause in a response. Its lists may be empty and its age up to 255: whoever writes to the chain directly can do so. */
export const clauseRecord = z.object(clauseShape(0, 255));

/** Index of a region code, or undefined. */
export function regionIndexOf(code: string): number | undefined {
  return regionIndex.get(code);
}

/** Index of a status code, or undefined. */
export function statusIndexOf(code: string): number | undefined {
  return statusIndex.get(code);
}

/** The clause as masks: bit i of regionMask allows region i, bit i of statusMask allows status i. Throws RangeError on an unknown code. */
export function clauseMasks(clause: {
  readonly regions: readonly string[];
  readonly statuses: readonly string[];
  readonly minAge: number;
}): { regionMask: bigint; statusMask: number; minAge: number } {
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
