/** An identity provider, which checks people and decides about them. Each provider has an adapter in `providers`. */
import type { Hono } from 'hono';

/** An adapter of an identity provider. */
export interface Provider {
  /** The name in the configuration, in the database and in the audit trail, such as `sumsub`. */
  readonly name: string;
  /**
   * Where the provider's pages are, as `https://host` or `https://*.host`. The verifier sends a person nowhere else.
   */
  readonly origins: readonly string[];
  /** The level or workflow that a decision must have. Decisions of another one are rejected. */
  readonly flow: string;
  /** Seconds after which the verifier reads a decision again, in case a webhook was lost. @default a day */
  readonly recheckSeconds?: number;
  /**
   * Starts a check of one person.
   *
   * @returns the id under which the provider's webhooks and `decision` know the check, and the page for the person
   * @throws ProviderError
   */
  start(check: StartedCheck): Promise<{ readonly id: string; readonly url: string }>;
  /**
   * Authenticates a webhook by the provider's signature over the raw bytes. The verifier uses only the id of the check, and
   * then reads the decision from the API.
   *
   * @param now Unix milliseconds
   * @returns the id of a check, or null for an authentic webhook about something else
   * @throws WebhookError if it is not authentic
   */
  readWebhook(body: Uint8Array, headers: Headers, now: number): Promise<string | null>;
  /** Reads the decision about a check from the provider's API. @throws ProviderError */
  decision(id: string): Promise<Decision>;
  /**
   * Creates the pages that the verifier hosts for this provider, below `/provider`. They call `decisionChanged` with the id of
   * a check whose decision has changed.
   *
   * @default none
   */
  pages?(decisionChanged: (id: string) => Promise<void>): Hono;
}

/** What a provider gets to know about a check. */
export interface StartedCheck {
  /** A random UUID, new for each check. It is the only name of the person that the provider gets. */
  readonly reference: string;
  /** The page of the verifier to which the provider sends the person afterwards. Its parameters are ignored. */
  readonly returnUrl: string;
}

/**
 * The decision about a check.
 *
 * - `pending`: the person has not finished, or the provider has not decided yet. A review can take days.
 * - `approved`: every field that the policy needs must be there.
 * - `declined`: the provider does not accept the person, or has taken an approval back. Credentials are revoked.
 * - `retry`: the person can repeat the check. If the provider had approved the person before, credentials are revoked, too.
 */
export interface Decision {
  readonly state: 'pending' | 'approved' | 'declined' | 'retry';
  /** Whether a test environment of the provider decided. Such decisions are rejected outside development. */
  readonly sandbox: boolean;
  /** The level or workflow of the check. */
  readonly flow: string;
  /**
   * When the provider last changed the decision, in Unix milliseconds, or when the reading began if the provider does not say.
   * An older decision never replaces a newer one.
   */
  readonly updatedAt: number;
  /** A date as YYYY-MM-DD. */
  readonly birthDate?: string;
  /** ISO 3166-1 alpha-2 codes. `countryCode` converts other forms. */
  readonly nationality?: string;
  /** The country of residence, only if the provider checked a proof of address. */
  readonly residence?: string;
  readonly documentCountry?: string;
  readonly documentType?: DocumentType;
  /** The last day of the document, as YYYY-MM-DD. */
  readonly documentExpires?: string;
  /**
   * What recognizes the same person in a later check with another reference, such as country, kind and number of the
   * document. It is never stored: the verifier stores only a keyed hash.
   */
  readonly personId?: string;
  /** Labels that the provider or an operator gave to the person. The policy can read a status from them. */
  readonly tags: readonly string[];
}

/** The kinds of identity documents. */
export const DOCUMENT_TYPES = ['passport', 'identity-card', 'driving-licence', 'residence-permit'] as const;
/** A kind of identity document. */
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** A webhook is not from the provider. Its message says why, and contains nothing from the webhook. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** The provider did not respond, or its response makes no sense. Its message contains nothing from the response. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
}
