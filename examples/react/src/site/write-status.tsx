import type { ReactNode } from 'react';

interface WriteStatusProps {
  readonly isPending: boolean;
  /** What to say at other times. */
  readonly children?: ReactNode;
}

/** Says what to do while a write runs, and how it ended. */
export function WriteStatus({ isPending, children }: WriteStatusProps) {
  return (
    <p role="status" className="result">
      {isPending ? 'Approve in your wallet, then wait some seconds until it is final.' : children}
    </p>
  );
}
