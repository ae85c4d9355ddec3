/** Accounts of the program as the records of SPEC.md section 2, for client and server alike. */
import { CREATOR_POWERS } from '@service/contract/creator-powers';
import { type Address, unwrapOption } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../addresses.ts';
import type { ClauseMasks } from '../eligibility/clause.ts';
import { bytesToField } from '../eligibility/field.ts';
import { hexOf } from '../hex.ts';
import { isEnded } from './governance.ts';
import type { AccountOf, Found } from './read.ts';

/** Returns the record of a credential; times in Unix seconds, commitment 64 hex digits. */
export function credentialRecordOf({ address, data }: Found<AccountOf<'credential'>>) {
  const { wallet, verifier, issuedAt, expiresAt, revoked } = data;
  return { address, wallet, verifier, commitment: hexOf(data.commitment), issuedAt, expiresAt, revoked };
}

/** Returns the record of a pass under a configuration; times in Unix seconds. */
export function passRecordOf(
  { address, data }: Found<AccountOf<'pass'>>,
  config: Found<AccountOf<'config'>> | null | undefined,
) {
  const { rule, wallet, verifier, circuit, issuedAt, expiresAt, suspendedUntil, granted } = data;
  const ended = isEnded(data, config);
  return { address, rule, wallet, verifier, circuit, issuedAt, expiresAt, ended, suspendedUntil, granted };
}

/** Returns the record of a mint binding. */
export function bindingRecordOf({ address, data }: Found<AccountOf<'mintBinding'>>) {
  const { mint, rule, issuer, requireSource, honoursGranted, readsCredential, nextRuleFrom } = data;
  return {
    address,
    mint,
    rule,
    issuer,
    requireSource,
    honoursGranted,
    readsCredential,
    nominee: optional(data.nominee),
    nextRule: optional(data.nextRule),
    nextRuleFrom,
  };
}

/** Returns an address, or null for zeros. */
const optional = (address: Address) => (address === SYSTEM_PROGRAM ? null : address);

/** Returns the record of a verifier. */
export function verifierRecordOf({ address, data }: Found<AccountOf<'verifier'>>) {
  const { authority, name, active } = data;
  return { address, authority, name, active };
}

/** Returns the record of a circuit; retiredAt in Unix seconds, null while it is not retired. */
export function circuitRecordOf({ address, data }: Found<AccountOf<'circuit'>>) {
  const { id, artifactsDigest, retiredAt } = data;
  return { address, id, artifactsDigest: hexOf(artifactsDigest), retiredAt: unwrapOption(retiredAt) };
}

/**
 * Returns the record of a rule set; passFunds in lamports, from `passFundsOf`. `clauseOf` returns the names of the regions
 * and statuses of a clause's masks, as the wire has them.
 */
export function ruleSetRecordOf<Clause>(
  { address, data }: Found<AccountOf<'ruleSet'>>,
  { passFunds, clauseOf }: { passFunds: bigint; clauseOf: (masks: ClauseMasks) => Clause },
) {
  const { creator, nonce, name, maxPassAgeSeconds, maxPassFee } = data;
  const clauses = clauseMasksOf(data).map(clauseOf);
  return {
    address,
    creator,
    nonce,
    name,
    clauses,
    ruleHash: hexOf(data.ruleHash),
    maxPassAgeSeconds,
    passFunds,
    maxPassFee,
    powers: CREATOR_POWERS.filter((_, bit) => data.powers & (1 << bit)),
    verifier: unwrapOption(data.verifier),
    walletsPerPerson: data.walletsPerPerson,
  };
}

/** Returns the clauses of a rule set as masks, including bits without a name. The rule hash is computed from these. */
export function clauseMasksOf({ clauses }: AccountOf<'ruleSet'>): ClauseMasks[] {
  return clauses.map(({ regionMask, statusMask, minAge }) => ({
    regionMask: bytesToField(new Uint8Array(regionMask)),
    statusMask,
    minAge,
  }));
}

/** Returns the pass funds of a rule set in lamports: those above the rent of its size and its fees. */
export function passFundsOf({ lamports, data }: Found<AccountOf<'ruleSet'>>, rentLamports: bigint): bigint {
  return aboveRent(lamports, rentLamports + data.fees);
}

/** Returns the lamports of an account above the rent of its size, such as the fees of the treasury. */
export function aboveRent(lamports: bigint, rentLamports: bigint): bigint {
  return lamports > rentLamports ? lamports - rentLamports : 0n;
}
