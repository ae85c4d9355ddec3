/** The frame of every lie about a prepared transaction. */
import type { OperationKind } from '@service/contract';
import { isOperationId } from '@service/protocol';
import { type Asked, type Json, PREPARING, rewriting } from '../memory/answers.ts';
import type { HostileMode, Lie, LieOptions } from './hostile-mode.ts';
import { type MessageDraft, readDraft, writeDraft } from './message-draft.ts';

/** What an edit of a prepared transaction knows. */
export interface Preparing extends LieOptions {
  readonly kind: OperationKind;
  readonly operationId: string;
  /** The unsigned transaction of the service behind, base64. */
  readonly transaction: string;
  readonly asked: Asked;
}

type Told = Pick<HostileMode, 'id' | 'lie'> &
  Partial<Pick<HostileMode, 'kinds' | 'code' | 'call' | 'context'>>;

/**
 * A lie that answers every prepare with another transaction: a draft taken apart and changed, or base64 of any bytes;
 * null where there is nothing to change.
 */
export function preparing(
  { id, lie, kinds, code = 'PREPARED_MISMATCH', call = 'signAndSubmit', context }: Told,
  edit: (
    draft: MessageDraft,
    preparing: Preparing,
  ) => MessageDraft | string | null | Promise<MessageDraft | string | null>,
): Lie {
  return {
    mode: {
      id,
      category: 'prepare',
      lie,
      call,
      code,
      ...(kinds ? { kinds } : {}),
      ...(context ? { context } : {}),
    },
    liar: (options) =>
      rewriting(PREPARING, async (answer, asked) => {
        if (!isDraft(answer) || (kinds && !kinds.includes(answer.kind))) return answer;
        const edited = await edit(readDraft(answer.transaction), { ...options, ...answer, asked });
        if (edited === null) return answer;
        return { ...answer, transaction: typeof edited === 'string' ? edited : writeDraft(edited) };
      }),
  };
}

/** Whether an answer is a draft. */
export function isDraft(
  answer: Json,
): answer is Json & { kind: OperationKind; operationId: string; transaction: string } {
  return (
    answer.state === 'DRAFT' &&
    typeof answer.transaction === 'string' &&
    isOperationId(String(answer.operationId))
  );
}
