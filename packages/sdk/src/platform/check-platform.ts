/** Finds what the platform lacks, so that no error blames the service, the artifacts or the wallet for it. */
import type { PlatformLack } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';

/** The globals that the SDK and kit use, and that some engine lacks. */
const NEEDED = [
  'AbortController',
  'AbortSignal',
  'Array.prototype.at',
  'BigUint64Array',
  'Headers',
  'Intl',
  'Object.hasOwn',
  'Request',
  'Response',
  'String.prototype.replaceAll',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'atob',
  'btoa',
  'crypto.getRandomValues',
  'crypto.randomUUID',
  'crypto.subtle',
  'fetch',
  'performance',
];

/**
 * Returns what this platform lacks for sign-in, writes, reads of the chain and proofs; an empty list if it lacks nothing.
 * Every call that needs something makes this check itself, and throws UNSUPPORTED_PLATFORM. Call it to tell people before
 * they begin. A page can prove without `Worker`, so it is not needed. A native prover needs no WebAssembly. A content
 * security policy that blocks WebAssembly in the page is found only if there are no workers, because a worker can have
 * another policy (SPEC.md section 1).
 *
 * @example
 * for (const { feature, neededFor, remedy } of checkPlatform()) console.log(`${neededFor}: no ${feature}. ${remedy}`);
 */
export function checkPlatform(): readonly PlatformLack[] {
  return [...missingForEverything(), ...missingForProofs()];
}

function missingForEverything(): readonly PlatformLack[] {
  return NEEDED.filter(isMissing).map((feature) => {
    const needsSecurePage = globalThis.isSecureContext === false && /subtle|UUID/.test(feature);
    const remedy = isReactNative() ? POLYFILL : needsSecurePage ? SERVE_SECURELY : UPDATE;
    return { feature, neededFor: 'everything', remedy };
  });
}

function missingForProofs(): readonly PlatformLack[] {
  const lacking = (remedy: string) => [{ feature: 'WebAssembly', neededFor: 'proofs', remedy } as const];
  if (isMissing('WebAssembly')) return lacking(isReactNative() ? PASS_PROVER : `${LEAVE_LOCKDOWN} ${UPDATE}`);
  return isMissing('Worker') && isBlocked() ? lacking(ALLOW_WEBASSEMBLY) : [];
}

const isReactNative = () => globalThis.navigator?.product === 'ReactNative';

/**
 * Throws ServiceError UNSUPPORTED_PLATFORM if this platform lacks anything, apart from what only proofs need. Every call
 * makes this check, so it compiles WebAssembly only for proofs.
 */
export function requirePlatform(forProofs = false): void {
  const missing = forProofs ? checkPlatform() : missingForEverything();
  if (missing.length === 0) return;
  const names = missing.map(({ feature }) => feature).join(', ');
  const remedies = [...new Set(missing.map(({ remedy }) => remedy))].join(' ');
  throw new ServiceError('UNSUPPORTED_PLATFORM', {
    message: `This platform has no ${names}. ${remedies}`,
    context: { missing },
  });
}

/** Returns whether a policy blocks WebAssembly here. The bytes are the smallest module. */
export function isBlocked(): boolean {
  try {
    return !new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch {
    return true;
  }
}

function isMissing(path: string): boolean {
  let value: unknown = globalThis;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return value === undefined;
}

const POLYFILL = 'Install a polyfill: the README of @service/sdk lists those for React Native.';
const PASS_PROVER = 'Pass a native prover: new ServiceClient({ deployment, prover }).';
const SERVE_SECURELY = 'Browsers have it only on secure pages. Serve the page over https, or from localhost.';
const LEAVE_LOCKDOWN = 'On iOS and macOS, turn off Lockdown Mode for this site.';
const UPDATE = 'Use Chrome or Edge 109, Firefox 115, Safari 16.4, Node 20.19, Bun 1.4, Deno 2.9, or later.';

/** What to do if a content security policy blocks WebAssembly. */
export const ALLOW_WEBASSEMBLY =
  "Allow 'wasm-unsafe-eval' in script-src of the content security policy, also in that of the worker's file.";
