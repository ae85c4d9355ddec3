/** Lies about what became of signed bytes. */
import { getBase58Decoder, getBase64Encoder } from '@solana/kit';
import { isOf, type Json, jsonAnswer, jsonOf, PREPARING, refusal } from '../memory/answers.ts';
import type { HostileMode, Lie } from './hostile-mode.ts';
import { STRANGER } from './stranger.ts';

const MADE_UP_SIGNATURE = '5'.repeat(88);
const NEVER_LANDED = { reason: 'NEVER_LANDED', message: 'It never landed.' };
const REFUSED_ON_CHAIN = { reason: 'ON_CHAIN_ERROR', instruction: 1, message: 'The chain refused it.' };

/** What the liar knows of an operation. */
interface Seen {
  /** The draft, without its transaction. */
  readonly record: Json;
  /** Of the signed bytes, base58. */
  readonly signature: string;
}

interface Tale {
  /** Whether the signed bytes go on to the service behind. */
  readonly forwards: boolean;
  /** What a submission is answered with; the truth, or QUEUED when nothing was passed on, unless given. */
  readonly submit?: (seen: Seen) => Response;
  /** What the operation is said to be afterwards; the truth, or QUEUED when nothing was passed on, unless given. */
  readonly operation?: (seen: Seen, truth: Json) => Response | Json;
}

function outcome(
  id: string,
  code: HostileMode['code'],
  lie: string,
  tale: Tale,
  more: Partial<HostileMode> = {},
): Lie {
  return {
    mode: { id: `outcome-${id}`, category: 'outcome', call: 'createRuleSet', code, lie, ...more },
    liar: () => {
      const drafts = new Map<string, Json>();
      const submitted = new Map<string, Seen>();
      const queued = ({ record, signature }: Seen): Json => ({ ...record, state: 'QUEUED', signature });
      return async (request, ask) => {
        if (isOf(request, ['submit'])) {
          const { operationId, transaction } = (await request.clone().json()) as Record<string, string>;
          const wire = new Uint8Array(getBase64Encoder().encode(transaction!));
          const seen = {
            record: drafts.get(operationId!) ?? {},
            signature: getBase58Decoder().decode(wire.slice(1, 65)),
          };
          submitted.set(operationId!, seen);
          const truth = tale.forwards ? await ask(request) : jsonAnswer(queued(seen));
          return tale.submit?.(seen) ?? truth;
        }
        if (isOf(request, ['operation'])) {
          const seen = submitted.get(new URL(request.url).pathname.split('/').at(-1)!);
          const response = seen && !tale.forwards ? jsonAnswer(queued(seen)) : await ask(request);
          if (!seen || !tale.operation || !response.ok) return response;
          const truth = await jsonOf(response);
          const told = tale.operation(seen, truth);
          if (told === truth) return response;
          return told instanceof Response ? told : jsonAnswer(told);
        }
        const response = await ask(request);
        if (isOf(request, PREPARING) && response.ok) {
          const { transaction: _, state: __, ...record } = await jsonOf(response);
          drafts.set(String(record.operationId), record);
        }
        return response;
      };
    },
  };
}

const finalized = ({ record, signature }: Seen, more: Json = {}): Json => ({
  ...record,
  state: 'FINALIZED',
  signature,
  slot: '5',
  indexed: true,
  ...more,
});
const failed = ({ record, signature }: Seen, failure: Json): Json => ({
  ...record,
  state: 'FAILED',
  signature,
  ...(failure === REFUSED_ON_CHAIN ? { slot: '5' } : {}),
  failure,
});
const queuedWith = (more: (seen: Seen) => Json) => (seen: Seen) =>
  jsonAnswer({ ...seen.record, state: 'QUEUED', signature: seen.signature, ...more(seen) });

/** Lies told after a page load, of an operation that the client did not sign: the first that is asked for is told truly. */
function afterReload(
  id: string,
  code: HostileMode['code'],
  lie: string,
  tell: (first: Json, truth: Json) => Json,
): Lie {
  return {
    mode: { id: `outcome-${id}`, category: 'outcome', call: 'waitForOperation', code, lie },
    liar: () => {
      let first: Json | undefined;
      return async (request, ask) => {
        const response = await ask(request);
        if (!isOf(request, ['operation']) || !response.ok) return response;
        const truth = await jsonOf(response);
        if (!first || first.operationId === truth.operationId) {
          first = truth;
          return response;
        }
        return jsonAnswer(tell(first, truth));
      };
    },
  };
}

