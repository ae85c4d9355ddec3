/** The reasons why a proof would not open a pass. Each function checks one condition of the program. */
import type { Witness } from '@service/contract';
import {
  clauseMasksOf,
  hexOf,
  isSuspended,
  passFeeAt,
  passRenewableAt,
  proofFeeAt,
  type Renewal,
} from '@service/protocol';
import { dateCodeAt } from '@service/protocol/eligibility/date-code';
import { bytesToField } from '@service/protocol/eligibility/field';
import { type Address, unwrapOption } from '@solana/kit';
import { loadProver } from '../eligibility/load-prover.ts';
import { hasPlace, placeForProof } from '../eligibility/places.ts';
import { attributesOf } from '../eligibility/witness.ts';
import { isServiceError } from '../errors.ts';
import type { Chain } from '../rpc/chain.ts';
import type { CheckProofRequest, ProofCheckReason } from './proof-check-types.ts';
import type { PassState, ProofState } from './proof-state.ts';

export type Reason<C extends ProofCheckReason['code']> = Extract<ProofCheckReason, { readonly code: C }>;
export type PauseReason = Reason<'PROTOCOL_PAUSED'>;
export type FeeReason = Reason<'PASS_FEE_UNSET' | 'PASS_FEE_ABOVE_LIMIT' | 'PASS_FEE_UNFUNDED'>;
export type RenewalReason = Reason<'PASS_SUSPENDED' | 'PASS_RENEWAL_TOO_EARLY'>;
export type VerifierReason = Reason<'VERIFIER_NOT_ACCEPTED'>;

export function reasonsOfCredential({ credential, verifier, chainTime }: ProofState): ProofCheckReason[] {
  if (!credential) return [{ code: 'CREDENTIAL_REQUIRED', who: 'holder', revoked: false }];
  const { revoked, expiresAt } = credential.data;
  return [
    ...(revoked ? [{ code: 'CREDENTIAL_REQUIRED', who: 'verifier', revoked: true } as const] : []),
    ...(expiresAt <= chainTime ? [{ code: 'CREDENTIAL_EXPIRED', who: 'holder', expiresAt } as const] : []),
    ...(verifier?.data.active
      ? []
      : [{ code: 'VERIFIER_INACTIVE', who: 'operator', verifier: credential.data.verifier } as const]),
  ];
}

export function reasonsOfVerifier({ credential, ruleSet }: PassState): VerifierReason[] {
  const verifier = ruleSet && unwrapOption(ruleSet.data.verifier);
  if (!verifier || !credential || credential.data.verifier === verifier) return [];
  return [{ code: 'VERIFIER_NOT_ACCEPTED', who: 'holder', verifier }];
}

export function reasonsOfCircuit({ circuit, chainTime }: ProofState): ProofCheckReason[] {
  if (!circuit) return [{ code: 'CIRCUIT_MISMATCH', who: 'operator' }];
  const retiredAt = unwrapOption(circuit.data.retiredAt);
  if (circuit.data.unsound) return [{ code: 'CIRCUIT_RETIRED', who: 'operator', retiredAt: null }];
  if (retiredAt === null || retiredAt > chainTime) return [];
  return [{ code: 'CIRCUIT_RETIRED', who: 'operator', retiredAt }];
}

export function reasonsOfPause({ config }: PassState): PauseReason[] {
  return config?.data.paused ? [{ code: 'PROTOCOL_PAUSED', who: 'operator' }] : [];
}

/** Returns the fee of the proof in lamports; null while governance has not set it. */
export function feeOf(state: PassState): bigint | null {
  const renewal = renewalOf(state);
  if (renewal) return proofFeeAt(renewal, state.chainTime);
  return state.config && passFeeAt(state.config.data, state.chainTime);
}

export function reasonsOfFee(state: PassState): FeeReason[] {
  const { ruleSet, passFunds } = state;
  const fee = feeOf(state);
  if (fee === null) return [{ code: 'PASS_FEE_UNSET', who: 'operator' }];
  if (!ruleSet) return [];
  const { maxPassFee } = ruleSet.data;
  if (fee > maxPassFee) return [{ code: 'PASS_FEE_ABOVE_LIMIT', who: 'issuer', maxPassFee }];
  if (passFunds >= fee) return [];
  return [{ code: 'PASS_FEE_UNFUNDED', who: 'issuer', missingLamports: fee - passFunds }];
}

