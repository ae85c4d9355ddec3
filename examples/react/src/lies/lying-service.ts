import { type HostileFetch, hostileFetch } from '@service/testing';
import { createStore } from '../site/store.ts';
import { LIES, type Lie } from './lies.ts';

/** A response that the lying service changed. */
export interface ChangedResponse {
  /** Path of the request. */
  readonly path: string;
  /** What the client received. */
  readonly body: string;
}

interface LyingService {
  readonly lie: Lie;
  readonly hostile: HostileFetch;
  /** Responses that the lie left unchanged. */
  readonly honest: WeakSet<Response>;
  lastChanged: ChangedResponse | null;
}

const KEY = 'lie';

/** In this tab only, and over a reload, so that the banner never disappears while the service lies. */
const lying = createStore(lyingServiceOf(LIES.find(({ mode }) => mode.id === sessionStorage.getItem(KEY))));

/** The fetch of the client. It changes responses of the real service as the chosen lie says. The RPC stays honest. */
export const fetchFromService: typeof fetch = async (input, init) => {
  const service = lying.get();
  if (!service) return fetch(input, init);
  const response = await service.hostile(input, init);
  if (!service.honest.has(response)) {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    service.lastChanged = { path: url.pathname, body: await response.clone().text() };
  }
  return response;
};

export function startLying(lie: Lie): void {
  sessionStorage.setItem(KEY, lie.mode.id);
  lying.set(lyingServiceOf(lie));
}

export function stopLying(): void {
  sessionStorage.removeItem(KEY);
  lying.set(null);
}

export function useLie(): Lie | null {
  return lying.use()?.lie ?? null;
}

export const currentLie = () => lying.get()?.lie ?? null;

/** Returns the last response that was changed, once. */
export function takeChangedResponse(): ChangedResponse | null {
  const service = lying.get();
  const changed = service?.lastChanged ?? null;
  if (service) service.lastChanged = null;
  return changed;
}

function lyingServiceOf(lie: Lie | undefined): LyingService | null {
  if (!lie) return null;
  const honest = new WeakSet<Response>();
  const hostile = hostileFetch(lie.mode, async (input, init) => {
    const response = await fetch(input, init);
    honest.add(response);
    return response;
  });
  return { lie, hostile, honest, lastChanged: null };
}
