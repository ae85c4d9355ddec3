/** Events: rows that webhooks deliver and streams show (SPEC.md section 6). */
import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';

export { startEventDelivery } from './delivery/deliver.ts';
export { EventStreams } from './streams/event-streams.ts';
export { registerEventStreams } from './streams/route.ts';
export { startEventSweeper } from './sweep.ts';

/** Milliseconds between two polls for new events at most, and between two steps of the heartbeats. */
const POLL_MS = 1_000;

/** Starts to serve the open streams. Heartbeats have their own steps, so that a slow database does not delay them. */
export function startEventStreams(service: Service): Background {
  const { pollIntervalMs } = service.settings;
  const works = [
    startBackground(service, {
      name: 'event streams',
      intervalMs: pollIntervalMs === 'manual' ? 'manual' : Math.min(pollIntervalMs, POLL_MS),
      step: () => service.streams.poll(),
    }),
    startBackground(service, {
      name: 'event heartbeats',
      intervalMs: POLL_MS,
      step: () => service.streams.beat(),
    }),
  ];
  return {
    async tick() {
      for (const work of works) await work.tick();
    },
    async stop() {
      await Promise.all(works.map((work) => work.stop()));
    },
  };
}
