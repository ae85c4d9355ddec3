/** Edits of the outcome of signed bytes: another state, another field of the operation, or a refusal. */
import {
  failedOnChain,
  finalized,
  ifFinal,
  inState,
  isFor,
  type Json,
  jsonOf,
  queued,
  refusal,
  type Story,
  type Submitted,
  tellStory,
  UNKNOWN_ADDRESS,
} from '@service/testing/edits';
import { OTHER_ID } from './kinds.ts';
import { cases, type SweepMode } from './row.ts';

const MADE_UP_SIGNATURE = '5'.repeat(88);

const OUTCOME = { category: 'outcome', call: 'createRuleSet' } as const;

const expired = ({ record }: Submitted): Json => ({ ...record, state: 'EXPIRED' });
const neverLanded = inState('FAILED', { failure: { reason: 'NEVER_LANDED', message: 'It never landed.' } });

const withholding = (code: SweepMode['code'], table: Readonly<Record<string, Story>>) =>
  cases({ ...OUTCOME, code }, (story) => tellStory('withholds', story), table);
const broadcasting = (code: SweepMode['code'], table: Readonly<Record<string, Story>>) =>
  cases({ ...OUTCOME, code }, (story) => tellStory('broadcasts', story), table);

/** The service refuses the submission, but broadcasts it. The client's error has the refusal. */
const refusing = (name: string, answer: string, status: number) =>
  cases(
    { ...OUTCOME, code: 'OUTCOME_UNKNOWN', context: { answer } },
    (story) => tellStory('broadcasts', story),
    {
      [`${name}-and-broadcast`]: { submit: () => refusal(answer, status) },
    },
  );

/** After a page load: the first operation that the client asks for is real, another one is not. */
const reloading = (
  code: SweepMode['code'],
  table: Readonly<Record<string, (real: Json, first: Json) => Json>>,
) =>
  cases(
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

export const OUTCOMES_SWEEP: readonly SweepMode[] = [
  ...withholding('OUTCOME_UNKNOWN', {
    // The submission and reads are answered with a final operation.
    'finalized-at-once': { submit: finalized(), operation: finalized() },
    'finalized-made-up-signature': { operation: finalized({ signature: MADE_UP_SIGNATURE }) },
    'pending-for-ever': { operation: inState('SUBMITTED') },
    'draft-again': { operation: ({ record }) => ({ ...record, state: 'DRAFT', transaction: 'AAAA' }) },
    'other-signature': { submit: queued({ signature: MADE_UP_SIGNATURE }) },
    'other-operation': { submit: queued({ operationId: OTHER_ID }) },
    'other-kind': { submit: queued({ kind: 'TRANSFER' }) },
    'other-wallet': { submit: queued({ wallet: UNKNOWN_ADDRESS }) },
    'body-of-another-operation': { operation: finalized({ operationId: OTHER_ID }) },
  }),
  ...refusing('mismatch', 'TRANSACTION_MISMATCH', 400),
  ...refusing('signed-out', 'AUTHENTICATION_REQUIRED', 401),
  ...broadcasting('OUTCOME_UNKNOWN', {
    'broken-and-broadcast': {
      submit: () => refusal('INTERNAL', 500),
      operation: () => refusal('NOT_FOUND', 404),
    },
    'nonsense-after-submit': { submit: () => ({}), operation: () => ({}) },
    'called-expired': { submit: expired, operation: expired },
    'expired-later': { operation: expired },
    'failed-and-broadcast': { operation: neverLanded },
    'refused-on-chain-and-broadcast': { operation: failedOnChain },
    forgotten: { operation: () => refusal('NOT_FOUND', 404) },
  }),
  // The chain has the truth.
  ...broadcasting(null, {
    'other-slot': { operation: ifFinal(({ slot }) => ({ slot: `${BigInt(String(slot)) + 7n}` })) },
    'other-rule': { operation: (_submitted, real) => ({ ...real, rule: UNKNOWN_ADDRESS }) },
    'broken-and-final': { submit: () => refusal('INTERNAL', 500) },
    'never-indexed': { operation: ifFinal(() => ({ indexed: false })) },
    'final-under-other-signature': {
      operation: (_submitted, real) => ({ ...real, signature: MADE_UP_SIGNATURE }),
    },
  }),
  ...reloading('UNEXPECTED_RESPONSE', {
    'signature-of-another-operation': finalAs,
    'answer-of-another-operation': (_real, first) => first,
  }),
  ...reloading('OUTCOME_UNKNOWN', {
    'operation-of-another-wallet': (real, first) => ({ ...finalAs(real, first), wallet: UNKNOWN_ADDRESS }),
    'expired-after-reload': (real) => ({ ...real, state: 'EXPIRED' }),
    'made-up-after-reload': (real) => finalAs(real, { signature: MADE_UP_SIGNATURE, slot: '5' }),
  }),
];
