/** All open event streams of a process. One query for each poll serves all of them. */
import { ServiceFault } from '../../http/failures/fault.ts';
import type { Service } from '../../service.ts';
import { type EventPlace, newestPlace, OLDEST, placeId, placeOf, readEvents } from '../record.ts';
import { catchUp, sendNew } from './catch-up.ts';
import { isFull } from './limits.ts';
import type { OpenStreams, StreamRequest } from './open-streams.ts';
import { endWithSessions } from './sessions.ts';
import { type Audience, EventStream } from './stream.ts';

/** Milliseconds between two beats of the open streams. */
export const HEARTBEAT_MS = 15_000;
/** Milliseconds after which a reader should reconnect. */
const RETRY_MS = 3_000;
/** Events that one query reads for all streams. */
const PAGE = 500;

type Parts = Pick<Service, 'db' | 'clock' | 'log' | 'metrics' | 'outages'>;

/** The open streams. */
export class EventStreams implements OpenStreams {
  readonly #service: Parts;
  readonly #open = new Set<EventStream>();
  /** The newest event that a poll found. Streams that do not catch up have every event up to it. */
  #newest: EventPlace = OLDEST;
  #started: Promise<void> = Promise.resolve();
  #isClosed = false;
  #lastBeat = 0;

  constructor(service: Parts) {
    this.#service = service;
  }

  async open({ audience, after }: StreamRequest): Promise<EventStream> {
    this.#assertRoom(audience);
    if (this.#open.size === 0) this.#started = this.#startAtNewest();
    const stream = new EventStream(audience, (closed) => {
      this.#open.delete(closed);
      this.#service.metrics.setStreams(this.#open.size);
    });
    // Count it before the next await, so that simultaneous requests cannot exceed the limits.
    this.#open.add(stream);
    this.#service.metrics.setStreams(this.#open.size);
    try {
      await this.#started;
      const { db } = this.#service;
      const { wallet } = audience;
      const from = await (after === null ? newestPlace(db, wallet) : placeOf(db, { id: after, wallet }));
      // With the id, a reader that is disconnected before its first event misses nothing either.
      stream.send(`retry: ${RETRY_MS}\nid: ${placeId(from)}\n\n`);
      this.#follow(stream, from.position);
    } catch (error) {
      stream.cut();
      throw error;
    }
    return stream;
  }

  async poll(): Promise<void> {
    while (this.#open.size > 0) {
      await this.#started;
      const newest = this.#newest;
      // Read the newest event again, to see that the database still has it.
      const read = await readEvents(this.#service.db, {
        after: newest.position - 1n,
        wallet: null,
        limit: PAGE + 1,
      });
      if (newest !== OLDEST && (!read[0] || placeId(read[0]) !== placeId(newest)))
        return this.#endAll(newest);
      const events = read.filter(({ position }) => position > newest.position);
      const wallets = new Set<string | null>(events.map(({ wallet }) => wallet));
      const concerned = [...this.#open].filter(({ audience }) => wallets.has(audience.wallet));
      await endWithSessions(this.#service, concerned);
      this.#newest = events.at(-1) ?? this.#newest;
      for (const stream of this.#open) {
        const unsent = sendNew(stream, events);
        if (unsent !== null) this.#follow(stream, unsent);
      }
      if (events.length < PAGE) return;
    }
  }

  async beat(): Promise<void> {
    const now = this.#service.clock.now();
    for (const stream of this.#open) if (isExpired(stream, now)) stream.end();
    if (now - this.#lastBeat < HEARTBEAT_MS) return;
    this.#lastBeat = now;
    for (const stream of this.#open) stream.beat();
    await endWithSessions(this.#service, [...this.#open]);
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  #assertRoom(audience: Audience): void {
    if (this.#isClosed) {
      throw new ServiceFault('UNAVAILABLE', 'The service is closing. Connect again.', {
        retryAfterSeconds: 1,
      });
    }
    if (!isFull(this.#open, audience)) return;
    this.#service.metrics.countRateLimited('streams');
    throw new ServiceFault('RATE_LIMITED', 'Too many event streams are open. Close one, or retry in 15 s.', {
      retryAfterSeconds: HEARTBEAT_MS / 1_000,
    });
  }

  async #startAtNewest(): Promise<void> {
    this.#newest = await newestPlace(this.#service.db, null);
  }

  /**
   * Ends all streams, because the database lost their newest event in a failover, and may give its position to another one.
   * The readers connect again, and resume. The same happens when the sweeper deletes the event after 30 days without another.
   */
  #endAll({ id }: EventPlace): void {
    this.#service.log.warn(
      { eventId: id },
      'the database no longer has the newest event; all event streams end, and their readers resume',
    );
    for (const stream of this.#open) stream.end();
  }

  /** Sends a stream the events after a position, and from then on the new ones. */
  #follow(stream: EventStream, from: bigint): void {
    void catchUp(this.#service, stream, { from, target: () => this.#newest.position });
  }
}

function isExpired({ audience }: EventStream, now: number): boolean {
  return audience.wallet !== null && audience.expiresAt <= now;
}
