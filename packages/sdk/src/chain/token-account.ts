import { tokenAccountAddress } from '@service/protocol';
import type { Address } from '@solana/kit';

/** The usual token account of an owner for a bound mint: its associated token account under Token-2022. */
export async function tokenAccountOf(options: {
  readonly mint: Address;
  readonly owner: Address;
}): Promise<Address> {
  return tokenAccountAddress(options);
}
