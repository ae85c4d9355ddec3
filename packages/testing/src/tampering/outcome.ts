/** Tampers with the outcome of signed bytes. */
import { getBase58Decoder, getBase64Encoder } from '@solana/kit';
import { PREPARING } from '../routes.ts';
import {
  type HostileMode,
  type Table,
  type Tamper,
  type Tampering,
  tamperings,
  UNKNOWN_ADDRESS,
} from './hostile-mode.ts';
import { isFor, type Json, jsonOf, refusal } from './responses.ts';

const MADE_UP_SIGNATURE = '5'.repeat(88);
const OTHER_OPERATION = '00000000-0000-4000-8000-000000000000';

/** A submitted operation. */
interface Submitted {
  /** The draft, without state and transaction. */
  readonly record: Json;
  /** The signature of the submitted bytes, base58. */
  readonly signature: string;
}

/** The service's responses. Without a function, it responds truthfully, or with QUEUED if it withholds the bytes. */
interface Story {
  /** The response to the submission. */
  readonly submit?: (submitted: Submitted) => Response | Json;
  /** The response to reads of the operation. */
  readonly operation?: (submitted: Submitted, real: Json) => Response | Json;
}

const responseOf = (value: Response | Json) => (value instanceof Response ? value : Response.json(value));
const inState =
  (state: string, fields: Json = {}) =>
  ({ record, signature }: Submitted): Json => ({ ...record, state, signature, ...fields });
