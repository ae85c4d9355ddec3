import type { Access } from '@service/contract';
import { ServiceFault } from '../failures/fault.ts';

/**
 * Checks that a POST has the site's Origin. The webhook may omit it, because its sender is not a browser, but another origin
 * is rejected there too.
 *
 * @throws ServiceFault ORIGIN_MISMATCH (SPEC.md section 5)
 */
export function checkOrigin(headers: Headers, options: { origin: string; access: Access }): void {
  const origin = headers.get('origin');
  if (origin === null && options.access === 'hmac') return;
  if (origin !== options.origin) {
    throw new ServiceFault('ORIGIN_MISMATCH', `Every POST must have the Origin ${options.origin}.`);
  }
}
