import { isServiceError, type ServiceError } from '@service/sdk';
import { createStore } from '../site/store.ts';
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

const refusals = createStore<readonly Refusal[]>([]);

/** Notes an error of the client, if it is the one that the present lie leads to. */
export function noteRefusal(error: Error, call: Parameters<typeof describeAsked>[0]): void {
  const lie = currentLie();
  if (!lie || !isServiceError(error) || refusalOf(error)) return;
  // Other errors are not about the lie, such as that the person declined.
  const isOutcome = lie.mode.category === 'outcome' && error.code === 'OPERATION_FAILED';
  if (error.code !== lie.mode.code && !isOutcome) return;
  const changed = takeChangedResponse();
  const noted = refusals.get();
  refusals.set([{ id: noted.length + 1, lie, error, asked: describeAsked(call), changed }, ...noted]);
}

export function refusalOf(error: Error): Refusal | undefined {
  return refusals.get().find((refusal) => refusal.error === error);
}

/** Returns what the client refused since the page was loaded, the newest first. */
export const useRefusals = refusals.use;
