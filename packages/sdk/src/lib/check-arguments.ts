/** What a call is given, checked before anything is read of it: a call without types gets INVALID_ARGUMENT, no TypeError. */
import { addressField } from '@service/contract';
import { ServiceError } from '../errors.ts';

/** Throws ServiceError INVALID_ARGUMENT unless it is an object; `like` shows one. */
export function checkObject(field: string, value: unknown, like: string): void {
  if (typeof value !== 'object' || value === null) throw invalidArgument(field, `${field} must be ${like}.`);
}

/** Throws ServiceError INVALID_ARGUMENT unless the first argument looks like a wallet and the second is an object. */
export function checkCall(wallet: unknown, request: unknown): void {
  if (typeof (wallet as { address?: unknown } | null | undefined)?.address !== 'string') {
    throw invalidArgument(
      'wallet',
      'wallet must be the first argument: a kit signer, or what walletFromKeyPair or standardWallet gives.',
    );
  }
  checkObject('request', request, 'the second argument, an object such as { mint, destination, amount }');
}

/** Throws ServiceError INVALID_ARGUMENT naming the first that is no address. */
export function checkAddresses(addresses: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(addresses)) {
    if (!addressField.safeParse(value).success)
      throw invalidArgument(field, `${field} must be a base58 address of 32 bytes.`);
  }
}

/** The refusal of an argument. */
export function invalidArgument(field: string, message: string): ServiceError<'INVALID_ARGUMENT'> {
  return new ServiceError('INVALID_ARGUMENT', { message, context: { field } });
}
