/** Delivers events as webhooks: at least once, in order for each wallet, each event until its receiver accepts it. */
import { type Background, startBackground } from '../../lib/background.ts';
import type { Service } from '../../service.ts';
import type { EventReceiver } from '../../settings.ts';
import { createReceiverOutage, type ReceiverOutage } from './outage.ts';
import { type LeasedEvent, leaseNext, makeDue, recordDelivered, recordFailed } from './queue.ts';
import { createReceiverLog, type ReceiverLog } from './receiver-log.ts';
import { sendWebhook } from './send.ts';

/** Events that a process delivers at once. Each is of another wallet. */
const DELIVERIES_AT_ONCE = 8;
/** Milliseconds after which a step ends, although events are due. A step has a time limit. */
const STEP_MS = 30_000;

/** Starts to deliver events. A receiver that does not respond delays only the deliveries, because they have their own steps. */
export function startEventDelivery(service: Service, receiver: EventReceiver): Background {
  const { log, clock } = service;
  const to: Delivery = {
    receiver,
    receiverLog: createReceiverLog(log, clock),
    outage: createReceiverOutage(clock),
  };
  let isStopping = false;
  const senders = Array.from({ length: DELIVERIES_AT_ONCE }, () =>
    startBackground(service, {
      name: 'event delivery',
      step: async (signal) => {
        const until = performance.now() + STEP_MS;
        const deliverNext = async () => {
          const event = await leaseNext(service.db, clock.now());
          if (event) await deliver(service, to, event, signal);
          return event !== null;
        };
        while (!isStopping && !signal.aborted && performance.now() < until) {
          if (!(await to.outage.attempt(deliverNext))) return;
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

/** Where events go, and what this process knows about it. */
interface Delivery {
  readonly receiver: EventReceiver;
  readonly receiverLog: ReceiverLog;
  readonly outage: ReceiverOutage;
}

async function deliver(
  service: Service,
  { receiver, receiverLog, outage }: Delivery,
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
    await recordDelivered(db, event, clock.now());
    return makeDue(db, outage.answered());
  }
  receiverLog.failed({ eventId: event.id, type: event.type, reason: result.reason });
  if (result.isOfEvent) {
    await recordFailed(db, event, { nowMs: clock.now(), isDown: false });
    return makeDue(db, outage.answered());
  }
  const isDown = outage.isDown();
  if (!isDown) outage.failed(event.id);
  return recordFailed(db, event, { nowMs: clock.now(), isDown });
}
