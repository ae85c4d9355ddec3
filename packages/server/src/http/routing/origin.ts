import type { Access } from '@service/contract';
import { ServiceFault } from '../failures/fault.ts';

/**
 * Every POST must carry the site's Origin (SPEC.md section 5). The webhook, whose sender is no browser, may leave it out;
 * a foreign one is refused there too.
 *
 * @throws ServiceFault ORIGIN_MISMATCH
 */
export function checkOrigin(headers: Headers, options: { origin: string; access: Access }): void {
  const origin = headers.get('origin');
  if (origin === null && options.access === 'hmac') return;
  // A service that is to learn its origin by listening has none yet, and an empty header would equal that.
  if (!origin || origin !== options.origin) {
    throw new ServiceFault('ORIGIN_MISMATCH', `Every POST must carry the Origin ${options.origin}.`);
  }
}
