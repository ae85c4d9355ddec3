/** Checks arguments before they are read, so that a call without types throws INVALID_ARGUMENT and not a TypeError. */
import { addressField } from '@service/contract';
import { ServiceError } from '../errors.ts';

/** Throws ServiceError INVALID_ARGUMENT unless the value is an object. `like` shows an example. */
export function checkObject(field: string, value: unknown, like: string): void {
  if (typeof value !== 'object' || value === null) throw invalidArgument(field, `${field} must be ${like}.`);
}

/** Throws ServiceError INVALID_ARGUMENT unless the first argument looks like a wallet and the second is an object. */
export function checkCall(wallet: unknown, request: unknown): void {
  if (typeof (wallet as { address?: unknown } | null | undefined)?.address !== 'string') {
    throw invalidArgument(
      'wallet',
      'wallet must be the first argument: a kit signer, or what walletFromKeyPair or standardWallet returns.',
    );
  }
  checkObject('request', request, 'the second argument, an object such as { mint, destination, amount }');
}

/** Throws ServiceError INVALID_ARGUMENT with the name of the first value that is not an address. */
export function checkAddresses(addresses: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(addresses)) {
    if (!addressField.safeParse(value).success)
      throw invalidArgument(field, `${field} must be a base58 address of 32 bytes.`);
  }
}

/** Returns the error of a wrong argument. */
export function invalidArgument(field: string, message: string): ServiceError<'INVALID_ARGUMENT'> {
  return new ServiceError('INVALID_ARGUMENT', { message, context: { field } });
}
