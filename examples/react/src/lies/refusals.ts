import { isServiceError, type ServiceError } from '@service/sdk';
import { createStore } from '../site/store.ts';
import { type Asked, readAsked } from './describe-asked.ts';
import { type ChangedResponse, findChangedResponse } from './lying-service.ts';

/** A lie that the client refused. */
export interface Refusal {
  readonly id: number;
  readonly error: ServiceError;
  readonly asked: Asked;
  /** The lie. */
  readonly changed: ChangedResponse;
}

/** A call of the client, as a mutation of `@service/sdk/query` makes it. */
interface Call {
  readonly mutationKey?: readonly unknown[] | undefined;
  readonly variables?: unknown;
  /** Unix milliseconds. */
  readonly submittedAt: number;
}

const refusals = createStore<readonly Refusal[]>([]);

/** Notes an error of a call, if the service changed a response of that very call, and the lie leads to this error. */
export function noteRefusal(error: Error, call: Call): void {
  if (!isServiceError(error) || refusalOf(error)) return;
  const changed = findChangedResponse(
    (response) => response.at >= call.submittedAt && leadsTo(response, error) && isOf(response, error, call),
  );
  if (!changed) return;
  const noted = refusals.get();
  refusals.set([{ id: noted.length + 1, error, asked: readAsked(call), changed }, ...noted]);
}

/** Other errors are not about the lie, such as that the person declined. */
function leadsTo({ lie: { mode } }: ChangedResponse, { code }: ServiceError): boolean {
  return code === mode.code || (mode.category === 'outcome' && code === 'OPERATION_FAILED');
}

function isOf({ body }: ChangedResponse, { context }: ServiceError, { mutationKey = [] }: Call): boolean {
  if ('operationId' in context) return body.operationId === context.operationId;
  const [wallet, name] = mutationKey.slice(-2);
  if (name === 'authenticate') return typeof body.message === 'string' && body.message.includes(`${wallet}`);
  return body.kind === name && body.wallet === wallet;
}

export function refusalOf(error: Error): Refusal | undefined {
  return refusals.get().find((refusal) => refusal.error === error);
}

/** Returns what the client refused since the page was loaded, the newest first. */
export const useRefusals = refusals.use;
