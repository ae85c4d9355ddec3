/** What the configuration needs to know about an adapter. */
import type { VariablesSchema } from '@service/configuration';
import type * as z from 'zod/mini';
import type { Policy } from '../policy/policy.ts';
import type { Provider } from '../provider.ts';

/** What the verifier gives to every adapter. */
export interface ProviderContext {
  /** The verifier's own origin. */
  readonly origin: string;
  /** The policy, for a provider whose own pages show what it accepts. @default none */
  readonly policy?: Policy;
  /** Calls the provider's API. @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** Unix milliseconds. @default the clock of this machine */
  readonly now?: () => number;
}

/** An adapter that the configuration can choose by name. */
export interface ProviderKind<S extends VariablesSchema = VariablesSchema> {
  /** The adapter's own variables, such as its API key. */
  readonly variables: S;
  /** Creates the adapter. */
  create(values: z.output<S>, context: ProviderContext): Provider;
}

/** Checks the types of an adapter. */
export function providerKind<S extends VariablesSchema>(kind: ProviderKind<S>): ProviderKind<S> {
  return kind;
}
