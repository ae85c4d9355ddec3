/** Accounts as they stand on chain -> the records of SPEC.md section 2. */
import {
  type Circuit,
  type Credential,
  clauseFromMasks,
  type Pass,
  type RuleSet,
  type Verifier,
} from '@service/contract';
import type { AccountOf, Found } from '@service/protocol';
import type { ClauseMasks } from '@service/protocol/eligibility/clause';
import { bytesToField } from '@service/protocol/eligibility/field';
import { getBase16Decoder, type ReadonlyUint8Array, unwrapOption } from '@solana/kit';

/** The record of a RuleSet account; `rentLamports` is what an account of its size must keep. */
export function ruleSetRecordOf(found: Found<AccountOf<'ruleSet'>>, rentLamports: bigint): RuleSet {
  const { data } = found;
  return {
    address: found.address,
    creator: data.creator,
    nonce: data.nonce,
    name: data.name,
    clauses: clauseMasksOf(data).map(clauseFromMasks),
    ruleHash: hex(data.ruleHash),
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

/** The record of a Credential account. */
export function credentialRecordOf({ address, data }: Found<AccountOf<'credential'>>): Credential {
  const { wallet, verifier, issuedAt, expiresAt, revoked } = data;
  return { address, wallet, verifier, commitment: hex(data.commitment), issuedAt, expiresAt, revoked };
}

/** The record of a Verifier account. */
export function verifierRecordOf({ address, data }: Found<AccountOf<'verifier'>>): Verifier {
  return { address, authority: data.authority, name: data.name, active: data.active };
}

/** The record of a Circuit account. */
export function circuitRecordOf({ address, data }: Found<AccountOf<'circuit'>>): Circuit {
  return {
    address,
    id: data.id,
    artifactsDigest: hex(data.artifactsDigest),
    retiredAt: unwrapOption(data.retiredAt),
  };
}

/** The record of a Pass account. */
export function passRecordOf({ address, data }: Found<AccountOf<'pass'>>): Pass {
  const { rule, wallet, verifier, circuit, issuedAt, expiresAt } = data;
  return { address, rule, wallet, verifier, circuit, issuedAt, expiresAt };
}

function hex(bytes: ReadonlyUint8Array): string {
  return getBase16Decoder().decode(bytes);
}
