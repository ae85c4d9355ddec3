/** The schemas of clauses on the wire, which name regions and statuses by code (SPEC.md section 2). */
import * as z from 'zod/mini';
import { isRegionCode, isStatusCode } from './clause-masks.ts';
import { MAX_MIN_AGE } from './limits.ts';
import { REGIONS, type RegionCode } from './regions.ts';
import { STATUSES, type StatusCode } from './statuses.ts';

// Interfaces, because .d.ts files show an interface by name. A type alias would list all 249 codes.
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
  // A zod check does not narrow the output type, so the cast does.
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

const clauseShape = (least: number, mostAge: number) => ({
  /** ISO 3166-1 alpha-2 codes of regions in REGIONS, without duplicates. */
  regions: codes(regionCodeField, { least, most: REGIONS.length }),
  /** Codes of statuses in STATUSES, without duplicates. */
  statuses: codes(statusCodeField, { least, most: STATUSES.length }),
  /** Minimum age in whole years, 0 to 120 in a request. */
  minAge: z.int().check(z.gte(0), z.lte(mostAge)),
});

/** A clause in a request. Unknown fields are rejected. */
export const clauseRequest = z.strictObject(clauseShape(1, MAX_MIN_AGE));
/** A clause in a response. A rule set written to the chain directly can have empty lists and an age of up to 255. */
export const clauseRecord = z.object(clauseShape(0, 255));
