/** Checks arguments before they are read, so that a call without types throws INVALID_ARGUMENT and not a TypeError. */
import { addressField } from '@service/contract/fields';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';

/** How a page gets a wallet from a handle of `@wallet-standard/ui`. */
export const FROM_HANDLE =
  'Pass { ...useWalletAccountMessageSigner(account), ...useWalletAccountTransactionSigner(account, chain) } of @solana/react, where account is a UiWalletAccount, or the wallet of useWallet of @service/sdk/react.';

/** Throws ServiceError INVALID_ARGUMENT unless the value is an object. `like` shows an example. */
export function checkObject(field: string, value: unknown, like: string): void {
  if (typeof value !== 'object' || value === null) throw invalidArgument(field, `${field} must be ${like}.`);
}

/**
 * Checks the options that many calls have: `signal`, `timeoutMs` and listeners. As in `fetch`, a signal may be null.
 *
 * @throws ServiceError INVALID_ARGUMENT
 */
export function checkOptions(options: unknown): void {
  checkObject('options', options, 'an object such as { signal }. You can leave it out');
  const { signal, timeoutMs, ...others } = options as Readonly<Record<string, unknown>>;
  if (signal !== undefined && signal !== null && !isSignal(signal)) {
    throw invalidArgument('signal', 'signal must be an AbortSignal.');
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 0)) {
    throw invalidArgument('timeoutMs', 'timeoutMs must be a number of milliseconds.');
  }
  for (const field of ['onState', 'onPrepared', 'onProgress', 'onReady']) {
    if (others[field] === undefined || typeof others[field] === 'function') continue;
    throw invalidArgument(field, `${field} must be a function. You can leave it out.`);
  }
}

/** Returns whether a value works as an AbortSignal. One of another realm fails instanceof. */
function isSignal(value: unknown): boolean {
  const { aborted, addEventListener } = value as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** Returns the address of a wallet, unchecked. Throws ServiceError INVALID_ARGUMENT if a getter of the wallet throws. */
export function addressOf(wallet: unknown): unknown {
  try {
    return (wallet as { address?: unknown } | null | undefined)?.address;
  } catch {
    throw invalidArgument('wallet', 'wallet.address threw. Connect the wallet first, then pass it again.');
  }
}

/**
 * Returns the address of the first argument. Throws ServiceError INVALID_ARGUMENT unless that argument looks like a wallet
 * and the second one is an object.
 */
export function checkCall(wallet: unknown, request: unknown): Address {
  const address = addressOf(wallet);
  if (typeof address !== 'string') {
    throw invalidArgument(
      'wallet',
      'wallet must be the first argument: a kit signer, or what walletFromKeyPair or standardWallet returns.',
    );
  }
  checkObject('request', request, 'the second argument, an object such as { mint, destination, amount }');
  return address as Address;
}

/** Throws ServiceError INVALID_ARGUMENT with the name of the first value that is not an address. */
export function checkAddresses(addresses: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(addresses)) {
    if (!addressField.safeParse(value).success)
      throw invalidArgument(field, `${field} must be a base58 address of 32 bytes.`);
  }
}

/** Throws ServiceError INVALID_ARGUMENT unless the value is a source of artifacts. */
export function checkSource(artifacts: unknown): void {
  if (typeof (artifacts as { load?: unknown } | null | undefined)?.load === 'function') return;
  throw invalidArgument('artifacts', 'artifacts must be client.artifacts, or what artifactsFrom returns.');
}

/** Throws ServiceError INVALID_ARGUMENT unless the value is a native prover or undefined. */
export function checkProver(prover: unknown): void {
  if (prover === undefined || typeof (prover as { prove?: unknown } | null)?.prove === 'function') return;
  throw invalidArgument('prover', 'prover must be an object with the function prove.');
}

/** Reads the rule set of a request. Throws ServiceError INVALID_ARGUMENT. */
export function readRule(request: { readonly rule: Address }): { readonly rule: Address } {
  checkObject('request', request, 'an object: { rule }');
  const { rule } = request;
  checkAddresses({ rule });
  return { rule };
}

/** Returns the error of a wrong argument. */
export function invalidArgument(field: string, message: string): ServiceError<'INVALID_ARGUMENT'> {
  return new ServiceError('INVALID_ARGUMENT', { message, context: { field } });
}