const queued = (fields: Json = {}) => inState('QUEUED', fields);
const finalized = (fields: Json = {}) => inState('FINALIZED', { slot: '5', indexed: true, ...fields });
const expired = ({ record }: Submitted): Json => ({ ...record, state: 'EXPIRED' });
const neverLanded = inState('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'It never landed.' } });
const failedOnChain = inState('FAILED', {
  slot: '5',
  failure: { reason: 'ON_CHAIN_ERROR', instruction: 1, message: 'The chain rejected it.' },
});

/** Returns a tamper that withholds the signed bytes or forwards them, and responds as the story says. */
function play({ submit, operation }: Story, forwards: boolean): Tamper {
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

/** Modes that tamper after the client has submitted. */
const submissions = (
  does: 'withholds' | 'broadcasts',
  code: HostileMode['code'],
  table: Table<Story>,
): readonly Tampering[] =>
  tamperings(
    { category: 'outcome', call: 'createRuleSet', code },
    (story) => play(story, does === 'broadcasts'),
    table,
  );

/** Modes for a page load after signing: the first operation that the client asks for is real, another one is not. */
const reloads = (
  code: HostileMode['code'],
  table: Table<(real: Json, first: Json) => Json>,
): readonly Tampering[] =>
  tamperings(
    { category: 'outcome', call: 'waitForOperation', code },
    (change) => {
      let first: Json | undefined;
      return async (request, forward) => {
        const response = await forward(request);
        if (!isFor(request, ['operation']) || !response.ok) return response;
        const real = await jsonOf(response);
        if (!first || first.operationId === real.operationId) {
          first = real;
          return response;
        }
        const { transaction: _, ...record } = real;
        return Response.json(change(record, first));
      };
    },
    table,
  );

const finalAs = (record: Json, { signature, slot }: Json): Json => ({
  ...record,
  state: 'FINALIZED',
  signature,
  slot,
  indexed: true,
});

const ifFinal =
  (fields: (real: Json) => Json) =>
  (_submitted: Submitted, real: Json): Json =>
    real.state === 'FINALIZED' ? { ...real, ...fields(real) } : real;

/** Tampers with outcomes. */
export const OUTCOME_TAMPERINGS: readonly Tampering[] = [
  ...submissions('withholds', 'OUTCOME_UNKNOWN', {
    'finalized-and-kept-back': [
      'The service withholds the signed bytes and calls the operation final.',
      { operation: finalized() },
    ],
    'finalized-at-once': [
      'The service withholds the signed bytes and answers the submission with a final operation.',
      { submit: finalized(), operation: finalized() },
    ],
    'finalized-made-up-signature': [
      'The service withholds the signed bytes and calls the operation final with a made-up signature.',
      { operation: finalized({ signature: MADE_UP_SIGNATURE }) },
    ],
    'pending-for-ever': [
      'The service withholds the signed bytes and calls the operation broadcast.',
      { operation: inState('SUBMITTED') },
    ],
    'draft-again': [
      'The service calls the signed operation a draft.',
      { operation: ({ record }) => ({ ...record, state: 'DRAFT', transaction: 'AAAA' }) },
    ],
    'other-signature': [
      'The response to the submission has another signature.',
      { submit: queued({ signature: MADE_UP_SIGNATURE }) },
    ],
    'other-operation': [
      'The response to the submission is another operation.',
      { submit: queued({ operationId: OTHER_OPERATION }) },
    ],
    'other-kind': [
      'The response to the submission is an operation of another kind.',
      { submit: queued({ kind: 'TRANSFER' }) },
    ],
    'other-wallet': [
      'The response to the submission is an operation of another wallet.',
      { submit: queued({ wallet: UNKNOWN_ADDRESS }) },
    ],
    'body-of-another-operation': [
      'Reads of the operation return another operation, which is final.',
      { operation: finalized({ operationId: OTHER_OPERATION }) },
    ],
  }),
  ...submissions('broadcasts', 'OUTCOME_UNKNOWN', {
    'expired-and-broadcast': [
      'The service rejects the submission as expired, but broadcasts it.',
      { submit: () => refusal('DRAFT_EXPIRED', 409) },
      { context: { answer: 'DRAFT_EXPIRED' } },
    ],
    'mismatch-and-broadcast': [
      'The service rejects the submission as not the prepared one, but broadcasts it.',
      { submit: () => refusal('TRANSACTION_MISMATCH', 400) },
      { context: { answer: 'TRANSACTION_MISMATCH' } },
    ],
    'signed-out-and-broadcast': [
      'The service rejects the submission because nobody is signed in, but broadcasts it.',
      { submit: () => refusal('AUTHENTICATION_REQUIRED', 401) },
      { context: { answer: 'AUTHENTICATION_REQUIRED' } },
    ],
    'broken-and-broadcast': [
      'The submission fails with 500, but is broadcast, and the operation is said not to exist.',
      { submit: () => refusal('INTERNAL', 500), operation: () => refusal('NOT_FOUND', 404) },
    ],
    'nonsense-after-submit': [
      'The service responds with empty objects, but broadcasts the submission.',
      { submit: () => ({}), operation: () => ({}) },
    ],
    'called-expired': [
      'The service answers the submission with an expired operation, but broadcasts it.',
      { submit: expired, operation: expired },
    ],
    'expired-later': [
      'The service calls a signed operation expired, but broadcasts it.',
      { operation: expired },
    ],
    'failed-and-broadcast': [
      'The service says that a signed operation never landed, but broadcasts it.',
      { operation: neverLanded },
    ],
    'refused-on-chain-and-broadcast': [
      'The service says that the operation failed on chain, but broadcasts it later.',
      { operation: failedOnChain },
    ],
    forgotten: [
      'The service says that a signed operation does not exist.',
      { operation: () => refusal('NOT_FOUND', 404) },
    ],
  }),
  ...submissions('broadcasts', 'OPERATION_FAILED', {
    'failed-called-final': [
      'The operation failed on chain, but the service calls it final.',
      { operation: finalized() },
      { context: { reason: 'ON_CHAIN_ERROR' } },
    ],
  }),
  ...submissions('broadcasts', null, {
    'other-slot': [
      'A final operation has another slot than on chain.',
      { operation: ifFinal(({ slot }) => ({ slot: `${BigInt(String(slot)) + 7n}` })) },
    ],
    'other-rule': [
      'A final operation has another rule set than on chain.',
      { operation: (_submitted, real) => ({ ...real, rule: UNKNOWN_ADDRESS }) },
    ],
    'called-failed': [
      'The service calls the operation failed until it is final on chain.',
      {
        operation: (submitted, real) => (real.state === 'FINALIZED' ? real : failedOnChain(submitted)),
      },
    ],
    'broken-and-final': [
      'The submission fails with 500, but is broadcast and becomes final.',
      { submit: () => refusal('INTERNAL', 500) },
    ],
    'never-indexed': [
      'A final operation never reaches the index.',
      { operation: ifFinal(() => ({ indexed: false })) },
    ],
    'final-under-other-signature': [
      'The service shows a final operation with another signature forever.',
      { operation: (_submitted, real) => ({ ...real, signature: MADE_UP_SIGNATURE }) },
    ],
  }),
  ...reloads('UNEXPECTED_RESPONSE', {
    'signature-of-another-operation': [
      'An operation is called final with the signature of another one.',
      finalAs,
    ],
    'answer-of-another-operation': [
      'Reads of an operation return another operation.',
      (_real, first) => first,
    ],
  }),
  ...reloads('OUTCOME_UNKNOWN', {
    'operation-of-another-wallet': [
      'An operation is called final with the service’s own wallet as its wallet.',
      (real, first) => ({ ...finalAs(real, first), wallet: UNKNOWN_ADDRESS }),
    ],
    'expired-after-reload': [
      'An operation that another page may have signed is called expired.',
      (real) => ({ ...real, state: 'EXPIRED' }),
    ],
    'made-up-after-reload': [
      'An operation is called final with a signature that is not on chain.',
      (real) => finalAs(real, { signature: MADE_UP_SIGNATURE, slot: '5' }),
    ],
  }),
];
