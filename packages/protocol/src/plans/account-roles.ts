/** The accounts of an instruction by their names. */
import type { AccountMeta, AccountRole, Address } from '@solana/kit';

/** The names of the accounts of an instruction in their order, each with its role. */
export type AccountRoles = Readonly<Record<string, AccountRole>>;

/** An address for each account. */
type AddressesOf<R extends AccountRoles> = { readonly [Name in keyof R]: Address };

/** Returns the accounts of an instruction as it lists them. */
export function accountMetas<R extends AccountRoles>(roles: R, addresses: AddressesOf<R>): AccountMeta[] {
  return Object.entries(roles).map(([name, role]) => ({ address: addresses[name]!, role }));
}

/** Returns the addresses that an instruction lists, by name. Throws RangeError if there are too few. */
export function addressesByName<R extends AccountRoles>(
  roles: R,
  listed: readonly Address[],
): AddressesOf<R> {
  const names = Object.keys(roles);
  if (listed.length < names.length) throw new RangeError('the instruction has too few accounts');
  return Object.fromEntries(names.map((name, index) => [name, listed[index]])) as AddressesOf<R>;
}
