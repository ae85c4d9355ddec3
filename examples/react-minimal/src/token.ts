import { type Address, isAddress } from '@solana/kit';

/** What the issuer created for this page. */
export interface Token {
  readonly rule: Address;
  readonly mint: Address;
}

type Settings = Pick<ImportMetaEnv, 'VITE_RULE' | 'VITE_MINT'>;

/** Returns null until the settings of Vite have both addresses that the issuer prints. */
export function readToken({ VITE_RULE: rule = '', VITE_MINT: mint = '' }: Settings): Token | null {
  return isAddress(rule) && isAddress(mint) ? { rule, mint } : null;
}
