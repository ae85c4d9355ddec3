/** Finds missing globals. A client loads this file at once, and check-platform.ts only with the code that reads the chain. */
import type { PlatformLack } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';

/** The globals that a client needs for its calls of the service. */
export const CLIENT_GLOBALS = [
  'AbortController',
  'AbortSignal',
  'Headers',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'fetch',
  'performance',
];

/** Throws ServiceError UNSUPPORTED_PLATFORM if this platform lacks one of the globals. A name can be a path. */
export function requireGlobals(names: readonly string[]): void {
  throwIfMissing(missingGlobals(names));
}

/** Throws ServiceError UNSUPPORTED_PLATFORM with what is missing, unless that is nothing. */
export function throwIfMissing(missing: readonly PlatformLack[]): void {
  if (missing.length === 0) return;
  const names = missing.map(({ feature }) => feature).join(', ');
  const remedies = [...new Set(missing.map(({ remedy }) => remedy))].join(' ');
  throw new ServiceError('UNSUPPORTED_PLATFORM', {
    message: `This platform has no ${names}. ${remedies}`,
    context: { missing },
  });
}

/** Returns which of the globals this platform lacks, and what to do. */
export function missingGlobals(names: readonly string[]): readonly PlatformLack[] {
  return names.filter(isMissing).map((feature) => {
    const needsSecurePage = globalThis.isSecureContext === false && /subtle|UUID/.test(feature);
    const remedy = isReactNative() ? POLYFILL : needsSecurePage ? SERVE_SECURELY : UPDATE;
    return { feature, neededFor: 'everything', remedy };
  });
}

/** Returns whether this platform lacks a global or a member of one, such as `crypto.subtle`. */
export function isMissing(path: string): boolean {
  let value: unknown = globalThis;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return value === undefined;
}

/** Returns whether this code runs in React Native. */
export const isReactNative = () => globalThis.navigator?.product === 'ReactNative';

const POLYFILL = 'Install a polyfill: the README of @service/sdk lists those for React Native.';
const SERVE_SECURELY = 'Browsers have it only on secure pages. Serve the page over https, or from localhost.';

/** What to do about an old platform. */
export const UPDATE =
  'Use Chrome or Edge 109, Firefox 115, Safari 16.4, Node 20.19, Bun 1.4, Deno 2.9, or later.';
