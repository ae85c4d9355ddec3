/** The common code of the modes that replace a prepared transaction. */
import type { OperationKind } from '@service/contract';
import { isOperationId } from '@service/protocol';
import { PREPARING } from '../routes.ts';
import type { Message } from '../transaction-message.ts';
import {
  type HostileMode,
  type Table,
  type Tampering,
  type TamperOptions,
  tamperings,
} from './hostile-mode.ts';
import { readDraft, writeDraft } from './message-draft.ts';
import { type Exchange, editJson, type Json } from './responses.ts';

/** A response that prepares an operation. */
export type DraftJson = Json & { kind: OperationKind; operationId: string; transaction: string };

/** The values that an edit can use besides the draft; `transaction` is the service's own, in base64. */
export type Preparing = DraftJson & TamperOptions & { readonly exchange: Exchange };

/** Returns another draft, another transaction in base64, or null if there is nothing to change. */
export type TransactionEdit = (
  draft: Message,
  preparing: Preparing,
) => Message | string | null | Promise<Message | string | null>;

/** Modes that replace the transaction of every operation that is prepared. */
export function transactions<Change>(
  defaults: Partial<HostileMode>,
  editOf: (change: Change) => TransactionEdit,
  table: Table<Change>,
): readonly Tampering[] {
  return tamperings(
    { category: 'prepare', call: 'signAndSubmit', code: 'PREPARED_MISMATCH', ...defaults },
    (change, { kinds }, options) =>
      editJson(PREPARING, async (operation, exchange) => {
        if (!isDraft(operation) || (kinds && !kinds.includes(operation.kind))) return operation;
        const draft = readDraft(operation.transaction);
        const edited = await editOf(change)(draft, { ...options, ...operation, exchange });
        if (edited === null) return operation;
        return { ...operation, transaction: typeof edited === 'string' ? edited : writeDraft(edited) };
      }),
    table,
  );
}

/** Returns whether a response is a draft. */
export function isDraft(json: Json): json is DraftJson {
  return (
    json.state === 'DRAFT' && typeof json.transaction === 'string' && isOperationId(String(json.operationId))
  );
}
