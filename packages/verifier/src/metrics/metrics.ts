/** Counters for the operator's monitoring. No label comes from a person or a visitor. */
import { Counter, Registry } from 'prom-client';

/** The counters of one verifier. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the counters in their own registry. */
export function createMetrics() {
  const registry = new Registry();
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `verifier_${name}`, help, labelNames, registers: [registry] });
  return {
    registry,
    decisions: counter('decisions_total', 'Decisions that changed, by the new state.', ['state']),
    credentials: counter('credentials_total', 'Credentials that were signed, by what the service said.', [
      'outcome',
    ]),
    messages: counter('messages_total', 'Attempts to send a message, by what the service said.', [
      'type',
      'outcome',
    ]),
    steps: counter('steps_total', 'Steps of the background work.', ['name', 'outcome']),
    rateLimited: counter('rate_limited_total', 'Requests that a rate limit rejected.', ['limit']),
  };
}
