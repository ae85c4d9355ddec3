import type { AccountOf, Found } from '@service/protocol';
import { type Option, unwrapOption } from '@solana/kit';

type Circuit = Found<AccountOf<'circuit'>>;

/** Returns the circuits whose proofs the program accepts at a chain time in Unix seconds, the one that retires last first. */
export function acceptedCircuits(circuits: readonly Circuit[], chainTime: bigint): Circuit[] {
  return circuits
    .filter(({ data }) => !data.unsound && retirement(data.retiredAt) > chainTime)
    .sort((a, b) => Number(retirement(b.data.retiredAt) - retirement(a.data.retiredAt)));
}

/** Returns when a circuit retires: the active one, which has no time, after all others. */
function retirement(retiredAt: Option<bigint>): bigint {
  return unwrapOption(retiredAt) ?? 2n ** 64n;
}
