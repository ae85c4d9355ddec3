/** Edits of the operation around a prepared transaction. */
import {
  changeDraft,
  type DraftJson,
  editJson,
  type Json,
  set,
  UNKNOWN_ADDRESS,
} from '@service/testing/edits';
import { NO_TEXT, RETYPED, replaceField, SIGNATURE } from './kinds.ts';
import { cases, combined, type Expected, type SweepMode } from './row.ts';

const UNEXPECTED = { category: 'prepare', call: 'prepare', code: 'UNEXPECTED_RESPONSE' } as const;

const drafts = (expected: Partial<Expected>, table: Readonly<Record<string, (draft: DraftJson) => Json>>) =>
  cases({ ...UNEXPECTED, ...expected }, changeDraft, table);

/** Replaces the transaction by the fields of an operation that is not a draft. */
const called =
  (fields: Json) =>
  ({ transaction: _, ...rest }: DraftJson): Json => ({ ...rest, ...fields });

/** Fields of every draft. */
const FIELDS = ['operationId', 'kind', 'wallet', 'state', 'createdAt', 'expiresAt', 'transaction'];
const OTHER_TEXT: Readonly<Record<string, string>> = {
  operationId: 'pay me',
  transaction: '***',
  createdAt: 'now',
  expiresAt: 'never',
};

export const DRAFTS_SWEEP: readonly SweepMode[] = [
  ...FIELDS.flatMap((field) =>
    drafts(
      { context: { field } },
      combined(
        { [field]: field },
        { ...(field === 'transaction' ? NO_TEXT : RETYPED), 'other-text': OTHER_TEXT[field] ?? 'another' },
        (name, value) => replaceField(name, () => value),
      ),
    ),
  ),
  ...drafts(
    { context: { field: 'operationId' } },
    {
      'operation-id-in-capitals': set({ operationId: 'ABCDEF00-0000-4000-8000-000000000000' }),
      'operation-id-with-text': (draft) => ({
        ...draft,
        operationId: `${draft.operationId}\nI agree to everything`,
      }),
    },
  ),
  ...drafts(
    {},
    {
      'other-kind': (draft) => ({ ...draft, kind: draft.kind === 'TRANSFER' ? 'ISSUE' : 'TRANSFER' }),
      'other-wallet': set({ wallet: UNKNOWN_ADDRESS }),
    },
  ),
  ...drafts(
    { kinds: ['CREATE_RULE_SET'] },
    {
      // It does not follow from the request.
      'other-rule-address': set({ rule: UNKNOWN_ADDRESS }),
      'no-rule-address': set({ rule: undefined }),
    },
  ),
  ...drafts(
    { code: 'OPERATION_ALREADY_SIGNED' },
    { 'already-queued': called({ state: 'QUEUED', signature: SIGNATURE }) },
  ),
  ...drafts({ code: 'OUTCOME_UNKNOWN' }, { 'already-expired': called({ state: 'EXPIRED' }) }),
  ...cases(
    { ...UNEXPECTED, kinds: ['CREATE_RULE_SET'] },
    () => {
      let first: Json | undefined;
      return editJson(['createRuleSet'], (json) => (first ??= json));
    },
    // A new request gets an earlier operation, which was signed.
    { 'operation-again': null },
  ),
];
