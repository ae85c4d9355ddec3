import { tokenAccountAddress } from '@service/protocol';
import type { Address } from '@solana/kit';
import { checkAddresses, checkObject } from '../lib/check-arguments.ts';
import { requirePlatform } from '../platform/check-platform.ts';

/**
 * Returns the address of an owner's token account for a bound mint: its associated token account under Token-2022
 * (SPEC.md section 2).
 */
export async function tokenAccountOf(options: {
  /** Base58 address of a Token-2022 mint. */
  readonly mint: Address;
  /** Base58 address of the owner. */
  readonly owner: Address;
}): Promise<Address> {
  requirePlatform();
  checkObject('options', options, 'an object: { mint, owner }');
  const { mint, owner } = options;
  checkAddresses({ mint, owner });
  return tokenAccountAddress({ mint, owner });
}
