import { type HostileFetch, hostileFetch } from '@service/testing';
import { useSyncExternalStore } from 'react';
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
const listeners = new Set<() => void>();

/** In this tab only, and over a reload, so that the banner never disappears while the service lies. */
let lying: LyingService | null = lyingServiceOf(
  LIES.find(({ mode }) => mode.id === sessionStorage.getItem(KEY)),
);

/** The fetch of the client. It changes responses of the real service as the chosen lie says. The RPC stays honest. */
export const fetchFromService: typeof fetch = async (input, init) => {
  const service = lying;
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
  change(lyingServiceOf(lie));
}

export function stopLying(): void {
  sessionStorage.removeItem(KEY);
  change(null);
}

export function useLie(): Lie | null {
  return useSyncExternalStore(subscribe, currentLie);
}

export const currentLie = () => lying?.lie ?? null;

/** Returns the last response that was changed, once. */
export function takeChangedResponse(): ChangedResponse | null {
  const changed = lying?.lastChanged ?? null;
  if (lying) lying.lastChanged = null;
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

function change(next: LyingService | null): void {
  lying = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
