/** Events: rows that webhooks deliver (SPEC.md section 6). */
export { startEventDelivery } from './delivery/deliver.ts';
export { startEventSweeper } from './sweep.ts';
