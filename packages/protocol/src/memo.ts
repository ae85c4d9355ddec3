/** The memo that links a transaction to its operation (SPEC.md sections 4 and 9). */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The text before the operation id in a memo. */
export const MEMO_PREFIX = 'service:v1:';

/** Returns whether a text is an operation id: a lowercase UUID. */
export function isOperationId(text: string): boolean {
  return UUID.test(text);
}

/** Returns the memo text of an operation, `service:v1:<operationId>`. Throws RangeError unless the id is a lowercase UUID. */
export function memoText(operationId: string): string {
  if (!isOperationId(operationId)) throw new RangeError('operation id must be a lowercase UUID');
  return `${MEMO_PREFIX}${operationId}`;
}
