import type { Confirmed } from '@service/sdk';
import { type Readiness, useFinalIn } from '@service/sdk/react';
import type { ReactNode } from 'react';

interface WriteStatusProps {
  readonly isPending: boolean;
  /** How far the write is that gets ready ahead of the click. */
  readonly readiness?: Readiness;
  /** Set while the page's own RPC shows the transaction as confirmed. It is progress, never the end. */
  readonly confirmed?: Confirmed | null;
  /** What to say at other times. */
  readonly children?: ReactNode;
}

/** The click asks the wallet at once. */
export const READY = 'Ready to sign.';

/** Says what to do while a write runs, and how it ended. */
export function WriteStatus({ isPending, readiness, confirmed, children }: WriteStatusProps) {
  const underWay = confirmed
    ? 'Confirmed, and not final yet.'
    : 'Approve in your wallet, then wait some seconds until it is final.';
  return (
    <p role="status" className={isPending ? 'waiting' : 'result'}>
      {isPending ? underWay : children}
      {isPending && <Countdown confirmed={confirmed} />}
      {!isPending && readiness === 'preparing' && ' Getting ready…'}
      {!isPending && readiness === 'ready' && ` ${READY}`}
    </p>
  );
}

/** Counts down until a confirmed transaction is probably final. A screen reader would read out each second. */
export function Countdown({ confirmed }: { readonly confirmed: Confirmed | null | undefined }) {
  const finalIn = useFinalIn(confirmed);
  return finalIn ? <span aria-hidden="true"> Final in about {finalIn} s.</span> : null;
}
