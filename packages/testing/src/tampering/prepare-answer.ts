/** Tampers with the operation around a prepared transaction. */
import { PREPARING } from '../routes.ts';
import { type HostileMode, type Table, type Tampering, tamperings, UNKNOWN_ADDRESS } from './hostile-mode.ts';
import { isDraft } from './prepared-transaction.ts';
import { editJson, type Json, set, without } from './responses.ts';

/** Modes that change a draft. */
const drafts = (
  code: HostileMode['code'],
  defaults: Partial<HostileMode>,
  table: Table<(draft: Json) => Json>,
): readonly Tampering[] =>
  tamperings(
    { category: 'prepare', call: 'prepare', code, ...defaults },
    (edit) => editJson(PREPARING, (json) => (isDraft(json) ? edit(json) : json)),
    table,
  );

/** Replaces the transaction by the fields of an operation that is not a draft. */
const called =
  (fields: Json) =>
  ({ transaction: _, ...rest }: Json): Json => ({ ...rest, ...fields });

const SIGNATURE = '2'.repeat(88);

/** Tampers with the operation around the transaction. */
export const PREPARE_ANSWER_TAMPERINGS: readonly Tampering[] = [
  ...drafts(
    'UNEXPECTED_RESPONSE',
    {},
    {
      'other-kind': [
        'The operation has another kind.',
        (draft) => ({ ...draft, kind: draft.kind === 'TRANSFER' ? 'ISSUE' : 'TRANSFER' }),
      ],
      'other-wallet': ['The operation has another wallet.', set({ wallet: UNKNOWN_ADDRESS })],
    },
  ),
  ...drafts(
    'UNEXPECTED_RESPONSE',
    { context: { field: 'operationId' } },
    {
      'malformed-operation-id': ['The operation id is not a UUID.', set({ operationId: 'pay me' })],
      'operation-id-in-capitals': [
        'The operation id is in capitals.',
        set({ operationId: 'ABCDEF00-0000-4000-8000-000000000000' }),
      ],
      'operation-id-with-text': [
        'The operation id has text after it.',
        (draft) => ({ ...draft, operationId: `${draft.operationId}\nI agree to everything` }),
      ],
    },
  ),
  ...drafts(
    'UNEXPECTED_RESPONSE',
    { context: { field: 'transaction' } },
    {
      'transaction-not-base64': ['The transaction is not base64.', set({ transaction: '***' })],
      'no-transaction': ['The transaction is missing.', without('transaction')],
    },
  ),
  ...drafts(
    'UNEXPECTED_RESPONSE',
    { kinds: ['CREATE_RULE_SET'] },
    {
      'other-rule-address': [
        'The address of the rule set does not follow from the request.',
        set({ rule: UNKNOWN_ADDRESS }),
      ],
      'no-rule-address': ['The address of the rule set is missing.', without('rule')],
    },
  ),
  ...drafts(
    'OPERATION_ALREADY_SIGNED',
    {},
    {
      'already-queued': [
        'A new operation is called signed.',
        called({ state: 'QUEUED', signature: SIGNATURE }),
      ],
      'already-finalized': [
        'A new operation is called final.',
        called({ state: 'FINALIZED', signature: SIGNATURE, slot: '1', indexed: true }),
      ],
    },
  ),
  ...drafts(
    'OUTCOME_UNKNOWN',
    {},
    {
      'already-expired': ['A new operation is called expired.', called({ state: 'EXPIRED' })],
    },
  ),
  ...drafts(
    'DRAFT_EXPIRED',
    { call: 'signAndSubmit' },
    {
      'expired-draft': [
        'The draft has expired when it arrives.',
        (draft) => ({ ...draft, expiresAt: draft.createdAt }),
      ],
    },
  ),
  ...tamperings(
    { category: 'prepare', call: 'prepare', code: 'UNEXPECTED_RESPONSE', kinds: ['CREATE_RULE_SET'] },
    () => {
      let first: Json | undefined;
      return editJson(PREPARING, (json) => (first ??= json));
    },
    { 'operation-again': ['A new request gets an earlier operation, which was signed.', undefined] },
  ),
];
