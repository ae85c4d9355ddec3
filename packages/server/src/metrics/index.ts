/** Metrics for the operator, in the Prometheus format. */
export { listenMetrics } from './listen-metrics.ts';
export { createMetrics, type Metrics } from './metrics.ts';
