/** The open event streams of a process, as the rest of the service sees them. */
import type { Audience, EventStream } from './stream.ts';

/** A request for a stream. `after` is the id of an event, `oldest`, or null for new events only. */
export interface StreamRequest {
  readonly audience: Audience;
  readonly after: string | null;
}

/** The open streams. */
export interface OpenStreams {
  /** Opens a stream. @throws ServiceFault RATE_LIMITED if too many are open, UNAVAILABLE if the service is closing */
  open(request: StreamRequest): Promise<EventStream>;
  /** Reads the new events, and sends each to the streams that it is for. A stream without room gets them later. */
  poll(): Promise<void>;
  /** Keeps connections open, cuts the streams that nobody reads, and ends those of sessions that have ended. */
  beat(): Promise<void>;
  /** Ends all streams, and opens no more. */
  close(): void;
}
