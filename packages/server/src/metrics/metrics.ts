/** Counters for the operator. No label contains a wallet, an address or an id: every label value is from a fixed list. */

import { ERROR_CODES, errorCodesOf, ROUTES, type RouteName } from '@service/contract';
import { Counter, Histogram, Registry } from 'prom-client';
import type { RequestFacts } from '../http/app.ts';
import { RATE_LIMITS } from '../http/rate-limits.ts';
import { CALLED_METHODS } from '../rpc/answers.ts';
import type { RpcCall } from '../rpc/watched-rpc.ts';

/** Counters of one service. */
export type Metrics = ReturnType<typeof createMetrics>;

const DELIVERY_RESULTS = ['delivered', 'failed', 'dropped'] as const;
type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

/** Buckets from a database read to a wait for a proof or the chain. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Creates the counters of a service, all at zero. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, labelNames: readonly L[], help: string) =>
    new Counter({ name, help, labelNames, registers });
  const durations = <L extends string>(name: string, labelNames: readonly L[], help: string) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
  const requests = counter(
    'service_http_requests_total',
    ['route', 'status', 'code'],
    'Completed requests, by route of the contract (none: unknown path), HTTP status and error code (none: no error).',
  );
  const requestDurations = durations(
    'service_http_request_duration_seconds',
    ['route'],
    'Seconds from a request to its response, by route.',
  );
  const limited = counter(
    'service_rate_limited_total',
    ['limit'],
    'Requests that a rate limit rejected, by limit.',
  );
  const steps = counter(
    'service_background_steps_total',
    ['work', 'result'],
    'Steps of background work, by work and result (ok, failed).',
  );
  const results = counter(
    'service_operation_results_total',
    ['state'],
    'Operations that this process brought to their final result (FINALIZED, FAILED).',
  );
  const calls = counter(
    'service_rpc_calls_total',
    ['rpc', 'method', 'result'],
    'Calls to an RPC, by RPC, method and result (ok, failed: no response, rejected: an error).',
  );
  const callDurations = durations(
    'service_rpc_call_duration_seconds',
    ['rpc'],
    'Seconds from a call to an RPC to its result, by RPC.',
  );
  const deliveries = counter(
    'service_event_deliveries_total',
    ['result'],
    'Deliveries of events that the receiver accepted (delivered) or not (failed), and events that were deleted undelivered (dropped).',
  );
  // A rate of a counter that does not exist yet misses its first increase.
  for (const limit of Object.keys(RATE_LIMITS)) limited.inc({ limit }, 0);
  for (const state of ['FINALIZED', 'FAILED']) results.inc({ state }, 0);
  for (const route of Object.keys(ROUTES) as RouteName[]) {
    requests.inc({ route, status: 200, code: 'none' }, 0);
    for (const code of errorCodesOf(route))
      requests.inc({ route, status: ERROR_CODES[code].status, code }, 0);
  }
  for (const result of DELIVERY_RESULTS) deliveries.inc({ result }, 0);
  return {
    /** The registry, which prints all metrics in the Prometheus format. */
    registry,
    /** Counts a completed request. */
    countRequest({ status, milliseconds, ...facts }: RequestFacts): void {
      const { route = 'none', code = 'none' } = facts;
      requests.inc({ route, status, code });
      requestDurations.observe({ route }, milliseconds / 1_000);
    },
    /** Counts a request that a rate limit rejected. `limit` is a name in RATE_LIMITS. */
    countRateLimited: (limit: string): void => limited.inc({ limit }),
    /** Begins to count the steps of background work. */
    startSteps(work: string): void {
      for (const result of ['ok', 'failed']) steps.inc({ work, result }, 0);
    },
    /** Counts a step of background work. */
    countStep: (work: string, result: 'ok' | 'failed'): void => steps.inc({ work, result }),
    /** Returns the counter of calls to an RPC: `main`, or `other` and its number. */
    countCall(rpc: string) {
      for (const method of CALLED_METHODS)
        for (const result of ['ok', 'failed', 'rejected']) calls.inc({ rpc, method, result }, 0);
      return ({ method, result, milliseconds }: RpcCall): void => {
        calls.inc({ rpc, method, result });
        callDurations.observe({ rpc }, milliseconds / 1_000);
      };
    },
    /** Counts an operation that reached its final result. */
    countResult: (state: 'FINALIZED' | 'FAILED'): void => results.inc({ state }),
    /** Counts a delivery of an event, or an event that was deleted undelivered. */
    countDelivery: (result: DeliveryResult): void => deliveries.inc({ result }),
  };
}
