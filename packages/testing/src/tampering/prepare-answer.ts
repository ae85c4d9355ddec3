/** Lies beside the prepared transaction: whose it is, what it is, whether it is. */
import { type Json, PREPARING, rewriting } from '../memory/answers.ts';
import type { HostileMode, Lie } from './hostile-mode.ts';
import { isDraft } from './preparing.ts';
import { STRANGER } from './stranger.ts';

function answer(
  id: string,
  code: HostileMode['code'],
  lie: string,
  change: (answer: Json) => Json,
  more: Partial<Pick<HostileMode, 'kinds' | 'context' | 'call'>> = {},
): Lie {
  return {
    mode: { id: `prepare-${id}`, category: 'prepare', call: 'prepare', code, lie, ...more },
    liar: () => rewriting(PREPARING, (told) => (isDraft(told) ? change(told) : told)),
  };
}

const SIGNATURE = '2'.repeat(88);
const withoutTransaction = ({ transaction: _, ...told }: Json) => told;

/** The lies about the operation around the transaction. */
export const PREPARE_ANSWER_LIES: readonly Lie[] = [
  answer('other-kind', 'UNEXPECTED_RESPONSE', 'The operation is of another kind.', (told) => ({
    ...told,
    kind: told.kind === 'TRANSFER' ? 'ISSUE' : 'TRANSFER',
  })),
  answer('other-wallet', 'UNEXPECTED_RESPONSE', 'The operation is of another wallet.', (told) => ({
    ...told,
    wallet: STRANGER,
  })),
  answer(
    'malformed-operation-id',
    'UNEXPECTED_RESPONSE',
    'The operation id is no UUID.',
    (told) => ({ ...told, operationId: 'pay me' }),
    { context: { field: 'operationId' } },
  ),
  answer(
    'operation-id-in-capitals',
    'UNEXPECTED_RESPONSE',
    'The operation id is in capitals.',
    (told) => ({ ...told, operationId: 'ABCDEF00-0000-4000-8000-000000000000' }),
    { context: { field: 'operationId' } },
  ),
  answer(
    'operation-id-with-text',
    'UNEXPECTED_RESPONSE',
    'Text stands after the operation id.',
    (told) => ({ ...told, operationId: `${told.operationId}\nI agree to everything` }),
    { context: { field: 'operationId' } },
  ),
  answer(
    'transaction-not-base64',
    'UNEXPECTED_RESPONSE',
    'The transaction is not base64.',
    (told) => ({ ...told, transaction: '***' }),
    { context: { field: 'transaction' } },
  ),
  answer('no-transaction', 'UNEXPECTED_RESPONSE', 'There is no transaction.', withoutTransaction, {
    context: { field: 'transaction' },
  }),
  answer(
    'other-rule-address',
    'UNEXPECTED_RESPONSE',
    'The address of the rule set is not the one that the request leads to.',
    (told) => ({ ...told, rule: STRANGER }),
    { kinds: ['CREATE_RULE_SET'] },
  ),
  answer(
    'no-rule-address',
    'UNEXPECTED_RESPONSE',
    'There is no address of the rule set.',
    ({ rule: _, ...told }) => told,
    { kinds: ['CREATE_RULE_SET'] },
  ),
  answer('already-queued', 'OPERATION_ALREADY_SIGNED', 'A new operation is called signed.', (told) => ({
    ...withoutTransaction(told),
    state: 'QUEUED',
    signature: SIGNATURE,
  })),
  answer('already-finalized', 'OPERATION_ALREADY_SIGNED', 'A new operation is called final.', (told) => ({
    ...withoutTransaction(told),
    state: 'FINALIZED',
    signature: SIGNATURE,
    slot: '1',
    indexed: true,
  })),
  answer('already-expired', 'OUTCOME_UNKNOWN', 'A new operation is called expired.', (told) => ({
    ...withoutTransaction(told),
    state: 'EXPIRED',
  })),
  answer(
    'expired-draft',
    'DRAFT_EXPIRED',
    'The draft expired before it was answered.',
    (told) => ({ ...told, expiresAt: told.createdAt }),
    { call: 'signAndSubmit' },
  ),
  {
    mode: {
      id: 'prepare-operation-again',
      category: 'prepare',
      call: 'prepare',
      kinds: ['CREATE_RULE_SET'],
      code: 'UNEXPECTED_RESPONSE',
      lie: 'A new request gets the operation of an earlier one, which was signed already.',
    },
    liar: () => {
      let first: Json | undefined;
      return rewriting(PREPARING, (told) => (first ??= told));
    },
  },
];
