import type { OperationRow } from '../database/schema.ts';

/** Returns the message that submitted bytes must equal (SPEC.md section 4, prepare rule 4). */
export function messageToSign({
  message,
  adopted_message: adopted,
}: Pick<OperationRow, 'message' | 'adopted_message'>): Uint8Array {
  return adopted ?? message;
}
