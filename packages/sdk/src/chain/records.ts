/** A rule set as it stands on chain -> the record of SPEC.md section 2, and its clauses as masks. */
import { clauseFromMasks, type RuleSet } from '@service/contract';
import { type AccountOf, type Found, hexOf } from '@service/protocol';
import type { ClauseMasks } from '@service/protocol/eligibility/clause';
import { bytesToField } from '@service/protocol/eligibility/field';

/** The record of a RuleSet account; `rentLamports` is what an account of its size must keep. */
export function ruleSetRecordOf(found: Found<AccountOf<'ruleSet'>>, rentLamports: bigint): RuleSet {
  const { data } = found;
  return {
    address: found.address,
    creator: data.creator,
    nonce: data.nonce,
    name: data.name,
    clauses: clauseMasksOf(data).map(clauseFromMasks),
    ruleHash: hexOf(data.ruleHash),
    maxPassAgeSeconds: data.maxPassAgeSeconds,
    passFunds: found.lamports > rentLamports ? found.lamports - rentLamports : 0n,
  };
}

/** The clauses of a RuleSet account as masks, bits without a name included: these lead to its rule hash. */
export function clauseMasksOf(data: AccountOf<'ruleSet'>): ClauseMasks[] {
  return data.clauses.map(({ regionMask, statusMask, minAge }) => ({
    regionMask: bytesToField(new Uint8Array(regionMask)),
    statusMask,
    minAge,
  }));
}
