/** Waits, after all faults have ended, until the service has nothing left to do. */
import type { Journal } from '../load/journal.ts';
import type { Service } from '../load/send-request.ts';
import type { EventReceiver } from '../system/event-receiver.ts';
import { becomes } from '../wait.ts';
import { operationEvents } from './read-history.ts';

const QUEUE = /^service_credential_queue\{.*\} (\d+)$/gm;

/**
 * Resolves when every acknowledged operation is final and its event was received, and no credential work is queued; or after
 * `ms` milliseconds. Returns whether it became quiet.
 */
export async function waitUntilQuiet(
  { operations }: Journal,
  {
    over,
    metricsUrl,
    receiver,
    ms,
  }: { over: Service; metricsUrl: string; receiver: EventReceiver; ms: number },
): Promise<boolean> {
  let open = operations.filter(({ isAcknowledged }) => isAcknowledged);
  return becomes(
    async () => {
      const stillOpen: typeof open = [];
      for (const each of open) {
        const { body } = await each.client.operation(each.id, over);
        if (['QUEUED', 'SUBMITTED', 'UNRESOLVED'].includes(body.state)) stillOpen.push(each);
      }
      open = stillOpen;
      const metrics = await (await fetch(metricsUrl, { signal: AbortSignal.timeout(5_000) })).text();
      const queued = [...metrics.matchAll(QUEUE)];
      const received = new Set(operationEvents(receiver).map(({ operationId }) => operationId));
      const hasEvents = operations.every(({ id, isAcknowledged }) => !isAcknowledged || received.has(id));
      return (
        hasEvents && open.length === 0 && queued.length > 0 && queued.every(([, count]) => count === '0')
      );
    },
    { ms, everyMs: 300 },
  );
}
