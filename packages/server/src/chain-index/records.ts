/** A rule set of the chain as the record of the wire (SPEC.md section 2). */
import { clauseFromMasks, type RuleSet } from '@service/contract';
import { type AccountOf, type Found, hexOf } from '@service/protocol';

/** The record of a rule set; `passFunds` in lamports, read live, because they change without the program. */
export function ruleSetRecordOf({ address, data }: Found<AccountOf<'ruleSet'>>, passFunds: bigint): RuleSet {
  const { creator, nonce, name, maxPassAgeSeconds } = data;
  const clauses = data.clauses.map(({ regionMask, statusMask, minAge }) =>
    clauseFromMasks({ regionMask: BigInt(`0x${hexOf(regionMask)}`), statusMask, minAge }),
  );
  return {
    address,
    creator,
    nonce,
    name,
    clauses,
    ruleHash: hexOf(data.ruleHash),
    maxPassAgeSeconds,
    passFunds,
  };
}
