/** Limits the streams that are open in a process. */
import { EVENT_STREAMS } from '@service/contract';
import type { Audience, EventStream, Visitor } from './stream.ts';

/** Returns whether one more stream would exceed a limit. The backend has its own, so that visitors cannot keep it out. */
export function isFull(open: Iterable<EventStream>, audience: Audience): boolean {
  const audiences = [...open].map((stream) => stream.audience);
  const visitors = audiences.filter((each) => each.wallet !== null);
  if (audience.wallet === null) return audiences.length - visitors.length >= EVENT_STREAMS.backend;
  const sharing = (field: keyof Visitor) =>
    visitors.filter((visitor) => visitor[field] === audience[field]).length;
  return (
    visitors.length >= EVENT_STREAMS.all ||
    sharing('wallet') >= EVENT_STREAMS.wallet ||
    sharing('address') >= EVENT_STREAMS.address
  );
}
