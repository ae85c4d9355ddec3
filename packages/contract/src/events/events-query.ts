/** The request of a stream of events. */
import * as z from 'zod/mini';

/**
 * Where a stream begins: after the message with this id, or `oldest` for every event that is kept. The id has that of the
 * event, and when it was written in Unix milliseconds: after a failover, an event may be written again, after other events.
 */
export const resumeField = z
  .string()
  .check(
    z.regex(/^(evt_[0-9a-f]{32}-\d{1,16}|oldest)$/, 'must be the id of a message of the stream, or oldest'),
  );

/** Query of `GET /api/events`. */
export const eventsQuery = z.strictObject({ after: z.optional(resumeField) });
