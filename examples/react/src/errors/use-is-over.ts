import { isServiceError } from '@service/sdk';
import { useEffect, useState } from 'react';

const NEXT_ACTS = ['input', 'click'] as const;

/** Returns whether an error no longer matters: a declined request is over when the person acts again. */
export function useIsOver(error: Error): boolean {
  const [over, setOver] = useState<Error | null>(null);
  useEffect(() => {
    if (!isServiceError(error, 'WALLET_REJECTED')) return;
    const goOn = () => setOver(error);
    for (const act of NEXT_ACTS) document.addEventListener(act, goOn);
    return () => {
      for (const act of NEXT_ACTS) document.removeEventListener(act, goOn);
    };
  }, [error]);
  return over === error;
}
