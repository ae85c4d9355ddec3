import type { Readiness } from '@service/sdk/react';
import type { ReactNode } from 'react';

interface WriteStatusProps {
  readonly isPending: boolean;
  /** How far the write is that gets ready ahead of the click. */
  readonly readiness?: Readiness;
  /** What to say at other times. */
  readonly children?: ReactNode;
}

/** The click asks the wallet at once. */
export const READY = 'Ready to sign.';

/** Says what to do while a write runs, and how it ended. */
export function WriteStatus({ isPending, readiness, children }: WriteStatusProps) {
  return (
    <p role="status" className={isPending ? 'waiting' : 'result'}>
      {isPending ? 'Approve in your wallet, then wait some seconds until it is final.' : children}
      {!isPending && readiness === 'preparing' && ' Getting ready…'}
      {!isPending && readiness === 'ready' && ` ${READY}`}
    </p>
  );
}
