import { useNetwork } from '@service/sdk/react';
import { useEffect, useState } from 'react';

const SECOND = 1_000;

/**
 * Returns the chain time in Unix seconds, and renders again each second. Passes expire by the clock of the chain, and the
 * clock of this machine can differ from it.
 */
export function useChainNow(): bigint | null {
  const { data: network, dataUpdatedAt } = useNetwork({ refetchInterval: 30_000 });
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, []);
  if (!network) return null;
  const passed = Math.max(0, Math.floor((now - dataUpdatedAt) / SECOND));
  return network.chainTime + BigInt(passed);
}
