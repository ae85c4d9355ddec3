import { isServiceError } from '@service/sdk';
import { useEffect, useState } from 'react';

const NEXT_ACTS = ['input', 'click'] as const;

/** Returns whether the person knows of an error and went on: a declined request is over with the next thing that they do. */
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
