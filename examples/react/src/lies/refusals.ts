import { isServiceError, type ServiceError } from '@service/sdk';
import { useSyncExternalStore } from 'react';
import { type Asked, describeAsked } from './describe-asked.ts';
import type { Lie } from './lies.ts';
import { type ChangedResponse, currentLie, takeChangedResponse } from './lying-service.ts';

/** A lie that the client refused. */
export interface Refusal {
  readonly id: number;
  readonly lie: Lie;
  readonly error: ServiceError;
  readonly asked: Asked;
  readonly changed: ChangedResponse | null;
}

let refusals: readonly Refusal[] = [];
const listeners = new Set<() => void>();

/** Notes an error of the client, if the service changed a response before it. */
export function noteRefusal(error: Error, call: Parameters<typeof describeAsked>[0] = {}): void {
  const lie = currentLie();
  if (!lie || !isServiceError(error) || refusalOf(error)) return;
  const changed = takeChangedResponse();
  // The person declined, or the error is not about the lie.
  if (!changed && error.code !== lie.mode.code) return;
  const refusal = { id: refusals.length + 1, lie, error, asked: describeAsked(call), changed };
  refusals = [refusal, ...refusals];
  for (const listener of listeners) listener();
}

export function refusalOf(error: Error): Refusal | undefined {
  return refusals.find((refusal) => refusal.error === error);
}

/** Returns what the client refused since the page was loaded, the newest first. */
export function useRefusals(): readonly Refusal[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => refusals,
  );
}
