import type { HostileMode } from './hostile-mode.ts';
import { HOSTILE_MODES } from './modes/index.ts';

/** A `fetch` that tampers with responses. */
export interface HostileFetch {
  (input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** The number of responses that it tampered with. */
  readonly tampered: number;
}

/**
 * Tampers with a service in one way. The service can be a real one, a test server or handlers in memory. Responses that
 * the mode does not concern pass unchanged. Each `fetch` has its own state.
 *
 * @param mode the id of one of {@link HOSTILE_MODES}, or a way of your own
 * @param fetch responds for the real service
 * @throws RangeError if no mode has this id
 * @example
 * const client = new ServiceClient({ deployment, fetch: hostileFetch('prepare-other-amount', fetch) });
 * await expect(client.transfer(wallet, request)).rejects.toMatchObject({ code: 'PREPARED_MISMATCH' });
 */
export function hostileFetch(
  mode: Pick<HostileMode, 'start'> | string,
  fetch: typeof globalThis.fetch,
): HostileFetch {
  const found = typeof mode === 'string' ? HOSTILE_MODES.find(({ id }) => id === mode) : mode;
  if (!found) throw new RangeError(`There is no hostile mode ${mode}. HOSTILE_MODES lists them all.`);
  const tamper = found.start();
  let tampered = 0;
  const hostile = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const honest = new Set<Response>();
    let response: Response | undefined;
    try {
      response = await tamper(new Request(input, init), async (request) => {
        const forwarded = await fetch(request);
        honest.add(forwarded);
        return forwarded;
      });
      return response;
    } finally {
      if (!response || !honest.has(response)) tampered += 1;
    }
  };
  return Object.defineProperty(hostile, 'tampered', { get: () => tampered }) as HostileFetch;
}
