import type { Address } from '@solana/kit';
import { useState } from 'react';

/** Keeps the mints that a wallet created here: until a mint is bound, no record of the service names it. */
export function useOwnMints(wallet: Address) {
  const key = `mints:${wallet}`;
  const [mints, setMints] = useState<readonly Address[]>(() => JSON.parse(localStorage.getItem(key) ?? '[]'));
  const add = (mint: Address) => {
    const next = [mint, ...mints];
    localStorage.setItem(key, JSON.stringify(next));
    setMints(next);
  };
  return { mints, add };
}
