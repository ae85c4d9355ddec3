import type { Address } from '@solana/kit';
import { shortAddress } from '../site/address.tsx';
import { useMint } from './use-mint.ts';

/** Returns what people call a token: its name and symbol, with its address. Anybody can give any name to a mint. */
export function useTokenName(mint: Address): string {
  const { data } = useMint(mint);
  return data?.name ? `${data.name} (${data.symbol}), ${shortAddress(mint)}` : shortAddress(mint);
}

/** An option for a token in a select. */
export function TokenOption({ mint }: { readonly mint: Address }) {
  return <option value={mint}>{useTokenName(mint)}</option>;
}
