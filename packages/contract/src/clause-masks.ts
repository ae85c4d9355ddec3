/**
 * The mapping between codes on the wire and bits on chain. A clause names regions and statuses by code; the program stores
 * them as bit masks. No other file maps one to the other.
 */
import type { Clause } from './clause.ts';
import { REGIONS, regionIndexOf } from './regions.ts';
import { STATUSES, statusIndexOf } from './statuses.ts';

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
  for (const code of clause.regions) regionMask |= 1n << BigInt(known(regionIndexOf(code), code, 'region'));
  let statusMask = 0;
  for (const code of clause.statuses)
    statusMask = (statusMask | (1 << known(statusIndexOf(code), code, 'status'))) >>> 0;
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

function known(index: number | undefined, code: string, what: string): number {
  if (index === undefined) throw new RangeError(`unknown ${what} code ${JSON.stringify(code)}`);
  return index;
}
