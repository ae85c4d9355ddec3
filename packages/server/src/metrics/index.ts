/** Metrics for the operator, in Prometheus' form. */
export { listenMetrics } from './listen-metrics.ts';
export { createMetrics, type Metrics } from './metrics.ts';
