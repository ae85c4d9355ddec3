/** Edits of prepared operations. */
import type { OperationKind } from '@service/contract';
import { isOperationId } from '@service/protocol';
import { PREPARING } from '../../routes.ts';
import type { Message } from '../../transaction-message.ts';
import type { Tamper } from '../hostile-mode.ts';
import { readDraft, writeDraft } from './message-draft.ts';
import { type Exchange, editJson, type Json } from './responses.ts';

/** A response that prepares an operation. */
export type DraftJson = Json & { kind: OperationKind; operationId: string; transaction: string };

/** Returns another message, another transaction in base64, or null if there is nothing to change. */
export type TransactionEdit = (
  draft: Message,
  preparing: DraftJson & { readonly exchange: Exchange },
) => Message | string | null | Promise<Message | string | null>;

/** Changes each draft. */
export const changeDraft = (edit: (draft: DraftJson) => Json): Tamper =>
  editJson(PREPARING, (json) => (isDraft(json) ? edit(json) : json));

/** Changes the transaction of each draft, or only of operations of some kinds. */
export const changeTransaction = (edit: TransactionEdit, kinds?: readonly OperationKind[]): Tamper =>
  editJson(PREPARING, async (operation, exchange) => {
    if (!isDraft(operation) || (kinds && !kinds.includes(operation.kind))) return operation;
    const edited = await edit(readDraft(operation.transaction), { ...operation, exchange });
    if (edited === null) return operation;
    return { ...operation, transaction: typeof edited === 'string' ? edited : writeDraft(edited) };
  });

function isDraft(json: Json): json is DraftJson {
  return (
    json.state === 'DRAFT' && typeof json.transaction === 'string' && isOperationId(String(json.operationId))
  );
}
