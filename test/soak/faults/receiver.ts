/** Faults of the receiver of events. */
import { RECEIVER_FAULTS } from '../system/event-receiver.ts';
import { during, type FaultKind } from './fault.ts';

/** The faults that rounds contain. */
export const receiverFaults: readonly FaultKind[] = RECEIVER_FAULTS.map((fault) => ({
  name: `receiver: ${fault}`,
  area: 'receiver',
  hindersMs: null,
  inject: ({ receiver }, { ms }) =>
    during(
      ms,
      () => receiver.fail(fault),
      () => receiver.fail(null),
    ),
}));
