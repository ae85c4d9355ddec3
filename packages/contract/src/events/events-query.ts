/** The request of a stream of events. */
import * as z from 'zod/mini';

/** Where a stream begins: after the event with this id, or `oldest` for every event that is kept. */
export const resumeField = z
  .string()
  .check(z.regex(/^(evt_[0-9a-f]{32}|oldest)$/, 'must be the id of an event, or oldest'));

/** Query of `GET /api/events`. */
export const eventsQuery = z.strictObject({ after: z.optional(resumeField) });
