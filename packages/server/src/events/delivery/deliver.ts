/** Delivers events as webhooks: at least once, in order for each wallet, each event until its receiver accepts it. */
import { type Background, startBackground } from '../../lib/background.ts';
import type { Service } from '../../service.ts';
import type { EventReceiver } from '../../settings.ts';
import { type LeasedEvent, leaseNext, recordDelivered, recordFailed } from './queue.ts';
import { createReceiverLog, type ReceiverLog } from './receiver-log.ts';
import { sendWebhook } from './send.ts';

/** Events that a process delivers at once. Each is of another wallet. */
const DELIVERIES_AT_ONCE = 8;
/** Milliseconds after which a step ends, although events are due. A step has a time limit. */
const STEP_MS = 30_000;

/** Starts to deliver events. A receiver that does not respond delays only the deliveries, because they have their own steps. */
export function startEventDelivery(service: Service, receiver: EventReceiver): Background {
  const receiverLog = createReceiverLog(service.log, service.clock);
  let isStopping = false;
  const senders = Array.from({ length: DELIVERIES_AT_ONCE }, () =>
    startBackground(service, {
      name: 'event delivery',
      step: async (signal) => {
        const until = performance.now() + STEP_MS;
        while (!isStopping && !signal.aborted && performance.now() < until) {
          const event = await leaseNext(service.db, service.clock.now());
          if (!event) return;
          await deliver(service, { receiver, receiverLog }, event, signal);
        }
      },
    }),
  );
  return {
    async tick() {
      await Promise.all(senders.map((sender) => sender.tick()));
    },
    async stop() {
      isStopping = true;
      await Promise.all(senders.map((sender) => sender.stop()));
    },
  };
}

async function deliver(
  service: Service,
  { receiver, receiverLog }: { receiver: EventReceiver; receiverLog: ReceiverLog },
  event: LeasedEvent,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, metrics } = service;
  const result = await sendWebhook(service, receiver, event, signal);
  // The shutdown ended the request, so the receiver has not failed. The lease expires on its own.
  if (!result.ok && signal.aborted) return;
  metrics.countDelivery(result.ok ? 'delivered' : 'failed');
  if (result.ok) {
    receiverLog.accepted();
    return recordDelivered(db, event, clock.now());
  }
  receiverLog.failed({ eventId: event.id, type: event.type, reason: result.reason });
  return recordFailed(db, event, clock.now());
}
