import type { AccountOf, Found } from '@service/protocol';
import { type Option, unwrapOption } from '@solana/kit';

type Circuit = Found<AccountOf<'circuit'>>;

/** Returns the circuits whose proofs the program accepts at a chain time in Unix seconds, the newest first. */
export function acceptedCircuits(circuits: readonly Circuit[], chainTime: bigint): Circuit[] {
  return circuits
    .filter(({ data }) => !data.unsound && retirement(data.retiredAt) > chainTime)
    .sort((a, b) => Number(retirement(b.data.retiredAt) - retirement(a.data.retiredAt)));
}

/** Returns when a circuit retires. One without a time is the active one, so the latest time belongs to the newest circuit. */
function retirement(retiredAt: Option<bigint>): bigint {
  return unwrapOption(retiredAt) ?? 2n ** 64n;
}
