/** The price of rent, from the sysvar that programs read. */
import { getF64Decoder, getU64Decoder, type MaybeEncodedAccount } from '@solana/kit';

/** Returns the lamports that make an account of so many bytes exempt from rent. */
export type Rent = (bytes: bigint | number) => bigint;

/** Bytes that each account pays for in addition to its data. */
const ACCOUNT_OVERHEAD = 128n;

/** Returns the rent by the account of `RENT_SYSVAR`. Throws if it is another account, so that no rent counts as free. The result throws for a rent that is no u64. */
export function rentOf(sysvar: MaybeEncodedAccount | undefined): Rent {
  if (!sysvar?.exists) throw new Error('The RPC returned no account of the rent sysvar.');
  // A price per byte, and a factor in years.
  const price = getU64Decoder().decode(sysvar.data);
  const factor = getF64Decoder().decode(sysvar.data, 8);
  return (bytes) => {
    const rent = Math.floor(Number((ACCOUNT_OVERHEAD + BigInt(bytes)) * price) * factor);
    if (!(rent >= 0 && rent < 2 ** 64)) throw new Error('The RPC returned a rent that is not valid.');
    return BigInt(rent);
  };
}
