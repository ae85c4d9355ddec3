/**
 * The mapping between codes on the wire and bits on chain. A clause names regions and statuses by code; the program stores
 * them as bit masks. No other file maps one to the other.
 */
import { REGIONS, type RegionCode } from './regions.ts';
import { STATUSES, type StatusCode } from './statuses.ts';

/**
 * A clause. It holds for a person with one of the regions, one of the statuses and an age of at least minAge whole years
 * (SPEC.md section 2).
 */
export interface Clause {
  /** ISO 3166-1 alpha-2 codes of regions in REGIONS, without duplicates. */
  regions: RegionCode[];
  /** Codes of statuses in STATUSES, without duplicates. */
  statuses: StatusCode[];
  /** Minimum age in whole years. */
  minAge: number;
}

const regionIndex: ReadonlyMap<string, number> = new Map(REGIONS.map(({ code, index }) => [code, index]));
const statusIndex: ReadonlyMap<string, number> = new Map(STATUSES.map(({ code, index }) => [code, index]));

/** Returns whether a text is the code of a region. Check input from a form or a file with it (SPEC.md section 4). */
export function isRegionCode(text: string): text is RegionCode {
  return regionIndex.has(text);
}

/** Returns whether a text is the code of a status (SPEC.md section 4). */
export function isStatusCode(text: string): text is StatusCode {
  return statusIndex.has(text);
}

/** Returns the index of a region code, or undefined. */
export function regionIndexOf(code: string): number | undefined {
  return regionIndex.get(code);
}

/** Returns the index of a status code, or undefined. */
export function statusIndexOf(code: string): number | undefined {
  return statusIndex.get(code);
}

/**
 * Returns a clause as masks: bit i of regionMask allows region i, bit i of statusMask allows status i. Throws RangeError for
 * an unknown code.
 */
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

/** Returns the clause of masks on chain, with codes in index order. It ignores bits without a code: no person has them. */
export function clauseFromMasks(masks: { regionMask: bigint; statusMask: number; minAge: number }): Clause {
  return {
    regions: REGIONS.filter(({ index }) => (masks.regionMask >> BigInt(index)) & 1n).map(({ code }) => code),
    statuses: STATUSES.filter(({ index }) => (masks.statusMask >>> index) & 1).map(({ code }) => code),
    minAge: masks.minAge,
  };
}

function known(table: ReadonlyMap<string, number>, code: string, what: string): number {
  const index = table.get(code);
  if (index === undefined) throw new RangeError(`The ${what} code ${JSON.stringify(code)} does not exist.`);
  return index;
}
