/** The arguments that name an operation. */
import { addressField, signatureField } from '@service/contract/fields';
import { isOperationId } from '@service/protocol';
import { isSignature } from '@solana/kit';
import { invalidArgument } from '../lib/check-arguments.ts';

/**
 * Checks the arguments that name an operation. Callers keep them over a reload, and an empty storage returns null.
 *
 * @throws ServiceError INVALID_ARGUMENT
 */
export function checkWhich(
  operationId: unknown,
  { wallet, signature }: { readonly wallet?: unknown; readonly signature?: unknown },
): void {
  if (typeof operationId !== 'string' || !isOperationId(operationId))
    throw invalidArgument('operationId', 'operationId must be the UUID of an operation.');
  if (wallet !== undefined && !addressField.safeParse(wallet).success)
    throw invalidArgument('wallet', 'wallet must be the base58 address of the wallet that signed it.');
  if (signature !== undefined && !isBase58OfSignature(signature))
    throw invalidArgument('signature', 'signature must be the base58 signature that the wallet gave for it.');
}

function isBase58OfSignature(text: unknown): boolean {
  return signatureField.safeParse(text).success && isSignature(text as string);
}
