/** Responses of the health checks. The client does not use them (SPEC.md section 4). */
import * as z from 'zod/mini';

/** `GET /api/health/live`. */
export const liveResponse = z.object({
  /** The server runs. */
  status: z.literal('ok'),
});
const attentionField = z.array(z.string());
/** Everything is set up and works. */
const ready = z.object({
  /** The service is ready. */
  status: z.literal('ok'),
  /** What a person should look at, though the service takes traffic: `credentials`, `feePayer`, `operations`, `passes`. */
  attention: attentionField,
});
/** Everything works, but something is not set up yet. */
const waiting = z.object({
  /** Governance must complete the setup first. */
  status: z.literal('waiting'),
  /** The parts that are not set up: `program`, `governance`, `circuit` or `passFee`. */
  missing: z.array(z.string()),
  /** What a person should look at, though the service takes traffic: `credentials`, `feePayer`, `operations`, `passes`. */
  attention: attentionField,
});
/** `GET /api/health/ready` with HTTP 200. */
export const readyResponse = z.discriminatedUnion('status', [ready, waiting]);
/** `GET /api/health/ready` with HTTP 503. */
export const failingResponse = z.object({
  /** A dependency of the service fails. */
  status: z.literal('failing'),
  /** The result of each check: false if it fails or could not run. */
  checks: z.object({
    /** The database responds. */
    database: z.boolean(),
    /** The RPC responds. */
    chain: z.boolean(),
    /** The index is not stale. */
    index: z.boolean(),
    /** The jobs of this process that broadcast signed operations and put credentials on chain do not all fail. */
    jobs: z.boolean(),
    /** The clock of this machine is at most 2 seconds from the database's. */
    clock: z.boolean(),
  }),
  /** The error, as in every error response. */
  error: z.object({
    /** Stable code of the error. */
    code: z.literal('UNAVAILABLE'),
    /** What fails, for people to read. */
    message: z.string(),
    /** UUID of the request. */
    requestId: z.string(),
  }),
});
