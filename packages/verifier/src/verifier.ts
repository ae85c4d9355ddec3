/** The parts that all of a verifier shares. They are built once at start and passed explicitly. */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Schema } from './database/schema.ts';
import type { AttestationKey, PersonKey } from './keys/keys.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Policy } from './policy/policy.ts';
import type { Provider } from './provider.ts';
import type { SignedFor, Site } from './sites/agreed-sites.ts';

/** What an operator decides. */
export interface Settings extends SignedFor {
  /** The origin of the verifier's own pages. */
  readonly origin: string;
  readonly sites: readonly Site[];
  readonly policy: Policy;
  /** Whether decisions of the provider's test environment count. Only for development. */
  readonly allowSandbox: boolean;
}

/** The parts of a verifier. */
export interface Verifier {
  readonly settings: Settings;
  readonly db: Kysely<Schema>;
  /** Unix milliseconds. Tests move it. */
  readonly clock: { now(): number };
  readonly provider: Provider;
  readonly attestationKey: AttestationKey;
  readonly personKey: PersonKey;
  /** Sends messages to services. */
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds before each retry of a report, while the person waits. */
  readonly reportRetryMs: readonly number[];
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Runs the background work now, instead of at its next interval. */
  wake(): void;
}
