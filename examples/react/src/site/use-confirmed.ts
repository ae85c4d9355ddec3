import type { Confirmed } from '@service/sdk';
import { useState } from 'react';

/** Follows a transaction that a function of `@service/sdk/chain` sends: pass `onConfirmed` to it, and `onMutate` to the mutation. */
export function useConfirmed() {
  const [confirmed, onConfirmed] = useState<Confirmed | null>(null);
  return { confirmed, onConfirmed, onMutate: () => onConfirmed(null) };
}
