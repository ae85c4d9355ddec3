import { useEffect, useState } from 'react';
import type { Confirmed } from '../rpc/confirmed-options.ts';

/**
 * Returns the seconds until a confirmed transaction is probably final, and counts them down; 0 once they have passed. Returns
 * null if nothing is confirmed, or if your RPC gave no estimate (SPEC.md section 3).
 *
 * @param confirmed `confirmed` of a write, of the progress of a proof, or of an operation under way
 * @example
 * function Send() {
 *   const { mutate, confirmed } = useTransfer(wallet);
 *   const finalIn = useFinalIn(confirmed);
 *   return <>
 *     <button onClick={() => mutate(request)}>Send</button>
 *     {confirmed && <p>Confirmed{finalIn ? `, final in ${finalIn} s` : ''}</p>}
 *   </>;
 * }
 */
export function useFinalIn(confirmed: Confirmed | null | undefined): number | null {
  const [now, setNow] = useState(0);
  const { finalIn = null, seenAt = 0 } = confirmed ?? {};
  useEffect(() => {
    if (finalIn === null) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [finalIn]);
  if (finalIn === null) return null;
  // The time of an earlier render can be older than the estimate.
  const passed = Math.max(0, now - seenAt) / 1_000;
  return Math.max(0, Math.ceil(finalIn - passed));
}
