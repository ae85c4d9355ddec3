import { ALL_REGIONS, ALL_STATUSES, scenario } from './scenario.ts';
import type { Signals } from './statement.ts';

/** One of the circuit's two uses of MaskMember. */
export interface MaskUse {
  readonly mask: 'regionMask' | 'statusMask';
  readonly member: 'region' | 'status';
  /** Its component. */
  readonly path: string;
  /** The largest mask. */
  readonly all: bigint;
  readonly maskBits: number;
  readonly indexBits: number;
  readonly lowBits: number;
  /** Someone of this member before a clause with this mask, and nothing else amiss. */
  scenario(member: number | bigint, mask: bigint): Signals;
}

export const MASK_USES: readonly MaskUse[] = [
  {
    mask: 'regionMask',
    member: 'region',
    path: 'main.regionMask:MaskMember',
    all: ALL_REGIONS,
    maskBits: 253,
    indexBits: 8,
    lowBits: 4,
    scenario: (member, mask) => scenario({ region: BigInt(member), regionMask: mask }),
  },
  {
    mask: 'statusMask',
    member: 'status',
    path: 'main.statusMask:MaskMember',
    all: ALL_STATUSES,
    maskBits: 32,
    indexBits: 5,
    lowBits: 2,
    scenario: (member, mask) => scenario({ status: BigInt(member), statusMask: mask }),
  },
];
