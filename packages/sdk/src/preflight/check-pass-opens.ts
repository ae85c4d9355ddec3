/** Rejects a proof early, if the program would certainly refuse its pass. */
import { ERROR_CODES } from '@service/contract/errors';
import { NEVER } from '@service/protocol';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { type SessionOnChain, sessionWallet } from '../session/session.ts';
import {
  type FeeReason,
  type PauseReason,
  type RenewalReason,
  reasonsOfFee,
  reasonsOfPause,
  reasonsOfRenewal,
  reasonsOfVerifier,
  type VerifierReason,
} from './proof-reasons.ts';
import { type PassState, readPassState } from './proof-state.ts';

/**
 * Checks the conditions that do not depend on the proof, before the proof is made and before the wallet is asked.
 *
 * @throws ServiceError PROTOCOL_PAUSED, VERIFIER_NOT_ACCEPTED, PASS_FEE_UNSET, PASS_FEE_ABOVE_LIMIT, PASS_FEE_UNFUNDED,
 *   PASS_SUSPENDED, PASS_RENEWAL_TOO_EARLY
 */
export async function checkPassOpens(
  state: SessionOnChain,
  rule: Address,
  signal: AbortSignal | undefined,
): Promise<void> {
  const wallet = await sessionWallet(state.session, signal);
  checkOpens(await readPassState(state.chain, { rule, wallet }, signal));
}

/** Checks what was read. Throws what {@link checkPassOpens} throws. */
export function checkOpens(facts: PassState): void {
  const [reason] = [
    ...reasonsOfPause(facts),
    ...reasonsOfVerifier(facts),
    ...reasonsOfFee(facts),
    ...reasonsOfRenewal(facts),
  ];
  if (!reason) return;
  throw new ServiceError(reason.code, {
    message: `${refusalOf(reason)} Nothing was signed. Call client.checkProof({ rule }) to see this in advance.`,
    context: reason.code === 'PASS_RENEWAL_TOO_EARLY' ? { renewableAt: reason.renewableAt } : {},
  });
}

function refusalOf(reason: FeeReason | RenewalReason | PauseReason | VerifierReason): string {
  switch (reason.code) {
    case 'PASS_FEE_ABOVE_LIMIT':
      return `The rule set pays a pass fee of at most ${reason.maxPassFee} lamports. Its creator agrees to the fee with setMaxPassFee.`;
    case 'PASS_FEE_UNFUNDED':
      return `The pass funds of the rule set are ${reason.missingLamports} lamports below the pass fee. Add to them with fundRuleSet.`;
    case 'PASS_SUSPENDED':
      return `The creator of the rule set suspended the pass until ${reason.suspendedUntil === NEVER ? 'the creator lifts it' : `${reason.suspendedUntil} (Unix seconds)`}. Ask the creator.`;
    case 'VERIFIER_NOT_ACCEPTED':
      return `The rule set accepts only credentials of the verifier ${reason.verifier}. Verify there.`;
    case 'PASS_RENEWAL_TOO_EARLY':
      return `The pass cannot be renewed yet. Wait until ${reason.renewableAt} (Unix seconds), ${reason.secondsLeft} seconds from now.`;
    default:
      return ERROR_CODES[reason.code].meaning;
  }
}