export function reasonsOfRenewal(state: PassState): RenewalReason[] {
  const { pass, chainTime } = state;
  if (pass && isSuspended(pass.data, chainTime))
    return [{ code: 'PASS_SUSPENDED', who: 'issuer', suspendedUntil: pass.data.suspendedUntil }];
  const renewal = renewalOf(state);
  const renewableAt = renewal ? passRenewableAt(renewal) : 0n;
  const secondsLeft = renewableAt - chainTime;
  if (secondsLeft <= 0n) return [];
  return [{ code: 'PASS_RENEWAL_TOO_EARLY', who: 'holder', renewableAt, secondsLeft }];
}

function renewalOf({ config, pass, ruleSet, credential }: PassState): Renewal | null {
  if (!ruleSet || !credential) return null;
  return { config, pass: pass?.data, ruleSet: ruleSet.data, credential: credential.data };
}

export function reasonsOfExpiry(
  expiresAt: bigint | undefined,
  latest: bigint | null,
  chainTime: bigint,
): ProofCheckReason[] {
  if (expiresAt === undefined || latest === null) return [];
  if (typeof expiresAt === 'bigint' && expiresAt > chainTime && expiresAt <= latest) return [];
  return [{ code: 'PASS_EXPIRY_INVALID', who: 'holder', latest }];
}

export async function reasonsOfWitness(
  { credential, ruleSet, chainTime }: ProofState,
  { witness, wallet }: { witness: Witness; wallet: Address },
): Promise<ProofCheckReason[]> {
  if (!credential || !ruleSet) return [];
  if (witness.wallet !== wallet) return [{ code: 'WITNESS_INVALID', who: 'holder' }];
  // The prover's chunk contains Poseidon. Load it only if there is a witness.
  const { unmetClauses } = await loadProver();
  try {
    const clauses = unmetClauses(attributesOf(witness), {
      commitment: bytesToField(new Uint8Array(credential.data.commitment)),
      clauses: clauseMasksOf(ruleSet.data),
      asOf: dateCodeAt(chainTime),
    });
    if (clauses === null) return [];
    return clauses === 'unrelated'
      ? [{ code: 'WITNESS_INVALID', who: 'holder' }]
      : [{ code: 'NOT_ELIGIBLE', who: 'holder', clauses }];
  } catch (error) {
    if (isServiceError(error, 'WITNESS_INVALID')) return [{ code: 'WITNESS_INVALID', who: 'holder' }];
    throw error;
  }
}

/** Who can act if a proof cannot take a place. */
const PLACE_REASONS = {
  NO_PLACE_FREE: 'holder',
  PLACE_NOT_IN_RULE_SET: 'holder',
  PLACE_NOT_HELD: 'holder',
  PLACE_TAKEN_TOO_SOON: 'holder',
  PLACE_HELD_BY_SUSPENDED: 'issuer',
} as const satisfies { readonly [C in ProofCheckReason['code']]?: Reason<C>['who'] };

/** Reads the places of the person, if the rule set limits its wallets. The witness must be that of the credential. */
export async function reasonsOfPlace(
  chain: Chain,
  { credential, ruleSet, chainTime }: ProofState,
  { rule, witness, wallet, replaces }: CheckProofRequest & { witness: Witness; wallet: Address },
  signal: AbortSignal | undefined,
): Promise<ProofCheckReason[]> {
  if (!credential || !ruleSet) return [];
  const query = { rule, count: ruleSet.data.walletsPerPerson, witness, wallet };
  if (replaces === undefined) {
    if (query.count === 0 || (await hasPlace(chain, query, signal))) return [];
    return [{ code: 'NO_PLACE_FREE', who: 'holder' }];
  }
  const commitment = hexOf(new Uint8Array(credential.data.commitment));
  try {
    await placeForProof(chain, { ...query, commitment, replaces, chainTime }, signal);
    return [];
  } catch (error) {
    for (const [code, who] of Object.entries(PLACE_REASONS)) {
      if (isServiceError(error, code as keyof typeof PLACE_REASONS))
        return [{ code, who } as ProofCheckReason];
    }
    throw error;
  }
}
