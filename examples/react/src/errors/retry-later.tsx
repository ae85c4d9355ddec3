import { useEffect, useState } from 'react';

interface RetryLaterProps {
  readonly seconds: number;
  readonly onRetry: () => void;
}

/** Counts down, because a call before that time would fail again. */
export function RetryLater({ seconds, onRetry }: RetryLaterProps) {
  const [left, setLeft] = useState(Math.ceil(seconds));
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div>
      <button type="button" className="button-small" disabled={left > 0} onClick={onRetry}>
        {left > 0 ? `Wait ${left} s, then try again` : 'Try again'}
      </button>
    </div>
  );
}
