import { ALL_REGIONS, ALL_STATUSES, scenario } from '../support/scenario.ts';
import type { Signals } from '../support/statement.ts';

/** One of the circuit's two uses of MaskMember. */
export interface MaskUse {
  readonly mask: 'regionMask' | 'statusMask';
  readonly member: 'region' | 'status';
  /** Path of its component. */
  readonly path: string;
  /** The largest mask. */
  readonly all: bigint;
  readonly maskBits: number;
  readonly indexBits: number;
  readonly lowBits: number;
  /** Returns the signals of a person with this region or status, for a clause with this mask. */
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
