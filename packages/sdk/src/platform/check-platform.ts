/** Finds what the platform lacks, so that no error blames the service, the artifacts or the wallet for it. */
import type { PlatformLack } from '../error-contexts.ts';
import {
  CLIENT_GLOBALS,
  isMissing,
  isReactNative,
  missingGlobals,
  throwIfMissing,
  UPDATE,
} from './require-globals.ts';

/** The globals that the SDK and kit use, and that some engine lacks. */
const NEEDED = [
  ...CLIENT_GLOBALS,
  'Array.prototype.at',
  'BigUint64Array',
  'Intl',
  'Object.hasOwn',
  'String.prototype.replaceAll',
  'atob',
  'btoa',
  'crypto.getRandomValues',
  'crypto.randomUUID',
  'crypto.subtle',
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
  return [...missingGlobals(NEEDED), ...missingForProofs()];
}

function missingForProofs(): readonly PlatformLack[] {
  const lacking = (remedy: string) => [{ feature: 'WebAssembly', neededFor: 'proofs', remedy } as const];
  if (isMissing('WebAssembly')) return lacking(isReactNative() ? PASS_PROVER : `${LEAVE_LOCKDOWN} ${UPDATE}`);
  return isMissing('Worker') && isBlocked() ? lacking(ALLOW_WEBASSEMBLY) : [];
}

/**
 * Throws ServiceError UNSUPPORTED_PLATFORM if this platform lacks anything, apart from what only proofs need. Every call
 * makes this check, so it compiles WebAssembly only for proofs.
 */
export function requirePlatform(forProofs = false): void {
  throwIfMissing(forProofs ? checkPlatform() : missingGlobals(NEEDED));
}

/** Returns whether a policy blocks WebAssembly here. The bytes are the smallest module. */
export function isBlocked(): boolean {
  try {
    return !new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch {
    return true;
  }
}

const PASS_PROVER = 'Pass a native prover: new ServiceClient({ deployment, prover }).';
const LEAVE_LOCKDOWN = 'On iOS and macOS, turn off Lockdown Mode for this site.';

/** What to do if a content security policy blocks WebAssembly. */
export const ALLOW_WEBASSEMBLY =
  "Allow 'wasm-unsafe-eval' in script-src of the content security policy, also in that of the worker's file.";
