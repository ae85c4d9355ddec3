/** Accounts of the program as the records of the wire (SPEC.md section 2). */
import {
  type Binding,
  type Circuit,
  type Credential,
  clauseFromMasks,
  type Pass,
  type RuleSet,
  type Verifier,
} from '@service/contract';
import type { AccountOf, Found } from '@service/protocol';
import { getBase16Decoder, type ReadonlyUint8Array, unwrapOption } from '@solana/kit';

/** The record of a rule set; `passFunds` in lamports, read live, because they change without the program. */
export function ruleSetRecordOf({ address, data }: Found<AccountOf<'ruleSet'>>, passFunds: bigint): RuleSet {
  const { creator, nonce, name, maxPassAgeSeconds } = data;
  const clauses = data.clauses.map(({ regionMask, statusMask, minAge }) =>
    clauseFromMasks({ regionMask: BigInt(`0x${hex(regionMask)}`), statusMask, minAge }),
  );
  return {
    address,
    creator,
    nonce,
    name,
    clauses,
    ruleHash: hex(data.ruleHash),
    maxPassAgeSeconds,
    passFunds,
  };
}

/** The record of a credential. */
export function credentialRecordOf({ address, data }: Found<AccountOf<'credential'>>): Credential {
  const { wallet, verifier, issuedAt, expiresAt, revoked } = data;
  return { address, wallet, verifier, commitment: hex(data.commitment), issuedAt, expiresAt, revoked };
}

/** The record of a pass. */
export function passRecordOf({ address, data }: Found<AccountOf<'pass'>>): Pass {
  const { rule, wallet, verifier, circuit, issuedAt, expiresAt } = data;
  return { address, rule, wallet, verifier, circuit, issuedAt, expiresAt };
}

/** The record of a mint binding. */
export function bindingRecordOf({ address, data }: Found<AccountOf<'mintBinding'>>): Binding {
  const { mint, rule, issuer, requireSource } = data;
  return { address, mint, rule, issuer, requireSource };
}

/** The record of a verifier. */
export function verifierRecordOf({ address, data }: Found<AccountOf<'verifier'>>): Verifier {
  const { authority, name, active } = data;
  return { address, authority, name, active };
}

/** The record of a circuit. */
export function circuitRecordOf({ address, data }: Found<AccountOf<'circuit'>>): Circuit {
  const { id, artifactsDigest, retiredAt } = data;
  return { address, id, artifactsDigest: hex(artifactsDigest), retiredAt: unwrapOption(retiredAt) };
}

function hex(bytes: ReadonlyUint8Array): string {
  return getBase16Decoder().decode(bytes);
}
