import { type Address, isAddress } from '@solana/kit';
import { formatTokens } from '../chain/amounts.ts';
import { useMint } from '../chain/use-mint.ts';
import { useTokenAccountOwner } from '../chain/use-token-account.ts';
import { nameOrShortAddress } from '../site/address.tsx';
import type { Asked, Terms } from './describe-asked.ts';

/** Returns what writes a request in tokens and with the names of people. The data come from the page's own RPC. */
export function useTerms({ request }: Asked): Terms {
  const { data: mint } = useMint(addressOf(request.mint));
  const destination = addressOf(request.destination);
  const { data: owner } = useTokenAccountOwner(destination);
  return {
    tokens: (units) => (mint ? formatTokens(units, mint) : '…'),
    name: (address) => nameOrShortAddress(address === destination && owner ? owner : address),
  };
}

const addressOf = (value: unknown): Address | null =>
  typeof value === 'string' && isAddress(value) ? value : null;
