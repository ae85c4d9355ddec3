import type { HostileMode } from './hostile-mode.ts';
import { TAMPERINGS } from './tamperings.ts';

/** Options of {@link hostileFetch}. */
export interface HostileFetchOptions {
  /** The account to change, in modes that change one: its index among those that the mode can change. @default 0 */
  readonly at?: number;
}

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
 * @param fetch responds for the real service
 * @throws RangeError if the mode does not exist
 * @example
 * const client = new ServiceClient({ deployment, baseUrl, fetch: hostileFetch('prepare-other-amount', fetch) });
 * await expect(client.transfer(wallet, request)).rejects.toMatchObject({ code: 'PREPARED_MISMATCH' });
 */
export function hostileFetch(
  mode: HostileMode | string,
  fetch: typeof globalThis.fetch,
  { at = 0 }: HostileFetchOptions = {},
): HostileFetch {
  const id = typeof mode === 'string' ? mode : mode.id;
  const tampering = TAMPERINGS.find((each) => each.mode.id === id);
  if (!tampering) throw new RangeError(`There is no hostile mode ${id}. HOSTILE_MODES lists them all.`);
  const tamper = tampering.start({ at });
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
