/** Accounts of the program as the records of SPEC.md section 2, for client and server alike. A rule set's record also names regions and statuses, which the wire maps. */
import { getBase16Decoder, type ReadonlyUint8Array, unwrapOption } from '@solana/kit';
import type { AccountOf, Found } from './read.ts';

/** The record of a credential; times in Unix seconds, commitment 64 hex digits. */
export function credentialRecordOf({ address, data }: Found<AccountOf<'credential'>>) {
  const { wallet, verifier, issuedAt, expiresAt, revoked } = data;
  return { address, wallet, verifier, commitment: hexOf(data.commitment), issuedAt, expiresAt, revoked };
}

/** The record of a pass; times in Unix seconds. */
export function passRecordOf({ address, data }: Found<AccountOf<'pass'>>) {
  const { rule, wallet, verifier, circuit, issuedAt, expiresAt } = data;
  return { address, rule, wallet, verifier, circuit, issuedAt, expiresAt };
}

/** The record of a mint binding. */
export function bindingRecordOf({ address, data }: Found<AccountOf<'mintBinding'>>) {
  const { mint, rule, issuer, requireSource } = data;
  return { address, mint, rule, issuer, requireSource };
}

/** The record of a verifier. */
export function verifierRecordOf({ address, data }: Found<AccountOf<'verifier'>>) {
  const { authority, name, active } = data;
  return { address, authority, name, active };
}

/** The record of a circuit; retiredAt in Unix seconds, null while it is not retired. */
export function circuitRecordOf({ address, data }: Found<AccountOf<'circuit'>>) {
  const { id, artifactsDigest, retiredAt } = data;
  return { address, id, artifactsDigest: hexOf(artifactsDigest), retiredAt: unwrapOption(retiredAt) };
}

/** Bytes as lowercase hex digits, as records hold them. */
export function hexOf(bytes: ReadonlyUint8Array): string {
  return getBase16Decoder().decode(bytes);
}
