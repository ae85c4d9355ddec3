import { ALL_REGIONS, ALL_STATUSES, scenario } from '../support/scenario.ts';

/** One of the circuit's two uses of MaskMember. */
export type MaskUse = (typeof MASK_USES)[number];

const useOf = <Member extends 'region' | 'status'>(
  member: Member,
  sizes: { all: bigint; maskBits: number; indexBits: number; lowBits: number },
) => {
  const mask = `${member}Mask` as const;
  return {
    ...sizes,
    member,
    mask,
    /** Path of its component. */
    path: `main.${mask}:MaskMember`,
    /** Returns the signals of a person with this region or status, for a clause with this mask. */
    scenario: (of: number, bits: bigint) => scenario({ [member]: BigInt(of), [mask]: bits }),
  };
};

/** `all` is the largest mask. */
export const MASK_USES = [
  useOf('region', { all: ALL_REGIONS, maskBits: 253, indexBits: 8, lowBits: 4 }),
  useOf('status', { all: ALL_STATUSES, maskBits: 32, indexBits: 5, lowBits: 2 }),
];
