/** Edits of the outcome of signed bytes. */
import { getBase58Decoder, getBase64Encoder } from '@solana/kit';
import { PREPARING } from '../../routes.ts';
import type { Tamper } from '../hostile-mode.ts';
import { isFor, type Json, jsonOf } from './responses.ts';

/** A submitted operation. */
export interface Submitted {
  /** The draft, without state and transaction. */
  readonly record: Json;
  /** The signature of the submitted bytes, base58. */
  readonly signature: string;
}

/** The service's responses. Without a function, it responds truthfully, or with QUEUED if it withholds the bytes. */
export interface Story {
  /** The response to the submission. */
  readonly submit?: (submitted: Submitted) => Response | Json;
  /** The response to reads of the operation. */
  readonly operation?: (submitted: Submitted, real: Json) => Response | Json;
}

const responseOf = (value: Response | Json) => (value instanceof Response ? value : Response.json(value));
/** Returns the operation in a state, with the signature of the submitted bytes. */
export const inState =
  (state: string, fields: Json = {}) =>
  ({ record, signature }: Submitted): Json => ({ ...record, state, signature, ...fields });
export const queued = (fields: Json = {}) => inState('QUEUED', fields);
export const finalized = (fields: Json = {}) => inState('FINALIZED', { slot: '5', indexed: true, ...fields });
export const failedOnChain = inState('FAILED', {
  slot: '5',
  failure: { reason: 'ON_CHAIN_ERROR', instruction: 1, message: 'The chain rejected it.' },
});

/** Withholds the signed bytes or broadcasts them, and responds as the story says. */
export function tellStory(does: 'withholds' | 'broadcasts', { submit, operation }: Story): Tamper {
  const forwards = does === 'broadcasts';
  const drafts = new Map<string, Json>();
  const submissions = new Map<string, Submitted>();
  return async (request, forward) => {
    if (isFor(request, ['submit'])) {
      const { operationId, transaction } = (await request.clone().json()) as Record<string, string>;
      const wire = getBase64Encoder().encode(transaction!);
      const submitted = {
        record: drafts.get(operationId!) ?? {},
        signature: getBase58Decoder().decode(wire.slice(1, 65)),
      };
      submissions.set(operationId!, submitted);
      const real = forwards ? await forward(request) : Response.json(queued()(submitted));
      return submit ? responseOf(submit(submitted)) : real;
    }
    if (isFor(request, ['operation'])) {
      const submitted = submissions.get(new URL(request.url).pathname.split('/').at(-1)!);
      const response = submitted && !forwards ? Response.json(queued()(submitted)) : await forward(request);
      if (!submitted || !operation || !response.ok) return response;
      const real = await jsonOf(response);
      const changed = operation(submitted, real);
      return changed === real ? response : responseOf(changed);
    }
    const response = await forward(request);
    if (isFor(request, PREPARING) && response.ok) {
      const { transaction: _, state: __, ...record } = await jsonOf(response);
      drafts.set(String(record.operationId), record);
    }
    return response;
  };
}

/** Changes fields of an operation as soon as it is final. */
export const ifFinal =
  (fields: (real: Json) => Json) =>
  (_submitted: Submitted, real: Json): Json =>
    real.state === 'FINALIZED' ? { ...real, ...fields(real) } : real;
