import type { HostileMode, Liar } from './hostile-mode.ts';
import { LIES } from './index.ts';

/** Options of {@link hostileFetch}. Not in SPEC.md: for tests. */
export interface HostileFetchOptions {
  /** Which account is changed, in modes that change one: counted from 0 over those that can be. @default 0 */
  readonly at?: number;
}

/** A `fetch` that lies. Not in SPEC.md: for tests. */
export interface HostileFetch {
  (input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** How many answers were not those of the service behind. */
  readonly told: number;
}

/**
 * Puts a lie between the client and any service: the real one, a test server, or handlers in memory. What the mode does
 * not lie about passes unchanged. Each fetch has a memory of its own. Not in SPEC.md: for tests.
 *
 * @param fetch the service behind
 * @throws RangeError when there is no such mode
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
  const lie = LIES.find((each) => each.mode.id === id);
  if (!lie) throw new RangeError(`there is no hostile mode ${id}; HOSTILE_MODES lists them`);
  const liar: Liar = lie.liar({ at });
  let told = 0;
  const lying = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const honest = new Set<Response>();
    const ask = async (request: Request) => {
      const response = await fetch(request);
      honest.add(response);
      return response;
    };
    let response: Response | undefined;
    try {
      response = await liar(new Request(input, init), ask);
      return response;
    } finally {
      if (!response || !honest.has(response)) told += 1;
    }
  };
  return Object.defineProperty(lying, 'told', { get: () => told }) as HostileFetch;
}