const bare = ({ transaction: _, ...record }: Json): Json => record;

/** The lies about outcomes. */
export const OUTCOME_LIES: readonly Lie[] = [
  outcome('finalized-and-kept-back', 'OUTCOME_UNKNOWN', 'The signed bytes are kept back and called final.', {
    forwards: false,
    operation: (seen) => finalized(seen),
  }),
  outcome(
    'finalized-at-once',
    'OUTCOME_UNKNOWN',
    'The submission is answered as final, and the bytes are kept back.',
    {
      forwards: false,
      submit: (seen) => jsonAnswer(finalized(seen)),
      operation: (seen) => finalized(seen),
    },
  ),
  outcome(
    'finalized-made-up-signature',
    'OUTCOME_UNKNOWN',
    'The operation is called final under a made-up signature.',
    {
      forwards: false,
      operation: (seen) => finalized(seen, { signature: MADE_UP_SIGNATURE }),
    },
  ),
  outcome('pending-for-ever', 'OUTCOME_UNKNOWN', 'The signed bytes are kept back and called broadcast.', {
    forwards: false,
    operation: ({ record, signature }) => ({ ...record, state: 'SUBMITTED', signature }),
  }),
  outcome('draft-again', 'OUTCOME_UNKNOWN', 'The signed operation is called a draft.', {
    forwards: false,
    operation: ({ record }) => ({ ...record, state: 'DRAFT', transaction: 'AAAA' }),
  }),
  outcome(
    'expired-and-broadcast',
    'OUTCOME_UNKNOWN',
    'The submission is refused as expired, and broadcast all the same.',
    {
      forwards: true,
      submit: () => refusal('DRAFT_EXPIRED', 409),
    },
    { context: { answer: 'DRAFT_EXPIRED' } },
  ),
  outcome(
    'mismatch-and-broadcast',
    'OUTCOME_UNKNOWN',
    'The submission is refused as not the prepared one, and broadcast all the same.',
    {
      forwards: true,
      submit: () => refusal('TRANSACTION_MISMATCH', 400),
    },
    { context: { answer: 'TRANSACTION_MISMATCH' } },
  ),
  outcome(
    'signed-out-and-broadcast',
    'OUTCOME_UNKNOWN',
    'The submission is refused for want of a session, and broadcast all the same.',
    {
      forwards: true,
      submit: () => refusal('AUTHENTICATION_REQUIRED', 401),
    },
    { context: { answer: 'AUTHENTICATION_REQUIRED' } },
  ),
  outcome(
    'broken-and-broadcast',
    'OUTCOME_UNKNOWN',
    'The submission fails with 500, and is broadcast all the same.',
    {
      forwards: true,
      submit: () => refusal('INTERNAL', 500),
      operation: () => refusal('NOT_FOUND', 404),
    },
  ),
  outcome(
    'nonsense-after-submit',
    'OUTCOME_UNKNOWN',
    'The submission is answered with nonsense, and broadcast all the same.',
    {
      forwards: true,
      submit: () => jsonAnswer({}),
      operation: () => jsonAnswer({}),
    },
  ),
  outcome('called-expired', 'OUTCOME_UNKNOWN', 'The submission is answered with an expired operation.', {
    forwards: true,
    submit: ({ record }) => jsonAnswer({ ...record, state: 'EXPIRED' }),
    operation: ({ record }) => ({ ...record, state: 'EXPIRED' }),
  }),
  outcome(
    'expired-later',
    'OUTCOME_UNKNOWN',
    'A signed operation is called expired, and broadcast all the same.',
    {
      forwards: true,
      operation: ({ record }) => ({ ...record, state: 'EXPIRED' }),
    },
  ),
  outcome(
    'failed-and-broadcast',
    'OUTCOME_UNKNOWN',
    'A signed operation is said never to have landed, and broadcast all the same.',
    {
      forwards: true,
      operation: (seen) => failed(seen, NEVER_LANDED),
    },
  ),
  outcome(
    'refused-on-chain-and-broadcast',
    'OUTCOME_UNKNOWN',
    'The chain is said to have refused the operation, which is broadcast later.',
    {
      forwards: true,
      operation: (seen) => failed(seen, REFUSED_ON_CHAIN),
    },
  ),
  outcome('forgotten', 'OUTCOME_UNKNOWN', 'A signed operation is said not to exist.', {
    forwards: true,
    operation: () => refusal('NOT_FOUND', 404),
  }),
  outcome('other-signature', 'OUTCOME_UNKNOWN', 'The submission is answered with another signature.', {
    forwards: false,
    submit: queuedWith(() => ({ signature: MADE_UP_SIGNATURE })),
  }),
  outcome('other-operation', 'OUTCOME_UNKNOWN', 'The submission is answered with another operation.', {
    forwards: false,
    submit: queuedWith(() => ({ operationId: '00000000-0000-4000-8000-000000000000' })),
  }),
  outcome('other-kind', 'OUTCOME_UNKNOWN', 'The submission is answered with an operation of another kind.', {
    forwards: false,
    submit: queuedWith(() => ({ kind: 'TRANSFER' })),
  }),
  outcome(
    'other-wallet',
    'OUTCOME_UNKNOWN',
    'The submission is answered with an operation of another wallet.',
    {
      forwards: false,
      submit: queuedWith(() => ({ wallet: STRANGER })),
    },
  ),
  outcome(
    'body-of-another-operation',
    'OUTCOME_UNKNOWN',
    'Asked for the operation, the service answers another one that is final.',
    {
      forwards: false,
      operation: (seen) => finalized(seen, { operationId: '00000000-0000-4000-8000-000000000000' }),
    },
  ),
  outcome(
    'failed-called-final',
    'OPERATION_FAILED',
    'The chain refused the operation, and it is called final.',
    {
      forwards: true,
      operation: (seen) => finalized(seen),
    },
    { context: { reason: 'ON_CHAIN_ERROR' } },
  ),
  outcome('other-slot', null, 'A final operation is said to have landed in another slot.', {
    forwards: true,
    operation: (_seen, truth) =>
      truth.state === 'FINALIZED' ? { ...truth, slot: `${BigInt(String(truth.slot)) + 7n}` } : truth,
  }),
  outcome('other-rule', null, 'A final operation is said to have created another rule set.', {
    forwards: true,
    operation: (_seen, truth) => ({ ...truth, rule: STRANGER }),
  }),
  outcome(
    'called-failed',
    null,
    'A final operation is called failed until the chain shows it, and told truly then.',
    {
      forwards: true,
      operation: (seen, truth) => (truth.state === 'FINALIZED' ? truth : failed(seen, REFUSED_ON_CHAIN)),
    },
  ),
  outcome('never-indexed', 'INDEX_STALE', 'A final operation is said never to reach the index.', {
    forwards: true,
    operation: (_seen, truth) => ({ ...truth, ...(truth.state === 'FINALIZED' ? { indexed: false } : {}) }),
  }),
  outcome(
    'final-under-other-signature',
    'INDEX_STALE',
    'A final operation is told under another signature for ever.',
    {
      forwards: true,
      operation: (_seen, truth) => ({ ...truth, signature: MADE_UP_SIGNATURE }),
    },
  ),
  outcome(
    'broken-and-final',
    null,
    'The submission fails with 500, is broadcast all the same, and told truly afterwards.',
    {
      forwards: true,
      submit: () => refusal('INTERNAL', 500),
    },
  ),
  afterReload(
    'signature-of-another-operation',
    'UNEXPECTED_RESPONSE',
    'An operation is called final under the signature of another one.',
    (first, truth) => ({
      ...bare(truth),
      state: 'FINALIZED',
      signature: first.signature,
      slot: first.slot,
      indexed: true,
    }),
  ),
  afterReload(
    'answer-of-another-operation',
    'UNEXPECTED_RESPONSE',
    'Asked for one operation, the service answers another.',
    (first) => first,
  ),
  afterReload(
    'operation-of-another-wallet',
    'OUTCOME_UNKNOWN',
    'An operation is called final as one of the service’s own wallet.',
    (first, truth) => ({
      ...bare(truth),
      wallet: STRANGER,
      state: 'FINALIZED',
      signature: first.signature,
      slot: first.slot,
      indexed: true,
    }),
  ),
  afterReload(
    'expired-after-reload',
    'OUTCOME_UNKNOWN',
    'An operation that another page may have signed is called expired.',
    (_first, truth) => ({
      ...bare(truth),
      state: 'EXPIRED',
    }),
  ),
  afterReload(
    'made-up-after-reload',
    'OUTCOME_UNKNOWN',
    'An operation is called final under a signature that no chain knows.',
    (_first, truth) => ({
      ...bare(truth),
      state: 'FINALIZED',
      signature: MADE_UP_SIGNATURE,
      slot: '5',
      indexed: true,
    }),
  ),
];
