/** The origins whose pages use the service, each through a proxy of its own (SPEC.md section 5). */
import type { Access } from '@service/contract';
import type { Settings } from '../settings.ts';
import { ServiceFault } from './failures/fault.ts';

/** The settings that name origins. */
export type OriginSettings = Pick<Settings, 'origin' | 'otherOrigins'>;

/** Returns the origins of the site, the main one first. */
export function originsOf({ origin, otherOrigins = [] }: OriginSettings): readonly string[] {
  return [...new Set([origin, ...otherOrigins])];
}

/**
 * Returns the origin of the page that sent a POST, by its Origin header. The webhook may omit it, because its sender is not
 * a browser. Then it is the main origin, but another origin is rejected there too.
 *
 * @throws ServiceFault ORIGIN_MISMATCH (SPEC.md section 5)
 */
export function originOfPost(headers: Headers, settings: OriginSettings, access: Access): string {
  const origin = headers.get('origin');
  if (origin === null && access === 'hmac') return settings.origin;
  const origins = originsOf(settings);
  // Compare exactly. Browsers send the normal form, so another form comes from something else.
  if (origin !== null && origins.includes(origin)) return origin;
  throw new ServiceFault('ORIGIN_MISMATCH', `Every POST must have the Origin ${origins.join(' or ')}.`);
}
