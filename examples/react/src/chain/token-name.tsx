import type { Address } from '@solana/kit';
import { shortAddress } from '../site/address.tsx';
import { useMint } from './use-mint.ts';

/** Returns how people call a token: by its name and its symbol, or by its address. Anybody can give any name to a mint. */
export function useTokenName(mint: Address): string {
  const { data } = useMint(mint);
  return data?.name ? `${data.name} (${data.symbol}), ${shortAddress(mint)}` : shortAddress(mint);
}

/** A choice of a token in a select. */
export function TokenOption({ mint }: { readonly mint: Address }) {
  return <option value={mint}>{useTokenName(mint)}</option>;
}
