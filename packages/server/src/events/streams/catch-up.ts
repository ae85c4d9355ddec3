/** Sends events to one stream: the older ones at the pace of its reader, and then the new ones with all other streams. */
import type { Service } from '../../service.ts';
import { eventJson, placeId, type RecordedEvent, readEvents } from '../record.ts';
import { endWithSessions } from './sessions.ts';
import type { EventStream } from './stream.ts';

/** Events that one query reads for one stream. They stay in memory while the reader is slow. */
export const CATCH_UP_PAGE = 100;
const WORK = 'reading older events';

/** Where a stream catches up from, and to. */
export interface CatchUp {
  /** The stream has every event of its audience up to this position. */
  readonly from: bigint;
  /** Returns the position up to which the other streams have every event. */
  target(): bigint;
}

/** Sends events as the reader takes them, until the stream has what the others have. Cuts the stream if the database fails. */
export async function catchUp(
  service: Pick<Service, 'db' | 'clock' | 'outages'>,
  stream: EventStream,
  { from, target }: CatchUp,
): Promise<void> {
  const { wallet } = stream.audience;
  stream.position = null;
  try {
    for (let position = from; stream.isOpen; ) {
      const goal = target();
      const events = await readEvents(service.db, { after: position, wallet, limit: CATCH_UP_PAGE });
      if (events.length > 0) await endWithSessions(service, [stream]);
      service.outages.worked(WORK);
      for (const event of events) {
        await stream.room();
        stream.send(messageOf(event));
      }
      position = events.at(-1)?.position ?? position;
      // The query was later than the poll that reached the goal, so the stream has every event up to the goal too.
      if (events.length < CATCH_UP_PAGE && goal === target()) {
        stream.position = position;
        return;
      }
    }
  } catch (error) {
    // A stream that has ended does not need the events.
    if (stream.isOpen) service.outages.failed(WORK, error);
    stream.cut();
  }
}

/**
 * Sends new events to a stream, unless it catches up. If there is no room for an event, it returns the position from which
 * the stream must catch up. Otherwise it returns null.
 */
export function sendNew(stream: EventStream, events: readonly RecordedEvent[]): bigint | null {
  const { wallet } = stream.audience;
  for (const event of events) {
    if (stream.position === null || event.position <= stream.position) continue;
    if (wallet === null || wallet === event.wallet) {
      if (!stream.hasRoom) return stream.position;
      stream.send(messageOf(event));
    }
    stream.position = event.position;
  }
  return null;
}

function messageOf(event: RecordedEvent): string {
  return `id: ${placeId(event)}\nevent: ${event.type}\ndata: ${eventJson(event)}\n\n`;
}
