import { Link } from 'wouter';
import { stopLying, useLie } from './lying-service.ts';

/** Stays on every page while the service lies. */
export function LieBanner() {
  const lie = useLie();
  if (!lie) return null;
  return (
    <div className="lie-banner" role="status">
      <p>
        <strong>The service lies:</strong> {lie.name.toLowerCase()}.{' '}
        <Link href="/lies">What the client refused</Link>
      </p>
      <button type="button" className="button-small" onClick={stopLying}>
        Turn off
      </button>
    </div>
  );
}
