/** Ends the streams of sessions that have ended. */
import { endedSessions } from '../../auth/session.ts';
import type { Service } from '../../service.ts';
import type { EventStream } from './stream.ts';

/** Ends each of these streams whose session has ended, for example because its wallet signed out. */
export async function endWithSessions(
  service: Pick<Service, 'db' | 'clock'>,
  streams: readonly EventStream[],
): Promise<void> {
  const hashes = streams.flatMap(({ audience }) => (audience.wallet === null ? [] : [audience.session]));
  if (hashes.length === 0) return;
  const ended = await endedSessions(service, [...new Set(hashes)]);
  for (const stream of streams) {
    if (stream.audience.wallet !== null && ended.has(stream.audience.session)) stream.end();
  }
}
