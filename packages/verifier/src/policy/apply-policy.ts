/** Applies the policy to the decision of a provider. */
import { regionIndexOf } from '@service/contract';
import { dateCodeAt, EligibilityError, parseBirthDate } from '@service/protocol/eligibility';
import type { Decision } from '../provider.ts';
import type { Policy } from './policy.ts';

const DAY_SECONDS = 86_400n;

/** What a credential attests. It exists only while the credential is signed. */
export interface Attested {
  readonly region: string;
  readonly status: string;
  /** YYYY-MM-DD. */
  readonly birthDate: string;
  readonly personId: string;
  /** Unix seconds. */
  readonly expiresAt: bigint;
}

/** Why an approved person gets no credential. A reason names a rule, never a value. */
export type Refusal =
  | 'sandbox'
  | 'flow'
  | 'region'
  | 'birth date'
  | 'document'
  | 'document expired'
  | 'person';

/** The facts around a decision. */
export interface PolicyContext {
  readonly policy: Policy;
  /** The flow that the decision must have. */
  readonly flow: string;
  /** Whether decisions of the provider's test environment count. */
  readonly allowSandbox: boolean;
  /** Unix seconds. */
  readonly now: bigint;
}

/** Returns what to attest of an approved person, or why nothing. Every field that is missing is a reason. */
export function applyPolicy(
  decision: Decision,
  { policy, flow, allowSandbox, now }: PolicyContext,
): { readonly attested: Attested } | { readonly refusal: Refusal } {
  if (decision.sandbox !== false && !allowSandbox) return { refusal: 'sandbox' };
  if (decision.flow !== flow) return { refusal: 'flow' };
  const region = regionOf(decision, policy);
  if (region === undefined || regionIndexOf(region) === undefined) return { refusal: 'region' };
  const { birthDate, documentType, documentExpires, personId } = decision;
  if (birthDate === undefined || !isPastDate(birthDate, now)) return { refusal: 'birth date' };
  if (documentType === undefined || !policy.documents.includes(documentType)) return { refusal: 'document' };
  const documentEnd = endOf(documentExpires);
  if (documentEnd === null || documentEnd <= now) return { refusal: 'document expired' };
  if (!personId) return { refusal: 'person' };
  const latest = now + BigInt(policy.credentialDays) * DAY_SECONDS;
  const expiresAt = documentEnd < latest ? documentEnd : latest;
  return { attested: { region, status: statusOf(decision, policy), birthDate, personId, expiresAt } };
}

function regionOf({ residence, nationality, documentCountry }: Decision, { region }: Policy) {
  return { residence, nationality, document: documentCountry }[region];
}

function statusOf({ tags }: Decision, { statusOfTag }: Policy): string {
  const found = Object.entries(statusOfTag).find(([tag]) => tags.includes(tag));
  return found?.[1] ?? 'retail';
}

/** Returns the end of a document's last day (UTC) in Unix seconds, or null for a missing or invalid date. */
function endOf(date: string | undefined): bigint | null {
  if (date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const start = Date.parse(`${date}T00:00:00Z`);
  // Date.parse accepts 2030-02-30 as the second of March.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== date) return null;
  return BigInt(start / 1000) + DAY_SECONDS;
}

/** Returns whether a text is a birth date that is not after now, which is in Unix seconds. */
export function isPastDate(text: string, now: bigint): boolean {
  try {
    return parseBirthDate(text) <= dateCodeAt(now);
  } catch (error) {
    if (error instanceof EligibilityError) return false;
    throw error;
  }
}
