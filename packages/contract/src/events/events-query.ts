/** The request of a stream of events. */
import * as z from 'zod/mini';

/** Query of `GET /api/events`. */
export const eventsQuery = z.strictObject({
  after: z.optional(
    z.string().check(z.regex(/^(evt_[0-9a-f]{32}|oldest)$/, 'must be the id of an event, or oldest')),
  ),
});
