/** All open event streams of a process. One query for each poll serves all of them. */
import { EVENT_STREAMS } from '@service/contract';
import { endedSessions } from '../../auth/session.ts';
import { ServiceFault } from '../../http/failures/fault.ts';
import type { Service } from '../../service.ts';
import { eventJson, newestPosition, positionOf, type RecordedEvent, readEvents } from '../record.ts';
import type { OpenStreams, StreamRequest } from './open-streams.ts';
import { type Audience, EventStream } from './stream.ts';

/** Milliseconds between two comments that keep a connection open. */
export const HEARTBEAT_MS = 15_000;
/** Milliseconds after which a reader should reconnect. */
const RETRY_MS = 3_000;
/** Events that one query reads. */
const PAGE = 500;

type Parts = Pick<Service, 'db' | 'clock' | 'metrics' | 'outages'>;

/** The open streams. */
export class EventStreams implements OpenStreams {
  readonly #service: Parts;
  readonly #open = new Set<EventStream>();
  /** The streams with a position have every event up to here. */
  #position = 0n;
  #positioned: Promise<void> = Promise.resolve();
  #isClosed = false;
  #lastBeat = 0;

  constructor(service: Parts) {
    this.#service = service;
  }

  async open({ audience, after }: StreamRequest): Promise<EventStream> {
    this.#assertRoom(audience);
    if (this.#open.size === 0) this.#positioned = this.#startAtNewest();
    const stream = new EventStream(audience, (closed) => {
      this.#open.delete(closed);
      this.#service.metrics.setStreams(this.#open.size);
    });
    // Count it before the next await, so that simultaneous requests cannot exceed the limits.
    this.#open.add(stream);
    this.#service.metrics.setStreams(this.#open.size);
    try {
      await this.#positioned;
      if (after === null) stream.position = this.#position;
      else void this.#catchUp(stream, await this.#startOf(audience, after));
    } catch (error) {
      stream.cut();
      throw error;
    }
    stream.send(`retry: ${RETRY_MS}\n\n`);
    return stream;
  }

  async poll(): Promise<void> {
    while (this.#open.size > 0) {
      const events = await readEvents(this.#service.db, { after: this.#position, wallet: null, limit: PAGE });
      const wallets = new Set<string>(events.map(({ wallet }) => wallet));
      await this.#endSessions(
        (stream) => stream.audience.wallet !== null && wallets.has(stream.audience.wallet),
      );
      for (const stream of this.#open) for (const event of events) sendTo(stream, event);
      this.#position = events.at(-1)?.position ?? this.#position;
      if (events.length < PAGE) return;
    }
  }

  async beat(): Promise<void> {
    const now = this.#service.clock.now();
    for (const stream of this.#open) if (isExpired(stream, now)) stream.end();
    if (now - this.#lastBeat < HEARTBEAT_MS) return;
    this.#lastBeat = now;
    for (const stream of this.#open) stream.send(': \n\n');
    await this.#endSessions(() => true);
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  #assertRoom({ wallet }: Audience): void {
    if (this.#isClosed) {
      throw new ServiceFault('UNAVAILABLE', 'The service is closing. Connect again.', {
        retryAfterSeconds: 1,
      });
    }
    const own = [...this.#open].filter(({ audience }) => audience.wallet === wallet).length;
    const most = wallet === null ? EVENT_STREAMS.backend : EVENT_STREAMS.wallet;
    // The streams of visitors must not keep the backend out.
    const visitors = [...this.#open].filter(({ audience }) => audience.wallet !== null).length;
    if (own < most && (wallet === null || visitors < EVENT_STREAMS.all)) return;
    this.#service.metrics.countRateLimited('streams');
    throw new ServiceFault('RATE_LIMITED', 'Too many event streams are open. Close one, or retry in 15 s.', {
      retryAfterSeconds: HEARTBEAT_MS / 1_000,
    });
  }

  async #startAtNewest(): Promise<void> {
    this.#position = await newestPosition(this.#service.db);
  }

  async #startOf({ wallet }: Audience, after: string): Promise<bigint> {
    return after === 'oldest' ? 0n : positionOf(this.#service.db, { id: after, wallet });
  }

  /** Sends older events as fast as the reader takes them, until the stream has what the others have. */
  async #catchUp(stream: EventStream, from: bigint): Promise<void> {
    const { db, outages } = this.#service;
    const { wallet } = stream.audience;
    try {
      for (let position = from; stream.isOpen; ) {
        const target = this.#position;
        const events = await readEvents(db, { after: position, wallet, limit: PAGE });
        for (const event of events) {
          await stream.room();
          stream.send(messageOf(event));
        }
        position = events.at(-1)?.position ?? position;
        // The query was later than the poll that set the target, so the stream has every event up to it.
        if (events.length < PAGE && this.#position === target) {
          stream.position = position > target ? position : target;
          return;
        }
      }
    } catch (error) {
      outages.failed('reading older events', error);
      stream.cut();
    }
  }

  /** Ends each of these streams whose session has ended, for example because its wallet signed out. */
  async #endSessions(isAsked: (stream: EventStream) => boolean): Promise<void> {
    const asked = [...this.#open].filter(isAsked);
    const hashes = asked.flatMap(({ audience }) => (audience.wallet === null ? [] : [audience.session]));
    if (hashes.length === 0) return;
    const ended = await endedSessions(this.#service, [...new Set(hashes)]);
    for (const stream of asked) {
      if (stream.audience.wallet !== null && ended.has(stream.audience.session)) stream.end();
    }
  }
}

function isExpired({ audience }: EventStream, now: number): boolean {
  return audience.wallet !== null && audience.expiresAt <= now;
}

function sendTo(stream: EventStream, event: RecordedEvent): void {
  const { wallet } = stream.audience;
  if (stream.position === null || event.position <= stream.position) return;
  if (wallet === null || wallet === event.wallet) stream.send(messageOf(event));
  stream.position = event.position;
}

function messageOf(event: RecordedEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${eventJson(event)}\n\n`;
}
