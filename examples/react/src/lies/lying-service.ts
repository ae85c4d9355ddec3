import { type HostileFetch, hostileFetch } from '@service/testing';
import { session } from '../site/storage.ts';
import { createStore } from '../site/store.ts';
import { LIES, type Lie } from './lies.ts';

/** A response that the lying service changed. */
export interface ChangedResponse {
  /** What changed it. The person may have chosen another lie since. */
  readonly lie: Lie;
  /** Path of the request. */
  readonly path: string;
  /** What the client received. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Unix milliseconds. */
  readonly at: number;
}

interface LyingService {
  readonly lie: Lie;
  readonly hostile: HostileFetch;
  /** Responses that the lie left unchanged. */
  readonly honest: WeakSet<Response>;
}

const KEY = 'lie';

/** In this tab only, and over a reload, so that the banner never disappears while the service lies. */
const lying = createStore(lyingServiceOf(LIES.find(({ mode }) => mode.id === session.getItem(KEY))));

/** The last changed response of each path, the newest first. */
let changedResponses: readonly ChangedResponse[] = [];

/** The fetch of the client. It changes responses of the real service as the chosen lie says. The RPC stays honest. */
export const fetchFromService: typeof fetch = async (input, init) => {
  const service = lying.get();
  if (!service) return fetch(input, init);
  const response = await service.hostile(input, init);
  if (!service.honest.has(response)) {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const path = url.pathname;
    const body = await response.clone().json();
    changedResponses = [
      { lie: service.lie, path, body, at: Date.now() },
      // A client that waits asks for the same again and again.
      ...changedResponses.filter((other) => other.path !== path),
    ];
  }
  return response;
};

export function startLying(lie: Lie): void {
  session.setItem(KEY, lie.mode.id);
  lying.set(lyingServiceOf(lie));
}

export function stopLying(): void {
  session.removeItem(KEY);
  lying.set(null);
}

export function useLie(): Lie | null {
  return lying.use()?.lie ?? null;
}

/** Returns the newest changed response that matches. */
export function findChangedResponse(
  matches: (response: ChangedResponse) => boolean,
): ChangedResponse | undefined {
  return changedResponses.find(matches);
}

function lyingServiceOf(lie: Lie | undefined): LyingService | null {
  if (!lie) return null;
  const honest = new WeakSet<Response>();
  const hostile = hostileFetch(lie.mode, async (input, init) => {
    const response = await fetch(input, init);
    honest.add(response);
    return response;
  });
  return { lie, hostile, honest };
}
